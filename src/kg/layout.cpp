// SPDX-License-Identifier: Apache-2.0
#include "kg/layout.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <lerp/base/files.hpp>

#include "kg/libkge.hpp"

namespace lerpp::formats {
namespace {

namespace fs = std::filesystem;

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

fs::path without_compression(const fs::path& file) {
  const fs::path name = file.filename();
  return is_one_of(name.extension().string(), {".gz", ".zst", ".xz", ".bz2", ".zip"}) ? name.stem()
                                                                                      : name;
}

std::optional<Split> split_of(const std::string& stem) {
  if (stem == "facts") return Split::facts;
  if (is_one_of(stem, {"train", "training"})) return Split::train;
  if (is_one_of(stem, {"valid", "validation", "dev"})) return Split::valid;
  if (is_one_of(stem, {"test", "testing"})) return Split::test;
  return std::nullopt;
}

Result<std::vector<fs::path>> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    std::error_code ignored;
    if (!entry->is_directory(ignored)) files.push_back(folder / entry->path().filename());
  }
  if (code) {
    return fail("the folder cannot be read, " + code.message(), folder.string(),
                "check its permissions");
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Takes a role, which only one file may have.
Result<void> take(fs::path& role, const fs::path& file, std::string_view what) {
  if (role.empty()) {
    role = file;
    return {};
  }
  return fail(fmt::format("{} and {} both hold {}", role.filename().string(),
                          file.filename().string(), what),
              file.parent_path().string(), "keep one of them in the folder");
}

struct Found {
  Layout facts;  ///< files of facts by stem
  std::array<fs::path, all_splits.size()> openke;
  fs::path entity2id;
  fs::path relation2id;
  fs::path entity_ids;
  fs::path relation_ids;
  fs::path yaml;
  /// Files that could be the facts, for folders with one file: those whose ending says so, and
  /// others.
  std::vector<fs::path> tables;
  std::vector<fs::path> texts;
};

/// Endings of files of facts.
bool is_table(const std::string& ending) {
  return is_one_of(ending,
                   {".tsv", ".csv", ".nt", ".nq", ".ttl", ".jsonl", ".ndjson", ".rdf", ".owl"});
}

/// Files that go with data and hold none.
bool is_about(std::string stem) {
  std::transform(stem.begin(), stem.end(), stem.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return is_one_of(stem, {"readme", "source", "sources", "license", "licence", "copying", "notice",
                          "authors", "citation", "changelog", "changes", "makefile"}) ||
         stem.starts_with('.');
}

Result<Found> look(const fs::path& folder) {
  LERP_TRY(files, files_in(folder));
  Found found;
  for (const fs::path& file : files) {
    const fs::path name = without_compression(file);
    const std::string ending = name.extension().string();
    const std::string stem = name.stem().string();
    if (name == "dataset.yaml" || name == "dataset.yml") {
      LERP_CHECK(take(found.yaml, file, "the description"));
    }
    if (!is_table(ending) && !is_one_of(ending, {"", ".txt", ".del", ".dict"})) continue;
    if (const auto split = split_of(stem); split && ending != ".dict") {
      LERP_CHECK(take(found.facts.splits[static_cast<std::size_t>(*split)], file,
                      fmt::format("the {} facts", name_of(*split))));
    } else if (stem.ends_with("2id")) {
      const std::string before = stem.substr(0, stem.size() - 3);
      if (const auto openke = split_of(before)) {
        LERP_CHECK(take(found.openke[static_cast<std::size_t>(*openke)], file,
                        fmt::format("the {} facts", name_of(*openke))));
      } else if (before == "entity") {
        LERP_CHECK(take(found.entity2id, file, "the entities"));
      } else if (before == "relation") {
        LERP_CHECK(take(found.relation2id, file, "the relations"));
      }
    } else if (stem == "entities") {
      LERP_CHECK(take(found.facts.entities.path, file, "the entities"));
    } else if (stem == "relations") {
      LERP_CHECK(take(found.facts.relations.path, file, "the relations"));
    } else if (stem == "entity2text") {
      LERP_CHECK(take(found.facts.entity_texts.path, file, "the texts of entities"));
    } else if (stem == "relation2text") {
      LERP_CHECK(take(found.facts.relation_texts.path, file, "the texts of relations"));
    } else if (stem == "entity_ids") {
      LERP_CHECK(take(found.entity_ids, file, "the entities"));
    } else if (stem == "relation_ids") {
      LERP_CHECK(take(found.relation_ids, file, "the relations"));
    } else if (!is_about(stem)) {
      (is_table(ending) ? found.tables : found.texts).push_back(file);
    }
  }
  return found;
}

/// Whether a path that a description names leads out of its folder.
bool leaves(const fs::path& named) {
  const fs::path plain = named.lexically_normal();
  return named.is_absolute() || (!plain.empty() && *plain.begin() == "..");
}

Result<Layout> libkge_layout(const Found& found, const fs::path& folder) {
  Layout layout = found.facts;
  layout.kind = LayoutKind::libkge;
  layout.splits = {};
  layout.entities = {found.entity_ids, NamesKind::dict};
  layout.relations = {found.relation_ids, NamesKind::dict};
  const std::string where = found.yaml.string();
  LERP_TRY(bytes, read_file(found.yaml));
  LERP_TRY(values, read_yaml(bytes.view(), where));
  const auto file_of = [&](const std::string& role, fs::path& path) -> Result<void> {
    const auto value = values.find("files." + role + ".filename");
    if (value == values.end()) return {};
    path = folder / value->second;
    if (leaves(value->second)) {
      return fail(fmt::format("files.{}.filename names {}, which is outside of the folder", role,
                              value->second),
                  where, "put the file into the folder");
    }
    std::error_code ignored;
    if (fs::exists(path, ignored)) return {};
    return fail(fmt::format("files.{}.filename names {}, which is missing", role, value->second),
                where, "add the file or correct its name");
  };
  const auto key_of = [&](const std::string& role) {
    const auto value = values.find("files." + role + ".type");
    return value != values.end() && value->second == "idmap" ? TextKey::name : TextKey::id;
  };
  for (const Split split : all_splits) {
    LERP_CHECK(
        file_of(std::string(name_of(split)), layout.splits[static_cast<std::size_t>(split)]));
  }
  LERP_CHECK(file_of("entity_ids", layout.entities.path));
  LERP_CHECK(file_of("relation_ids", layout.relations.path));
  fs::path strings;
  LERP_CHECK(file_of("entity_strings", strings));
  if (!strings.empty()) layout.entity_texts = {strings, key_of("entity_strings")};
  strings.clear();
  LERP_CHECK(file_of("relation_strings", strings));
  if (!strings.empty()) layout.relation_texts = {strings, key_of("relation_strings")};
  if (layout.splits[static_cast<std::size_t>(Split::train)].empty()) {
    return fail("files.train.filename is missing", where, "name the file of the training facts");
  }
  return layout;
}

Result<Layout> openke_layout(const Found& found, const fs::path& folder) {
  Layout layout = found.facts;
  layout.kind = LayoutKind::openke;
  layout.splits = found.openke;
  layout.entities = {found.entity2id, NamesKind::counted};
  layout.relations = {found.relation2id, NamesKind::counted};
  const bool entities_missing = found.entity2id.empty();
  if (entities_missing || found.relation2id.empty()) {
    return fail(fmt::format("{} is missing beside train2id.txt",
                            entities_missing ? "entity2id.txt" : "relation2id.txt"),
                folder.string(), "add it: it names the ids");
  }
  return layout;
}

bool has_training_facts(const Found& found) {
  constexpr auto train = static_cast<std::size_t>(Split::train);
  return !found.facts.splits[train].empty() || !found.openke[train].empty() || !found.yaml.empty();
}

/// The one file of a folder that can be the facts: called so, or the only one with the ending of
/// such, or the only one.
fs::path only_file(const Found& found) {
  const auto& splits = found.facts.splits;
  const auto named = [&](Split split) { return splits[static_cast<std::size_t>(split)]; };
  if (!named(Split::valid).empty() || !named(Split::test).empty()) return {};
  if (!named(Split::facts).empty()) return named(Split::facts);
  if (found.tables.size() == 1) return found.tables.front();
  return found.tables.empty() && found.texts.size() == 1 ? found.texts.front() : fs::path();
}

tl::unexpected<Error> no_dataset(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    std::error_code ignored;
    if (!entry->is_directory(ignored)) continue;
    const auto found = look(entry->path());
    if (found && has_training_facts(*found)) names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  std::string remedy =
      "it needs a file of training facts, train.txt (or .tsv, .csv, .nt, .ttl, .jsonl, .del), "
      "train2id.txt or dataset.yaml, or one file of facts alone";
  constexpr std::size_t shown = 3;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i) {
    remedy += i == 0 ? "; datasets are in its folders " : ", ";
    remedy += names[i];
  }
  if (names.size() > shown) remedy += fmt::format(" and {} more", names.size() - shown);
  return fail("the folder holds no dataset", folder.string(), std::move(remedy));
}

}  // namespace

std::string stem_of(const fs::path& file) {
  return without_compression(file).stem().string();
}

Result<Layout> find_layout(const fs::path& folder) {
  LERP_TRY(found, look(folder));
  if (!has_training_facts(found)) {
    const fs::path file = only_file(found);
    if (file.empty()) return no_dataset(folder);
    found.facts.splits = {};
    found.facts.splits[static_cast<std::size_t>(Split::train)] = file;
  }
  if (!found.yaml.empty()) return libkge_layout(found, folder);
  constexpr auto train = static_cast<std::size_t>(Split::train);
  if (!found.openke[train].empty()) return openke_layout(found, folder);

  Layout layout = found.facts;
  // LibKGE without its description.
  const bool ids = without_compression(layout.splits[train]).extension() == ".del";
  if (ids && !found.entity_ids.empty() && !found.relation_ids.empty()) {
    layout.kind = LayoutKind::libkge;
    layout.entities = {found.entity_ids, NamesKind::dict};
    layout.relations = {found.relation_ids, NamesKind::dict};
    return layout;
  }
  for (auto* names : {&layout.entities, &layout.relations}) {
    const bool dict = without_compression(names->path).extension() == ".dict";
    names->form = dict ? NamesKind::dict : NamesKind::list;
  }
  return layout;
}

}  // namespace lerpp::formats
