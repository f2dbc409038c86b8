#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a program of the C++ examples of a Markdown page.

    cpp_page.py PAGE PROGRAM

The blocks marked `cpp`, one after the other, become the body of one function; what they include goes to the top. The
program runs them in the folder it is given, and fails where they do.
"""

import pathlib
import re
import sys

PROGRAM = """{includes}
#include <cstdio>
#include <filesystem>

namespace {{

lerpp::Result<void> example() {{
{body}
  return {{}};
}}

}}  // namespace

int main(int, char** words) {{
  const std::filesystem::path folder = words[1];
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  const lerpp::Result<void> done = example();
  if (!done) std::fprintf(stderr, "%s\\n", to_string(done.error()).c_str());
  return done ? 0 : 1;
}}
"""


def main() -> None:
    page, program = map(pathlib.Path, sys.argv[1:])
    blocks = re.findall(r"^```cpp\n(.*?)^```", page.read_text(), re.M | re.S)
    lines = "".join(blocks).splitlines()
    includes = [line for line in lines if line.startswith("#include")]
    body = [line for line in lines if not line.startswith("#include")]
    program.write_text(PROGRAM.format(includes="\n".join(includes), body="\n".join(body)))


if __name__ == "__main__":
    main()
