// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "model/background.hpp"
#include "model/engine.hpp"

namespace lerpp {

/// A graph, a batch of queries about some of its facts, and the sizes of a model for it.
struct RandomCase {
  ModelShape shape;
  Graph graph;
  Batch batch;
  std::shared_ptr<const PathTable> paths = {};  ///< where not those that the graph suggests
};

struct RandomSizes {
  EntityId entities = 8;
  std::size_t facts = 14;
  std::size_t queries = 3;
};

/// Queries are about facts of the graph where they can be, as in training; their facts are hidden,
/// and another with them.
inline RandomCase random_case(const ModelShape& shape, const RandomSizes& sizes,
                              std::uint64_t seed) {
  Random random(seed);
  const auto entity = [&] { return static_cast<EntityId>(random.below(sizes.entities)); };
  std::vector<Fact> facts;
  for (std::size_t i = 0; i < sizes.facts; ++i) {
    facts.push_back({entity(), static_cast<RelationId>(random.below(shape.relations)), entity()});
  }
  RandomCase result{shape, Graph(sizes.entities, shape.relations, {facts}), {}};
  Batch& batch = result.batch;
  batch.target = static_cast<OperatorId>(random.below(shape.operators()));
  const bool tail = batch.target < shape.relations;
  for (const Fact& fact : facts) {
    if (fact.relation != batch.target % shape.relations) continue;
    if (batch.starts.size() == sizes.queries) break;
    batch.starts.push_back(tail ? fact.subject : fact.object);
    batch.answers.push_back(tail ? fact.object : fact.subject);
    batch.hidden.push_back(fact);
  }
  while (batch.starts.size() < sizes.queries) {
    batch.starts.push_back(entity());
    batch.answers.push_back(entity());
  }
  batch.hidden.push_back(facts[random.below(facts.size())]);
  return result;
}

/// Raw parameters none of which is zero, as some are at the start.
template <class Real>
Parameters<Real> random_parameters(const ModelShape& shape, std::uint64_t seed) {
  const auto drawn = initial_parameters<double>(shape, seed);
  Random random(seed);
  Parameters<Real> parameters(shape);
  for (std::size_t i = 0; i < drawn.values().size(); ++i) {
    const double value = drawn.values()[i];
    parameters.values()[i] = static_cast<Real>(value != 0 ? value : random.real() - 0.5);
  }
  return parameters;
}

/// The paths that a model of this shape weighs.
inline std::shared_ptr<const PathTable> paths_of(const RandomCase& given) {
  if (given.shape.paths == 0 || given.paths) return given.paths;
  PathOptions options;
  options.paths = given.shape.paths;
  options.threads = 1;
  return std::make_shared<PathTable>(mine_paths(given.graph, options).value());
}

/// An engine of its own for a case, on a team of exactly so many workers.
template <class Real>
class Bench {
 public:
  Bench(const RandomCase& given, Path path, unsigned threads = 1)
      : team_(exactly(threads)),
        background_(given.shape, given.graph, paths_of(given), team_),
        engine_(background_, team_, path) {
    settings.length = given.shape.length;
    settings.frontier = given.shape.frontier;
  }

  /// The loss of one batch, and its gradient, that of the functions among it.
  double learn(const Parameters<Real>& parameters, const Batch& batch, Parameters<Real>& gradient) {
    StepFindings<Real> findings;
    engine_.learn(parameters, {&batch, 1}, settings, gradient, findings);
    std::copy(findings.shared[0].begin(), findings.shared[0].end(), gradient.shared().begin());
    return findings.losses[0];
  }
  Engine<Real>& engine() { return engine_; }

  StepSettings settings;

 private:
  Team team_;
  Background background_;
  Engine<Real> engine_;
};

/// A direction of length 1 in the parameters that a batch of this target moves.
inline Parameters<double> random_direction(const ModelShape& shape, OperatorId target,
                                           std::uint64_t seed) {
  const auto drawn = random_parameters<double>(shape, seed);
  Parameters<double> direction(shape);
  const auto take = [](std::span<const double> from, std::span<double> to) {
    std::copy(from.begin(), from.end(), to.begin());
  };
  take(drawn.shared(), direction.shared());
  for (std::size_t part = 0; part < part_count; ++part)
    take(drawn.of(static_cast<Part>(part), target), direction.of(static_cast<Part>(part), target));
  double square = 0;
  for (const double value : direction.values()) square += value * value;
  for (double& value : direction.values()) value /= std::sqrt(square);
  return direction;
}

template <class Real>
struct Learned {
  double loss = 0;
  Parameters<Real> gradient;
  std::uint64_t edges = 0;
};

/// One batch on an engine of its own, with parameters drawn from the seed.
template <class Real>
Learned<Real> learn(const RandomCase& given, std::uint64_t seed, Path path, unsigned threads = 1) {
  Bench<Real> bench(given, path, threads);
  Learned<Real> result;
  result.gradient = Parameters<Real>(given.shape);
  result.loss =
      bench.learn(random_parameters<Real>(given.shape, seed), given.batch, result.gradient);
  result.edges = bench.engine().edges_traversed();
  return result;
}

}  // namespace lerpp
