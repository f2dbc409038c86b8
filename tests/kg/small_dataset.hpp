// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <lerp/kg/dataset.hpp>

namespace lerpp {

/// Adds lines of "subject relation object" to a split.
inline void add_facts(Dataset& dataset, Split split, std::istream& lines) {
  std::string subject;
  std::string relation;
  std::string object;
  while (lines >> subject >> relation >> object) {
    const EntityId first = dataset.entities.intern(subject);
    dataset[split].push_back(
        {first, dataset.relations.intern(relation), dataset.entities.intern(object)});
  }
}
inline void add_facts(Dataset& dataset, Split split, const std::string& lines) {
  std::istringstream stream(lines);
  add_facts(dataset, split, stream);
}

inline std::filesystem::path shared_dataset(std::string_view name) {
  return std::filesystem::path(LERP_SHARED) / "datasets" / name;
}

/// A folder of plain three-column files whose names hold no blanks.
inline Dataset read_plain(const std::filesystem::path& folder) {
  Dataset dataset;
  dataset.name = folder.filename().string();
  for (const Split split : all_splits) {
    std::ifstream file(folder / (std::string(name_of(split)) + ".txt"));
    add_facts(dataset, split, file);
    dataset.repeated[static_cast<std::size_t>(split)] =
        remove_repeated(dataset[split], dataset.entities.size());
  }
  return dataset;
}

}  // namespace lerpp
