// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <rapidcheck.h>

#include <lerp/explain/predict.hpp>

#include "model/random_case.hpp"

namespace lerpp {

/// The facts of a graph.
inline std::vector<Fact> facts_of(const Graph& graph) {
  std::vector<Fact> facts;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    for (const Edge& edge : graph.edges(entity)) {
      if (edge.op < graph.relations()) facts.push_back({entity, edge.op, edge.target});
    }
  }
  return facts;
}

inline Graph without(const Graph& graph, const std::vector<Fact>& hidden) {
  std::vector<Fact> facts = facts_of(graph);
  std::erase_if(facts, [&](const Fact& fact) {
    return std::find(hidden.begin(), hidden.end(), fact) != hidden.end();
  });
  return {graph.entities(), graph.relations(), {facts}};
}

/// A model of random shape and parameters: summed or as evidence, with and without functions,
/// terms, a frontier and an embedding.
inline ModelShape random_shape(EntityId entities) {
  ModelShape shape;
  shape.relations = *rc::gen::inRange(1U, 4U);
  shape.depth = *rc::gen::inRange(0U, 4U);
  shape.width = shape.depth == 0 ? 0 : *rc::gen::inRange(1U, 6U);
  shape.rules = *rc::gen::inRange(1U, 20U);
  shape.positive = *rc::gen::arbitrary<bool>();
  shape.evidence = *rc::gen::arbitrary<bool>();
  shape.length = *rc::gen::inRange(shape.evidence ? 0U : 1U, 4U);
  shape.frontier = *rc::gen::element(0U, 0U, 3U);
  if (!shape.evidence) return shape;
  shape.prior = *rc::gen::inRange(0U, 2U);
  shape.paths = *rc::gen::element(0U, 5U, 40U);
  shape.constants = *rc::gen::inRange(0U, 2U);
  if (*rc::gen::arbitrary<bool>()) {
    shape.embedding = 3;
    shape.entities = entities;
  }
  return shape;
}

/// A graph, a model of it, and a fact to ask about, known or not.
struct SmallWorld {
  Graph graph;
  Model model;
  Dataset dataset;
  Fact fact;
};

inline Dataset dataset_of(const Graph& graph) {
  Dataset dataset;
  dataset.name = "small";
  for (EntityId entity = 0; entity < graph.entities(); ++entity)
    dataset.entities.intern("e" + std::to_string(entity));
  for (RelationId relation = 0; relation < graph.relations(); ++relation)
    dataset.relations.intern("r" + std::to_string(relation));
  dataset[Split::train] = facts_of(graph);
  return dataset;
}

inline SmallWorld random_world() {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const RandomSizes sizes = {*rc::gen::inRange(4U, 14U), *rc::gen::inRange(4UL, 40UL), 1};
  const ModelShape shape = random_shape(sizes.entities);
  const RandomCase given = random_case(shape, sizes, seed);
  SmallWorld world;
  world.graph = given.graph;
  world.dataset = dataset_of(given.graph);
  world.model.parameters = random_parameters<float>(shape, seed);
  world.model.paths = paths_of(given);
  for (RelationId relation = 0; relation < shape.relations; ++relation)
    world.model.relations.emplace_back(world.dataset.relations.name(relation));
  world.model.entities = fingerprint(world.dataset.entities);
  const std::vector<Fact> facts = facts_of(given.graph);
  world.fact = *rc::gen::arbitrary<bool>()
                   ? facts[seed % facts.size()]
                   : Fact{static_cast<EntityId>(seed % sizes.entities),
                          static_cast<RelationId>(seed / 7 % shape.relations),
                          static_cast<EntityId>(seed / 3 % sizes.entities)};
  return world;
}

inline float score_of(const Scores& scores, EntityId entity) {
  if (scores.is_dense()) return scores.values[entity];
  const auto found = std::find(scores.entities.begin(), scores.entities.end(), entity);
  return found == scores.entities.end()
             ? scores.rest
             : scores.values[static_cast<std::size_t>(found - scores.entities.begin())];
}

/// What the engine's own scorer says on a graph.
inline Scores scores_on(const Graph& graph, const Model& model, const Query& query) {
  std::vector<Scores> scores(1);
  make_scorer(model.parameters, model.paths, graph, 1)->score({&query, 1}, scores);
  return scores[0];
}

inline bool near(double a, double b) {
  return std::abs(a - b) <= 1e-4 * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace lerpp
