// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/parallel.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/model/model.hpp>
#include <lerp/model/paths.hpp>

#include "model/constant_tables.hpp"
#include "model/prior_classes.hpp"
#include "support/stop_at.hpp"

namespace lerpp {
namespace {

using test::expect_stops;
using test::finished;

/// Large enough for set-up to ask on its way.
const Dataset& dataset() {
  static const Dataset made = [] {
    ScaleOptions options;
    options.facts = 100'000;
    options.entities = 50'000;
    options.relations = 6;
    return generate_scale(options).value().dataset;
  }();
  return made;
}

const Graph& graph() {
  static const Graph made = dataset().known_graph();
  return made;
}

TEST(Stop, Classes) {
  const std::uint32_t last = PriorClasses(graph()).of_entities().back();
  ASSERT_GT(last, 0U);
  expect_stops([&](const Observer& observer) {
    return PriorClasses(graph(), observer).of_entities().back() == last;
  });
}

TEST(Stop, Constants) {
  Team team(1);
  const auto rows_of = [&](const ConstantTables& tables) {
    std::size_t rows = 0;
    for (OperatorId target = 0; target < graph().operators(); ++target)
      rows += tables.rows(target).size();
    return rows;
  };
  const std::size_t all = rows_of(ConstantTables(graph(), team));
  ASSERT_GT(all, 0U);
  expect_stops([&](const Observer& observer) {
    return rows_of(ConstantTables(graph(), team, {}, observer)) == all;
  });
}

TEST(Stop, MiningPaths) {
  PathOptions options;
  options.paths = 20;
  options.queries = 50;
  options.threads = exactly(1);
  expect_stops(
      [&](const Observer& observer) { return finished(mine_paths(graph(), options, observer)); });
}

TEST(Stop, Evaluation) {
  Model model;
  for (RelationId r = 0; r < dataset().relations.size(); ++r)
    model.relations.emplace_back(dataset().relations.name(r));
  ModelShape shape;
  shape.relations = dataset().relations.size();
  shape.width = 4;
  shape.depth = shape.rules = shape.length = 1;
  shape.positive = shape.evidence = true;
  shape.prior = shape.constants = 1;
  model.parameters = initial_parameters<float>(shape, 1);
  RankingOptions options;
  options.threads = exactly(1);
  options.facts = 20;
  const Dataset data = dataset();
  const KnownGraph known(data);
  expect_stops([&](const Observer& observer) {
    return finished(evaluate(model, known, options, observer));
  });
}

}  // namespace
}  // namespace lerpp
