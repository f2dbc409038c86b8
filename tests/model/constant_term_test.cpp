// SPDX-License-Identifier: Apache-2.0
#include "model/constant_term.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/random_case.hpp"
#include "model/term_user.hpp"

namespace lerpp {
namespace {

struct Case {
  RandomCase given;
  ConstantLimits limits;
  Parameters<double> parameters;
};

Parameters<double> any_parameters(const ModelShape& shape, std::uint64_t seed) {
  Parameters<double> parameters(shape);
  Random random(seed);
  for (OperatorId target = 0; target < shape.operators(); ++target) {
    for (double& value : parameters.of(Part::constant, target)) value = random.real() - 0.3;
  }
  return parameters;
}

Case any_case() {
  ModelShape shape;
  shape.relations = *rc::gen::inRange<RelationId>(1, 4);
  shape.width = shape.rules = shape.length = 1;
  shape.constants = true;
  RandomSizes sizes;
  sizes.entities = *rc::gen::inRange<EntityId>(2, 12);
  sizes.facts = *rc::gen::inRange<std::size_t>(10, 60);
  sizes.queries = *rc::gen::inRange<std::size_t>(1, 6);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  ConstantLimits limits;
  limits.answers = *rc::gen::element<std::size_t>(0, 2, 4, 100);
  limits.degree = *rc::gen::element<std::size_t>(8, 1000);
  limits.places = *rc::gen::element<std::size_t>(0, 1000);
  limits.arrays = *rc::gen::element<std::size_t>(0, 1000);
  return {random_case(shape, sizes, seed), limits, any_parameters(shape, seed)};
}

std::shared_ptr<const ConstantTables> tables_of(const Case& given, unsigned threads = 1) {
  Team team(exactly(threads));
  return std::make_shared<ConstantTables>(given.given.graph, team, given.limits);
}

/// The least count that no more than `most` answers have.
double least_count(const std::map<EntityId, double>& counts, std::size_t most) {
  for (double least = 1;; ++least) {
    const auto reaches = [&](const auto& count) { return count.second >= least; };
    if (static_cast<std::size_t>(std::ranges::count_if(counts, reaches)) <= most) return least;
  }
}

/// The scores of a query straight from the definition.
std::vector<double> defined_scores(const Case& given, EntityId start, const Mask* mask) {
  const Graph& graph = given.given.graph;
  const OperatorId target = given.given.batch.target;
  const EntityId n = graph.entities();
  const auto has = [&](EntityId from, OperatorId op, EntityId to) {
    return graph.contains(from, op, to);
  };
  const auto sees = [&](EntityId from, OperatorId op, EntityId to) {
    return has(from, op, to) && !(mask != nullptr && mask->hides(graph.find(from, op, to)));
  };
  const auto example = [&](EntityId e) { return graph.edges(e).size() <= given.limits.degree; };
  std::vector<double> base(n);
  double answering = 0;
  for (EntityId other = 0; other < n; ++other) {
    if (other == start || !example(other)) continue;
    bool any = false;
    for (EntityId answer = 0; answer < n; ++answer) {
      if (!sees(other, target, answer)) continue;
      any = true;
      ++base[answer];
    }
    if (any) ++answering;
  }
  std::vector<double> scores(n);
  const auto weights = given.parameters.of(Part::constant, target);
  for (OperatorId op = 0; op < graph.operators(); ++op) {
    std::vector<double> sum(n);
    std::vector<double> best(n);
    for (EntityId constant = 0; constant < n; ++constant) {
      if (!sees(start, op, constant)) continue;
      std::vector<double> count(n);
      std::map<EntityId, double> known;  // hidden or not
      double body = 0;
      std::size_t members = 0;
      for (EntityId other = 0; other < n; ++other) {
        if (!example(other) || !has(other, op, constant)) continue;
        ++members;
        for (const Edge& edge : graph.edges(other, target)) ++known[edge.target];
        if (other == start || !sees(other, op, constant)) continue;
        ++body;
        for (EntityId answer = 0; answer < n; ++answer)
          count[answer] += sees(other, target, answer);
      }
      if (members < 2) continue;
      const double least = least_count(known, given.limits.answers);
      for (EntityId answer = 0; answer < n; ++answer) {
        if (count[answer] < least || answer == constant) continue;
        sum[answer] += std::log(1 + count[answer] * answering / (10 * base[answer]));
        best[answer] = std::max(best[answer], count[answer] / (body + 5));
      }
    }
    for (EntityId answer = 0; answer < n; ++answer)
      scores[answer] += weights[2 * op] * sum[answer] + weights[2 * op + 1] * 10 * best[answer];
  }
  return scores;
}

template <class Real>
using User = TermUser<ConstantTerm<Real>, Real>;
template <class Real>
User<Real> use(std::shared_ptr<const ConstantTables> tables, unsigned workers) {
  return {std::make_unique<ConstantTerm<Real>>(std::move(tables)), Part::constant, workers};
}

template <class Real>
std::vector<Real> scores_of(User<Real>& term, EntityId entities, EntityId start,
                            unsigned worker = 0) {
  std::vector<Real> scores(entities);
  term.add(worker, start, scores);
  return scores;
}

RC_GTEST_PROP(ConstantTerm, ScoresAreThoseOfTheDefinition, ()) {
  const Case given = any_case();
  Mask mask(given.given.graph);
  const Batch& batch = given.given.batch;
  const EntityId entities = given.given.graph.entities();
  User<double> term = use<double>(tables_of(given), 1);
  // Another target and other hidden facts first: they must leave nothing behind.
  const Fact other{0, batch.hidden.front().relation, 0};
  mask.hide({&other, 1});
  term.begin(given.parameters, (batch.target + 1) % given.given.graph.operators(), &mask);
  scores_of(term, entities, 0);
  mask.hide(batch.hidden);
  for (const Mask* hidden : {&mask, static_cast<Mask*>(nullptr), &mask}) {
    term.begin(given.parameters, batch.target, hidden);
    for (EntityId start = 0; start < entities; ++start) {
      const auto scores = scores_of(term, entities, start);
      const auto defined = defined_scores(given, start, hidden);
      for (EntityId answer = 0; answer < entities; ++answer)
        RC_ASSERT(std::abs(scores[answer] - defined[answer]) < 1e-10);
    }
  }
}

RC_GTEST_PROP(ConstantTerm, GradientIsTheSlopeOfTheLoss, ()) {
  const Case given = any_case();
  Mask mask(given.given.graph);
  const Batch& batch = given.given.batch;
  const EntityId entities = given.given.graph.entities();
  mask.hide(batch.hidden);
  User<double> term = use<double>(tables_of(given), 2);
  std::vector<EntityId> all(entities);
  std::iota(all.begin(), all.end(), EntityId{0});
  const auto loss = [&](const Parameters<double>& parameters, Parameters<double>* gradient) {
    double sum = 0;
    term.begin(parameters, batch.target, &mask);
    for (std::size_t query = 0; query < batch.starts.size(); ++query) {
      const auto worker = static_cast<unsigned>(query % 2);
      auto scores = scores_of(term, entities, batch.starts[query], worker);
      double partition = 0;
      for (const double score : scores) partition += std::exp(score);
      sum += std::log(partition) - scores[batch.answers[query]];
      for (double& score : scores) score = std::exp(score) / partition;
      scores[batch.answers[query]] -= 1;
      if (gradient != nullptr)
        term.learn(worker, {batch.starts[query], batch.answers[query], all, scores});
    }
    if (gradient != nullptr) term.finish(*gradient);
    return sum;
  };
  Parameters<double> gradient(given.given.shape);
  loss(given.parameters, &gradient);
  Parameters<double> moved = given.parameters;
  const auto weights = moved.of(Part::constant, batch.target);
  const auto slopes = gradient.of(Part::constant, batch.target);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double weight = weights[i];
    constexpr double h = 1e-4;
    weights[i] = weight + h;
    const double above = loss(moved, nullptr);
    weights[i] = weight - h;
    const double below = loss(moved, nullptr);
    weights[i] = weight;
    RC_ASSERT(std::abs((above - below) / (2 * h) - slopes[i]) < 1e-5);
  }
}

// A term keeps much between batches: none of it may show, not even in rounding.
RC_GTEST_PROP(ConstantTerm, EarlierBatchesLeaveNothingBehind, ()) {
  const Case given = any_case();
  const Batch& batch = given.given.batch;
  const Graph& graph = given.given.graph;
  Mask mask(graph);
  Parameters<float> parameters(given.given.shape);
  std::ranges::transform(given.parameters.values(), parameters.values().begin(),
                         [](double value) { return static_cast<float>(value); });
  const std::vector<float> lesson(batch.answers.size(), 0.25F);
  const auto learned = [&](User<float>& term, OperatorId target) {
    Parameters<float> gradient(given.given.shape);
    std::vector<float> scores(graph.entities());
    term.begin(parameters, target, &mask);
    for (const EntityId start : batch.starts) {
      term.add(0, start, scores);
      term.learn(0, {start, 0, batch.answers, lesson});
    }
    term.finish(gradient);
    scores.insert(scores.end(), gradient.values().begin(), gradient.values().end());
    return scores;
  };
  User<float> fresh = use<float>(tables_of(given), 1);
  User<float> used = use<float>(tables_of(given, 2), 1);
  learned(used, (batch.target + 1) % graph.operators());
  mask.hide({batch.hidden.data(), 1});
  learned(used, batch.target);
  mask.hide(batch.hidden);
  RC_ASSERT(learned(fresh, batch.target) == learned(used, batch.target));
}

RC_GTEST_PROP(ConstantTerm, ReasonsAddUpToTheScore, ()) {
  const Case given = any_case();
  Mask mask(given.given.graph);
  const EntityId entities = given.given.graph.entities();
  mask.hide(given.given.batch.hidden);
  User<double> term = use<double>(tables_of(given), 1);
  term.begin(given.parameters, given.given.batch.target, &mask);
  const EntityId start = given.given.batch.starts.front();
  const auto scores = scores_of(term, entities, start);
  for (EntityId answer = 0; answer < entities; ++answer) {
    double sum = 0;
    for (const TermReason& reason : term.explain(0, start, answer)) {
      RC_ASSERT(given.given.graph.contains(start, reason.number, *reason.constant));
      RC_ASSERT(reason.count > 0 && reason.count <= reason.body);
      sum += reason.contribution;
    }
    RC_ASSERT(std::abs(sum - scores[answer]) < 1e-10);
  }
}

RC_GTEST_PROP(ConstantTables, WorkersChangeNothing, ()) {
  const Case given = any_case();
  const auto one = tables_of(given, 1);
  const auto many = tables_of(given, *rc::gen::inRange(2U, 5U));
  RC_ASSERT(one->traits() == many->traits());
  for (OperatorId target = 0; target < given.given.graph.operators(); ++target) {
    const auto rows = one->rows(target);
    const auto others = many->rows(target);
    RC_ASSERT(rows.size() == others.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      RC_ASSERT(rows[row].trait == others[row].trait && rows[row].least == others[row].least);
      RC_ASSERT(std::ranges::equal(one->entries(rows[row]), many->entries(others[row])));
    }
  }
}

TEST(ConstantTables, HubsAreLeftOutUntilTheLooksSuffice) {
  // A hub with a hundred edges among entities with about one.
  std::vector<Fact> facts;
  for (EntityId e = 1; e <= 100; ++e) facts.push_back({e, 0, 0});
  const Graph graph(101, 1, {facts});
  Team team(1);
  ConstantLimits limits;
  EXPECT_TRUE(ConstantTables(graph, team, limits).is_example(0));
  limits.looks = 0;  // 10 for each of 200 edges, and the hub alone would cost 10,000
  const ConstantTables tables(graph, team, limits);
  EXPECT_FALSE(tables.is_example(0));
  EXPECT_TRUE(tables.is_example(1));
}

TEST(ConstantTables, LowCountsAreLeftOutWhereOneAnswerIsTooMany) {
  // Ten entities share two traits; ten pairs share one each, and nothing else.
  std::vector<Fact> facts;
  for (EntityId e = 0; e < 10; ++e) {
    for (const EntityId constant : {10U, 11U}) facts.push_back({e, 0, constant});
    for (const EntityId other : {20 + e, 30 + e}) facts.push_back({other, 1, 40 + e});
  }
  const Graph graph(50, 2, {facts});
  Team team(1);
  const auto least_count = [&](std::size_t most) {
    const ConstantTables tables(graph, team, {16, most, 1000});
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    std::size_t entries = 0;
    for (OperatorId target = 0; target < 4; ++target) {
      for (const auto& row : tables.rows(target)) {
        for (const auto& entry : tables.entries(row)) least = std::min(least, entry.count);
        entries += row.size;
      }
    }
    EXPECT_LE(entries, most);
    return least;
  };
  EXPECT_EQ(least_count(1000), 2U);
  EXPECT_EQ(least_count(8), 10U);
}

TEST(ConstantTables, AnswersAreLeftOutUntilTheEntriesFit) {
  const RandomCase given = random_case({2, 1, 1, 1, 1}, {30, 400, 1}, 3);
  Team team(exactly(2));
  std::size_t before = std::numeric_limits<std::size_t>::max();
  for (const std::size_t most : {100'000UL, 2'000UL, 500UL, 0UL}) {
    const ConstantTables tables(given.graph, team, {64, most, 1000});
    std::size_t entries = 0;
    for (OperatorId target = 0; target < given.graph.operators(); ++target) {
      for (const auto& row : tables.rows(target)) entries += tables.entries(row).size();
    }
    EXPECT_LE(entries, most);
    EXPECT_LT(entries, before);
    before = entries;
  }
}

}  // namespace
}  // namespace lerpp
