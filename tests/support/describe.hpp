// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <lerp/kg/dataset.hpp>

namespace lerpp::test {

/// The facts of a split as "s r o" lines, in order.
inline std::vector<std::string> facts_of(const Dataset& dataset, Split split = Split::train) {
  std::vector<std::string> lines;
  for (const Fact& fact : dataset[split]) {
    lines.push_back(std::string(dataset.entities.name(fact.subject)) + " " +
                    std::string(dataset.relations.name(fact.relation)) + " " +
                    std::string(dataset.entities.name(fact.object)));
  }
  return lines;
}

inline std::vector<std::string> names_of(const Vocabulary& vocabulary) {
  std::vector<std::string> names;
  for (Vocabulary::Id id = 0; id < vocabulary.size(); ++id) {
    names.emplace_back(vocabulary.name(id));
  }
  return names;
}

/// The sentence of a failed result, with `folder` cut from its paths; "" where it did not fail.
template <class T>
std::string sentence(const Result<T>& result, const std::string& folder = "") {
  if (result) return "";
  std::string text = to_string(result.error());
  const std::string prefix = folder + "/";
  for (std::size_t at = 0; !folder.empty() && (at = text.find(prefix, at)) != std::string::npos;) {
    text.erase(at, prefix.size());
  }
  return text;
}

}  // namespace lerpp::test
