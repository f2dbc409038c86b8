// SPDX-License-Identifier: Apache-2.0
#include "model/path_term.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/random_case.hpp"
#include "model/term_user.hpp"
#include "model/walks_by_hand.hpp"

namespace lerpp {
namespace {

template <class Real>
using User = TermUser<PathTerm<Real>, Real>;
template <class Real>
User<Real> use(const Graph& graph, std::shared_ptr<const PathTable> table, unsigned workers) {
  return {std::make_unique<PathTerm<Real>>(std::make_shared<PathIndex>(graph, std::move(table))),
          Part::path, workers};
}

struct PathCase {
  RandomCase given;
  std::shared_ptr<const PathTable> table;
  Parameters<double> parameters;
  std::uint64_t seed = 0;
};

PathCase path_case(const RandomSizes& sizes, std::uint64_t seed) {
  ModelShape shape;
  shape.relations = static_cast<RelationId>(1 + seed % 3);
  shape.depth = 0;
  shape.rules = 1;
  shape.paths = 60;
  PathCase result{random_case(shape, sizes, seed),
                  std::make_shared<PathTable>(random_table(shape.relations, shape.paths, seed)),
                  Parameters<double>(shape), seed};
  Random random(seed, 1);
  for (double& value : result.parameters.values()) value = 2 * random.real() - 1;
  return result;
}

PathCase any_path_case() {
  return path_case({*rc::gen::inRange<EntityId>(1, 12), *rc::gen::inRange<std::size_t>(1, 60),
                    *rc::gen::inRange<std::size_t>(1, 6)},
                   *rc::gen::inRange<std::uint64_t>(0, 1'000'000));
}

std::vector<double> scores_by_hand(const PathCase& given, EntityId start,
                                   std::span<const Fact> hidden) {
  const OperatorId target = given.given.batch.target;
  const auto weights = given.parameters.of(Part::path, target);
  std::vector<double> scores(given.given.graph.entities());
  std::size_t place = 0;
  for (const RelationPath& path : given.table->of(target)) {
    for (const auto& [entity, flow] : walks_by_hand(given.given.graph, hidden, start, path))
      scores[entity] += weights[2 * place] + weights[2 * place + 1] * std::log1p(flow);
    ++place;
  }
  return scores;
}

RC_GTEST_PROP(PathTerm, AddsWhatWalksFind, ()) {
  const PathCase given = any_path_case();
  const Batch& batch = given.given.batch;
  const bool masked = *rc::gen::arbitrary<bool>();
  Mask mask(given.given.graph);
  mask.hide(batch.hidden);
  User<double> term = use<double>(given.given.graph, given.table, 1);
  term.begin(given.parameters, batch.target, masked ? &mask : nullptr);
  for (const EntityId start : batch.starts) {
    std::vector<double> scores(given.given.graph.entities(), 0.5);
    term.add(0, start, scores);
    const auto expected = scores_by_hand(given, start, masked ? batch.hidden : std::vector<Fact>{});
    for (std::size_t i = 0; i < scores.size(); ++i)
      RC_ASSERT(std::abs(scores[i] - 0.5 - expected[i]) <= 1e-9);
  }
}

/// A lesson about some of the entities, whose gradient is any.
struct Taught {
  std::vector<EntityId> entities;
  std::vector<double> gradient;
};

std::vector<Taught> lessons_for(const PathCase& given) {
  Random random(given.seed, 2);
  std::vector<Taught> lessons(given.given.batch.starts.size());
  for (Taught& lesson : lessons) {
    for (EntityId entity = 0; entity < given.given.graph.entities(); ++entity) {
      if (random.chance(0.3)) continue;
      lesson.entities.push_back(entity);
      lesson.gradient.push_back(2 * random.real() - 1);
    }
  }
  return lessons;
}

/// What the lessons say of the scores, summed; its slope is what the term should learn.
double taught(const PathCase& given, User<double>& term, const Parameters<double>& parameters,
              const Mask& mask, std::span<const Taught> lessons, Parameters<double>* gradient,
              unsigned workers = 1) {
  const Batch& batch = given.given.batch;
  term.begin(parameters, batch.target, &mask);
  double sum = 0;
  for (std::size_t query = 0; query < batch.starts.size(); ++query) {
    const unsigned worker = static_cast<unsigned>(query) % workers;
    std::vector<double> scores(given.given.graph.entities());
    term.add(worker, batch.starts[query], scores);
    const Taught& lesson = lessons[query];
    for (std::size_t i = 0; i < lesson.entities.size(); ++i)
      sum += lesson.gradient[i] * scores[lesson.entities[i]];
    if (gradient != nullptr) {
      term.learn(worker,
                 {batch.starts[query], batch.answers[query], lesson.entities, lesson.gradient});
    }
  }
  if (gradient != nullptr) term.finish(*gradient);
  return sum;
}

RC_GTEST_PROP(PathTerm, GradientIsTheSlope, ()) {
  const PathCase given = any_path_case();
  const OperatorId target = given.given.batch.target;
  const unsigned workers = *rc::gen::inRange(1U, 4U);
  Mask mask(given.given.graph);
  mask.hide(given.given.batch.hidden);
  User<double> term = use<double>(given.given.graph, given.table, workers);
  const auto lessons = lessons_for(given);
  // Where nothing has a weight yet there is as much to learn.
  Parameters<double> parameters = given.parameters;
  if (*rc::gen::arbitrary<bool>()) std::ranges::fill(parameters.values(), 0.0);
  Parameters<double> gradient(given.given.shape);
  taught(given, term, parameters, mask, lessons, &gradient, workers);
  const auto part = gradient.of(Part::path, target);
  for (std::size_t i = 0; i < part.size(); ++i) {
    // The scores are linear in the weights, so any step is good.
    Parameters<double> moved = parameters;
    moved.of(Part::path, target)[i] += 1;
    const double up = taught(given, term, moved, mask, lessons, nullptr);
    moved.of(Part::path, target)[i] -= 2;
    const double down = taught(given, term, moved, mask, lessons, nullptr);
    RC_ASSERT(std::abs((up - down) / 2 - part[i]) <= 1e-8);
  }
  for (OperatorId other = 0; other < given.table->operators(); ++other) {
    if (other == target) continue;
    RC_ASSERT(std::ranges::count(gradient.of(Part::path, other), 0.0) == std::ssize(part));
  }
}

// Runs of many edges, merged flows beyond the table of logarithms, hubs.
TEST(PathTerm, LargeFlows) {
  constexpr EntityId side = 70;
  std::vector<Fact> facts;
  for (EntityId a = 0; a < side; ++a) {
    for (EntityId b = 0; b < side; ++b) facts.push_back({a, 0, b});
  }
  const Graph graph(side, 1, {facts});
  const auto table =
      std::make_shared<PathTable>(PathTable(1, 1, {{RelationPath{0, 1, 0}}, {RelationPath{0, 0}}}));
  ModelShape shape;
  shape.relations = 1;
  shape.paths = 1;
  Parameters<float> parameters(shape);
  parameters.of(Part::path, 0)[1] = 1;
  User<float> term = use<float>(graph, table, 1);
  term.begin(parameters, 0, nullptr);
  std::vector<float> scores(side);
  term.add(0, 3, scores);
  for (const float score : scores) EXPECT_NEAR(score, std::log1p(side * side), 1e-5);
}

RC_GTEST_PROP(PathTerm, EarlierBatchesLeaveNothingBehind, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const PathCase given = path_case({30, 120, 4}, seed);
  const PathCase other{random_case(given.given.shape, {30, 90, 3}, seed + 1), given.table,
                       given.parameters, seed};
  User<double> used = use<double>(given.given.graph, given.table, 1);
  Parameters<double> first(given.given.shape);
  Parameters<double> again(given.given.shape);
  Mask mask(given.given.graph);
  mask.hide(other.given.batch.hidden);
  taught(other, used, given.parameters, mask, lessons_for(other), &first);
  std::ranges::fill(first.values(), 0.0);
  mask.hide(given.given.batch.hidden);
  const double sum = taught(given, used, given.parameters, mask, lessons_for(given), &first);
  User<double> fresh = use<double>(given.given.graph, given.table, 1);
  RC_ASSERT(taught(given, fresh, given.parameters, mask, lessons_for(given), &again) == sum);
  RC_ASSERT(std::ranges::equal(first.values(), again.values()));
}

}  // namespace
}  // namespace lerpp
