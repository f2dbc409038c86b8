// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <lerp/base/error.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/kg/vocabulary.hpp>

/// Files that list names: one a line, or with their ids.
namespace lerpp::formats {

enum class NamesKind {
  list,     ///< entities.txt: one name a line; or ids and names, where the lines have tabs
  dict,     ///< entities.dict, entity_ids.del: ids and names, in either order
  counted,  ///< entity2id.txt of OpenKE: a count, then names and ids
};

struct NamesFile {
  Vocabulary names;  ///< in the order of the ids
  bool ids = false;  ///< whether the file gave ids
};

/// Ids are told from names by content: they count from 0 to n - 1, each once.
Result<NamesFile> read_names(std::string_view text, const std::string& where, NamesKind kind,
                             const Observer& observer = {});

/// Takes the count off the first line of an OpenKE file; `rest` is what follows.
Result<std::uint64_t> take_count(std::string_view& rest, const std::string& where);
Error wrong_count(std::uint64_t said, std::uint64_t found, std::string_view what,
                  const std::string& where);

}  // namespace lerpp::formats
