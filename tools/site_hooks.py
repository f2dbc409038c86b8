# SPDX-License-Identifier: Apache-2.0
"""What MkDocs does besides: pages that live at the root of the repository, and a check that nothing is fetched from elsewhere."""

import pathlib
import re

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Where a page of the site comes from, if it is not in docs/.
PAGES = {"index.md": "README.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "CHANGELOG.md": "CHANGELOG.md", "SECURITY.md": "SECURITY.md",
         "LICENSE.md": "LICENSE"}
LINKS = {"README.md": "index.md", "LICENSE": "LICENSE.md"}
LINK = re.compile(r"(\]\()([^)#\s:]+)([)#])")
FETCHED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?(https?:|//)[^\s>]*"
                     r"|<link\b[^>]*\brel=[\"']?(?:stylesheet|preconnect|icon)[^>]*\bhref=[\"']?(?:https?:|//)[^\s>]*")


def at_root(match: re.Match) -> str:
    """A link as it reads in docs/, from one that is relative to the root."""
    path = match[2].removeprefix("docs/")
    return match[1] + LINKS.get(path, path) + match[3]


def on_files(files, config):
    for page, source in PAGES.items():
        text = (ROOT / source).read_text()
        if source == "LICENSE":
            text = f"# Licence\n\n```text\n{text}```\n"
        files.append(File.generated(config, page, content=LINK.sub(at_root, text)))
    return files


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri in PAGES:
        return markdown
    # Files of the repository that are no page of the site, such as sources, are named and not linked.
    depth = page.file.src_uri.count("/") + 1
    up = "../" * depth
    return re.sub(rf"\[([^\]]*)\]\({re.escape(up)}([^)#]+)[^)]*\)",
                  lambda m: f"[{m[1]}]({LINKS.get(m[2], m[2])})" if m[2] in PAGES.values() else m[1], markdown)


def on_post_page(output, page, config):
    if found := FETCHED.search(output):
        raise PluginError(f"{page.file.src_uri} fetches from elsewhere: {found[0]}")
    return output
