// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lerp/base/json.hpp>

#include "model/engine.hpp"

namespace lerpp {

/// float64 values and gradients of every formula, computed by automatic differentiation elsewhere.
inline Json golden(const std::string& name) {
  std::ifstream file(std::filesystem::path(LERP_GOLDEN) / (name + ".json"));
  return Json::parse(file);  // throws where the file is absent
}
inline Json golden(int depth) {
  return golden("completion-depth" + std::to_string(depth));
}

inline void flatten(const Json& json, std::vector<double>& out) {
  if (json.is_array()) {
    for (const Json& part : json) flatten(part, out);
  } else {
    out.push_back(json.get<double>());
  }
}

inline std::vector<Fact> facts_of(const Json& list) {
  std::vector<Fact> facts;
  for (const Json& fact : list) facts.push_back({fact[0], fact[1], fact[2]});
  return facts;
}

struct Case {
  ModelShape shape;
  Graph graph;
  Batch batch;
};

inline Case read_case(const Json& file, const Json& query) {
  Case result;
  result.shape = {file["relations"], file["width"], file["depth"], file["rules"], file["length"]};
  result.graph = Graph(file["entities"], file["relations"], {facts_of(file["edges"])});
  result.batch = {query["query"], query["start"].get<std::vector<EntityId>>(),
                  query["answer"].get<std::vector<EntityId>>(), facts_of(file["masked"])};
  return result;
}

template <class Real>
Parameters<Real> read_parameters(const ModelShape& shape, const Json& tensors) {
  Parameters<Real> parameters(shape);
  for (std::size_t index = 0; index < parameters.tensors().size(); ++index) {
    std::vector<double> values;
    flatten(tensors[parameters.tensors()[index].name], values);
    EXPECT_EQ(values.size(), parameters.tensor(index).size());
    std::transform(values.begin(), values.end(), parameters.tensor(index).begin(),
                   [](double value) { return static_cast<Real>(value); });
  }
  return parameters;
}

}  // namespace lerpp
