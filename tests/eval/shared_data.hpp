// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <lerp/kg/dataset.hpp>

namespace lerpp {

/// A folder of three-column files from the shared benchmark data, or nothing where that is absent.
inline std::optional<Dataset> shared_dataset(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(LERP_SHARED) / "datasets" / name;
  if (!std::filesystem::exists(folder / "train.txt")) return std::nullopt;
  Dataset dataset;
  dataset.name = name;
  for (const Split split : all_splits) {
    std::ifstream file(folder / (std::string(name_of(split)) + ".txt"));
    for (std::string line; std::getline(file, line);) {
      if (line.ends_with('\r')) line.pop_back();
      const std::size_t first = line.find('\t');
      const std::size_t second = line.find('\t', first + 1);
      if (second == std::string::npos) continue;
      const EntityId subject = dataset.entities.intern(line.substr(0, first));
      const RelationId relation =
          dataset.relations.intern(line.substr(first + 1, second - first - 1));
      const EntityId object = dataset.entities.intern(line.substr(second + 1));
      dataset[split].push_back({subject, relation, object});
    }
    remove_repeated(dataset[split], dataset.entities.size());
  }
  return dataset;
}

}  // namespace lerpp
