// SPDX-License-Identifier: Apache-2.0
#include "model/embedding_parts.hpp"

#include <algorithm>
#include <cassert>

namespace lerpp {

ModelShape rules_of(const ModelShape& shape) {
  ModelShape rules = shape;
  rules.embedding = 0;
  rules.entities = 0;
  return rules;
}

ModelShape embedding_of(const ModelShape& shape) {
  ModelShape embedding{shape.relations, 0, 0, 0, 0};
  embedding.embedding = shape.embedding;
  embedding.entities = shape.entities;
  return embedding;
}

Parameters<float> rules_of(const Parameters<float>& parameters) {
  Parameters<float> rules(rules_of(parameters.shape()));
  std::copy_n(parameters.values().begin(), rules.values().size(), rules.values().begin());
  return rules;
}

Parameters<float> joined(const Parameters<float>& rules, const Parameters<float>& embedding) {
  ModelShape shape = rules.shape();
  assert(shape.embedding == 0 && shape.relations == embedding.shape().relations);
  shape.embedding = embedding.shape().embedding;
  shape.entities = embedding.shape().entities;
  Parameters<float> all(shape);
  assert(all.values().size() == rules.values().size() + embedding.values().size());
  const auto rest = std::copy(rules.values().begin(), rules.values().end(), all.values().begin());
  std::copy(embedding.values().begin(), embedding.values().end(), rest);
  return all;
}

}  // namespace lerpp
