// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <lerp/read/rules.hpp>

namespace lerpp {

/// What was read of one relation, before a list is cut from it.
struct RelationReading {
  struct Entry {
    ReadRule read;
    bool counted = false;  ///< whether its figures are there
  };

  std::size_t questions = 0;
  std::size_t found = 0;       ///< bodies, before only the strongest were read
  std::vector<Entry> entries;  ///< by their share, the largest first
};
using Readings = std::map<RelationId, RelationReading>;

/// Tells apart all that readings depend on: the model, what it knows, and the options but for those
/// that only cut the list.
std::string key_of_readings(const Model& model, const KnownGraph& known,
                            const RulesOptions& options);
/// None where the file is not there, has another key, or is damaged.
Readings load_readings(const std::filesystem::path& path, const std::string& key,
                       const Dataset& dataset);
Result<void> save_readings(const Readings& readings, const std::filesystem::path& path,
                           const std::string& key, const Dataset& dataset);

}  // namespace lerpp
