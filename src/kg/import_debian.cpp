// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>

#include <lerp/kg/import.hpp>

#include "kg/deb822.hpp"
#include "kg/readable.hpp"

// What becomes of the fields: those that link a package to something that other packages link to as
// well. Versions, sizes, checksums and file names are not relations and stay out; so do home pages,
// most of which one source alone has, and fields that a handful of packages carry (Gstreamer-*,
// Cnf-*, Python-Egg-Name).
//
// A package, virtual or real, goes by its bare name. Everything else carries its kind, since
// "python" is a package, a section and a tag: "section/python", "implemented-in/python".
namespace lerpp {
namespace {

/// How a field's value reads.
enum class Form { packages, sources, source, person, word, words, tags };

struct FieldRule {
  std::string_view field;
  Form form;
  std::string_view relation;
  std::string_view kind;  ///< what stands before the slash in an object's name
};

constexpr std::array<FieldRule, 25> rules = {{
    {"depends", Form::packages, "depends", ""},
    {"pre-depends", Form::packages, "pre-depends", ""},
    {"recommends", Form::packages, "recommends", ""},
    {"suggests", Form::packages, "suggests", ""},
    {"enhances", Form::packages, "enhances", ""},
    {"conflicts", Form::packages, "conflicts", ""},
    {"breaks", Form::packages, "breaks", ""},
    {"replaces", Form::packages, "replaces", ""},
    {"provides", Form::packages, "provides", ""},
    {"source", Form::source, "source", "source"},
    {"built-using", Form::sources, "built-using", "source"},
    {"static-built-using", Form::sources, "built-using", "source"},
    {"x-cargo-built-using", Form::sources, "built-using", "source"},
    {"javascript-built-using", Form::sources, "built-using", "source"},
    {"maintainer", Form::person, "maintainer", "maintainer"},
    {"original-maintainer", Form::person, "original-maintainer", "maintainer"},
    {"section", Form::word, "section", "section"},
    {"priority", Form::word, "priority", "priority"},
    {"architecture", Form::word, "architecture", "architecture"},
    {"multi-arch", Form::word, "multi-arch", "multi-arch"},
    {"essential", Form::word, "essential", "essential"},
    {"task", Form::words, "task", "task"},
    {"ruby-versions", Form::words, "ruby-versions", "ruby"},
    {"lua-versions", Form::words, "lua-versions", "lua"},
    {"tag", Form::tags, "", ""},
}};

const FieldRule* rule_of(const Deb822Field& field) {
  for (const FieldRule& rule : rules) {
    if (field.is(rule.field)) return &rule;
  }
  return nullptr;
}

/// Calls `action` for each non-empty piece between any of the separators.
template <class Action>
void for_each_piece(std::string_view text, std::string_view separators, Action&& action) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    const std::string_view piece = trim(text.substr(0, end));
    if (!piece.empty()) action(piece);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// "libc6:any (>= 2.36) [amd64] <!nocheck>" is about "libc6".
std::string_view bare_name(std::string_view dependency) {
  return dependency.substr(0, dependency.find_first_of(":([<= \t\r\n"));
}

/// "Debian Games Team <games@lists.debian.org>" is "Debian Games Team": people change addresses.
std::string_view person_of(std::string_view maintainer) {
  const std::size_t angle = maintainer.find('<');
  const std::string_view name = trim(maintainer.substr(0, angle));
  if (!name.empty() || angle == std::string_view::npos) return name;
  return trim(maintainer.substr(angle + 1, maintainer.find('>') - angle - 1));
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

class Importer {
 public:
  Importer() {
    dataset_.name = "debian";
    dataset_.format = "Debian packages";
  }

  void add_package(std::string_view name, const std::vector<Deb822Field>& paragraph) {
    package_ = dataset_.entities.intern(readable(name));
    bool has_source = false;
    for (const Deb822Field& field : paragraph) {
      if (field.is("description")) {
        dataset_.entity_texts.emplace(package_, readable(first_line(trim(field.value))));
      } else if (const FieldRule* rule = rule_of(field)) {
        has_source = has_source || rule->form == Form::source;
        add_field(*rule, field.value);
      }
    }
    // A package whose source has the same name does not say so.
    if (!has_source) add("source", "source", name);
  }

  Dataset finish() && {
    // One package may ask for another twice, as with a lower and an upper version.
    remove_repeated(dataset_[Split::train], dataset_.entities.size());
    return std::move(dataset_);
  }

 private:
  void add(std::string_view relation, std::string_view kind, std::string_view object) {
    if (object.empty()) return;
    std::string name = readable(object);
    if (!kind.empty()) name = fmt::format("{}/{}", kind, name);
    dataset_[Split::train].push_back(
        {package_, dataset_.relations.intern(relation), dataset_.entities.intern(name)});
  }

  void add_field(const FieldRule& rule, std::string_view value) {
    const auto add_bare = [&](std::string_view piece) {
      add(rule.relation, rule.kind, bare_name(piece));
    };
    const auto add_whole = [&](std::string_view piece) { add(rule.relation, rule.kind, piece); };
    switch (rule.form) {
      case Form::packages:
        for_each_piece(value, ",|", add_bare);
        break;
      case Form::sources:
        for_each_piece(value, ",", add_bare);
        break;
      case Form::source:
        add_bare(trim(value));
        break;
      case Form::person:
        add_whole(person_of(value));
        break;
      case Form::word:
        add_whole(trim(value));
        break;
      case Form::words:
        for_each_piece(value, ", \t\r\n", add_whole);
        break;
      case Form::tags:
        for_each_piece(value, ", \t\r\n", [&](std::string_view tag) { add_tag(tag); });
        break;
    }
  }

  /// Each facet of the tags is a relation: "role::program" says role(package, role/program).
  void add_tag(std::string_view tag) {
    const std::size_t colons = tag.find("::");
    if (colons == std::string_view::npos || colons == 0) return;
    const std::string facet = readable(tag.substr(0, colons));
    const std::string_view value = tag.substr(colons + 2);
    // "game::TODO" only says that nobody has looked yet.
    if (value.ends_with("TODO")) return;
    add(facet, facet, value);
  }

  Dataset dataset_;
  EntityId package_ = 0;
};

/// What a command prints, and the status it ends with.
struct Printed {
  std::string text;
  int status = 0;
};

std::optional<Printed> run(const char* command) {
  Printed printed;
  const auto close = [&](std::FILE* file) { printed.status = pclose(file); };
  std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command, "r"), close);
  if (!pipe) return std::nullopt;
  std::vector<char> buffer(1U << 20U);
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    printed.text.append(buffer.data(), count);
  }
  pipe.reset();  // before the copy: it sets the status
  return printed;
}

}  // namespace

Result<Dataset> read_debian(std::string_view dump, const std::string& where) {
  Deb822Reader reader(dump, where);
  std::vector<Deb822Field> paragraph;
  Importer importer;
  bool found = false;
  for (;;) {
    LERP_TRY(more, reader.next(paragraph));
    if (!more) break;
    const Deb822Field* package = nullptr;
    for (const Deb822Field& field : paragraph) {
      if (!field.is("package")) continue;
      if (package != nullptr) {
        return fail("the paragraph has a second Package field", reader.place(field.line),
                    "separate the packages by empty lines");
      }
      package = &field;
    }
    if (package == nullptr || trim(package->value).empty()) {
      const std::size_t line = package == nullptr ? paragraph.front().line : package->line;
      return fail("the paragraph names no package", reader.place(line),
                  "give the text that apt-cache dumpavail prints");
    }
    found = true;
    importer.add_package(trim(package->value), paragraph);
  }
  if (!found) {
    return fail("there is no package in it", where,
                "run apt-get update, then give the text that apt-cache dumpavail prints");
  }
  return std::move(importer).finish();
}

Result<Dataset> import_debian() {
  const char* const command = "apt-cache dumpavail 2>/dev/null";
  const std::string where = "apt-cache dumpavail";
  const std::optional<Printed> printed = run(command);
  if (!printed) return fail_errno("the command could not be started", where, "try again");
  constexpr int not_found = 127;  // of the shell
  if (WIFEXITED(printed->status) && WEXITSTATUS(printed->status) == not_found) {
    return fail("there is no apt-cache on this machine", where,
                "run it on a Debian or Ubuntu machine and import the text that it prints");
  }
  if (printed->status != 0) {
    return fail("the command failed", where, "run it by hand to see why");
  }
  if (trim(printed->text).empty()) {
    return fail("it lists no packages", where, "run apt-get update first");
  }
  return read_debian(printed->text, where);
}

}  // namespace lerpp
