// SPDX-License-Identifier: Apache-2.0
#include "model/embedding_term.hpp"

#include <cmath>
#include <complex>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "embed/embedding_loss.hpp"
#include "model/random_case.hpp"

namespace lerpp {
namespace {

using Complex = std::complex<double>;

ModelShape embedding_shape(RelationId relations, EntityId entities, std::uint32_t rank) {
  ModelShape shape{relations, 1, 0, 1, 1};
  shape.embedding = rank;
  shape.entities = entities;
  return shape;
}

struct Case {
  ModelShape shape;
  Graph graph;
  Parameters<double> parameters;
  std::vector<EmbeddingQuery> queries;
};

/// Large values, so that nothing is near zero.
template <class Real>
Parameters<Real> drawn_parameters(const ModelShape& shape, std::uint64_t seed) {
  auto parameters = initial_parameters<Real>(shape, seed);
  for (Real& value : parameters.entities()) value *= 70;
  for (OperatorId target = 0; target < shape.operators(); ++target) {
    for (Real& value : parameters.of(Part::relation, target)) value *= 70;
  }
  return parameters;
}

Case make_case(EntityId entities, std::uint32_t rank, std::size_t facts, std::size_t queries,
               std::uint64_t seed) {
  const ModelShape shape = embedding_shape(2, entities, rank);
  Random random(seed);
  const auto entity = [&] { return static_cast<EntityId>(random.below(entities)); };
  std::vector<Fact> list;
  for (std::size_t i = 0; i < facts; ++i)
    list.push_back({entity(), static_cast<RelationId>(random.below(2)), entity()});
  Case result{shape, Graph(entities, 2, {list}), drawn_parameters<double>(shape, seed), {}};
  for (std::size_t i = 0; i < queries; ++i)
    result.queries.push_back({static_cast<OperatorId>(random.below(4)), entity(), entity()});
  return result;
}

Case any_case() {
  return make_case(*rc::gen::inRange<EntityId>(1, 40), *rc::gen::inRange<std::uint32_t>(1, 20),
                   *rc::gen::inRange<std::size_t>(1, 60), *rc::gen::inRange<std::size_t>(1, 40),
                   *rc::gen::inRange<std::uint64_t>(0, 1'000'000));
}

Complex component(std::span<const double> vector, std::size_t i) {
  return {vector[i], vector[vector.size() / 2 + i]};
}

std::span<const double> row(const Case& given, EntityId entity) {
  const std::size_t width = 2 * std::size_t{given.shape.embedding};
  return given.parameters.entities().subspan(entity * width, width);
}

double naive_score(const Case& given, const EmbeddingQuery& query, EntityId answer) {
  Complex sum = 0;
  for (std::size_t i = 0; i < given.shape.embedding; ++i) {
    sum += component(row(given, query.start), i) *
           component(given.parameters.of(Part::relation, query.target), i) *
           std::conj(component(row(given, answer), i));
  }
  return sum.real();
}

double naive_n3(std::span<const double> vector) {
  double sum = 0;
  for (std::size_t i = 0; i < vector.size() / 2; ++i)
    sum += std::pow(std::abs(component(vector, i)), 3);
  return sum / 3;
}

using Settings = EmbeddingLoss<double>::Settings;

/// As the definition says.
double naive_loss(const Case& given, const Settings& settings) {
  double loss = 0;
  for (const EmbeddingQuery& query : given.queries) {
    double sum = 0;
    for (EntityId entity = 0; entity < given.shape.entities; ++entity) {
      if (!settings.filtered || entity == query.answer ||
          !given.graph.contains(query.start, query.target, entity))
        sum += std::exp(naive_score(given, query, entity));
    }
    loss += std::log(sum) - naive_score(given, query, query.answer);
    loss += settings.n3 * (naive_n3(row(given, query.start)) + naive_n3(row(given, query.answer)) +
                           naive_n3(given.parameters.of(Part::relation, query.target)));
  }
  return loss / static_cast<double>(given.queries.size());
}

Settings any_settings() {
  return {*rc::gen::element(0.0, 0.1), *rc::gen::arbitrary<bool>()};
}

double learn_apart(const Case& given, const Settings& settings, Parameters<double>& gradient,
                   unsigned threads) {
  Team team(exactly(threads));
  return EmbeddingLoss<double>(given.graph, team, settings)
      .learn(given.parameters, given.queries, gradient);
}

RC_GTEST_PROP(EmbeddingTerm, AddsTheMixTimesTheScore, ()) {
  Case given = any_case();
  Team team(exactly(*rc::gen::inRange(1U, 4U)));
  EmbeddingTerm<double> term(team);
  const auto target = *rc::gen::inRange<OperatorId>(0, 4);
  given.parameters.of(Part::mix, target)[0] = -1.5;
  term.begin(given.parameters, target);
  std::vector<EntityId> starts;
  for (const EmbeddingQuery& query : given.queries) starts.push_back(query.start);
  if (*rc::gen::arbitrary<bool>()) term.prepare(starts);
  for (const EntityId start : starts) {
    std::vector<double> scores(given.shape.entities, 2);
    term.add(team.size() - 1, start, scores);
    for (EntityId entity = 0; entity < given.shape.entities; ++entity) {
      const double expected = 2 - 1.5 * naive_score(given, {target, start, 0}, entity);
      RC_ASSERT(std::abs(scores[entity] - expected) <= 1e-12 * (1 + std::abs(expected)));
    }
  }
}

RC_GTEST_PROP(EmbeddingLoss, IsTheCrossEntropyAndN3, ()) {
  const Case given = any_case();
  const Settings settings = any_settings();
  Parameters<double> gradient(given.shape);
  const double loss = learn_apart(given, settings, gradient, *rc::gen::inRange(1U, 4U));
  const double expected = naive_loss(given, settings);
  RC_ASSERT(std::abs(loss - expected) <= 1e-11 * (1 + expected));
}

RC_GTEST_PROP(EmbeddingLoss, GradientIsTheSlopeOfTheLoss, ()) {
  Case given = any_case();
  const Settings settings = any_settings();
  Parameters<double> gradient(given.shape);
  learn_apart(given, settings, gradient, *rc::gen::inRange(1U, 4U));
  double most = 0;
  for (const double value : gradient.values()) most = std::max(most, std::abs(value));
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const auto direction = drawn_parameters<double>(given.shape, seed);
  double expected = 0;
  for (std::size_t i = 0; i < gradient.values().size(); ++i)
    expected += gradient.values()[i] * direction.values()[i];
  const Parameters<double> before = given.parameters;
  const auto loss_at = [&](double step) {
    for (std::size_t i = 0; i < before.values().size(); ++i)
      given.parameters.values()[i] = before.values()[i] + step * direction.values()[i];
    return naive_loss(given, settings);
  };
  constexpr double h = 1e-4;
  const double slope =
      (8 * (loss_at(h) - loss_at(-h)) - (loss_at(2 * h) - loss_at(-2 * h))) / (12 * h);
  RC_ASSERT(std::abs(slope - expected) <= 1e-6 * most + 1e-8);
  for (OperatorId target = 0; target < given.shape.operators(); ++target)
    RC_ASSERT(gradient.of(Part::mix, target)[0] == 0);
}

RC_GTEST_PROP(EmbeddingLoss, ThreadsChangeNoByte, ()) {
  const Case given = make_case(
      *rc::gen::element<EntityId>(1, 20, 63, 150, 700), *rc::gen::inRange<std::uint32_t>(1, 20), 60,
      *rc::gen::inRange<std::size_t>(1, 40), *rc::gen::inRange<std::uint64_t>(0, 1'000'000));
  const auto parameters = drawn_parameters<float>(given.shape, 3);
  Team team(exactly(*rc::gen::inRange(2U, 6U)));
  EmbeddingLoss<float> used(given.graph, team, {0.1, true});
  Parameters<float> ignored(given.shape);
  used.learn(parameters, std::span(given.queries).first(1), ignored);
  Team alone(1);
  EmbeddingLoss<float> fresh(given.graph, alone, {0.1, true});
  Parameters<float> first(given.shape);
  Parameters<float> again(given.shape);
  RC_ASSERT(fresh.learn(parameters, given.queries, first) ==
            used.learn(parameters, given.queries, again));
  RC_ASSERT(std::ranges::equal(first.values(), again.values()));
}

TEST(EmbeddingLoss, OtherAnswersAreLeftOut) {
  // From 0 lead 0 and 1: 1 is far above 0, and must not drown it.
  const std::vector<Fact> facts = {{0, 0, 0}, {0, 0, 1}};
  Case given{embedding_shape(1, 3, 1), Graph(3, 1, {facts}), {}, {{0, 0, 0}}};
  given.parameters = Parameters<double>(given.shape);
  given.parameters.of(Part::relation, 0)[0] = 1;
  for (EntityId entity = 0; entity < 3; ++entity) given.parameters.entities()[2 * entity] = 1;
  given.parameters.entities()[2] = 500;
  Parameters<double> gradient(given.shape);
  EXPECT_NEAR(learn_apart(given, {0, true}, gradient, 1), std::log(2.0), 1e-12);
  EXPECT_EQ(gradient.entities()[2], 0);
  EXPECT_NEAR(gradient.entities()[4], 0.5, 1e-12);
  EXPECT_NEAR(learn_apart(given, {0, false}, gradient, 1), 499, 1e-9);
}

TEST(EmbeddingLoss, OneEntityHasNothingToLearn) {
  const std::vector<Fact> facts = {{0, 0, 0}};
  Case given{embedding_shape(1, 1, 1), Graph(1, 1, {facts}), {}, {{0, 0, 0}, {1, 0, 0}}};
  given.parameters = drawn_parameters<double>(given.shape, 5);
  Parameters<double> gradient(given.shape);
  EXPECT_EQ(learn_apart(given, {}, gradient, 2), 0);
  for (const double value : gradient.values()) EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace lerpp
