// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "model/find_scopes.hpp"
#include "model/random_case.hpp"

namespace lerpp {
namespace {

using Lists = std::vector<std::vector<OperatorId>>;

TEST(Scopes, KeepListsAndCounts) {
  const Lists lists = {{0, 2}, {0, 1, 2, 3}, {}, {3}};
  const std::vector<std::uint32_t> paths = {5, 0, 2, 1};
  const Scopes scopes(lists, paths);
  ASSERT_EQ(scopes.targets(), 4U);
  EXPECT_TRUE(scopes.lacks_operators());
  for (OperatorId target = 0; target < 4; ++target) {
    EXPECT_TRUE(std::ranges::equal(scopes.operators(target), lists[target])) << target;
    EXPECT_EQ(scopes.path_count(target), paths[target]);
  }
  EXPECT_EQ(scopes.operators_before(4), 7U);
  EXPECT_EQ(scopes.paths_before(3), 7U);
  EXPECT_EQ(scopes, Scopes(lists, paths));
  EXPECT_NE(scopes, Scopes::all(paths));
  EXPECT_NE(scopes, Scopes());
}

TEST(Scopes, ListsOfAllAreAll) {
  const Lists lists(4, {0, 1, 2, 3});
  const std::vector<std::uint32_t> paths = {5, 0, 2, 1};
  EXPECT_EQ(Scopes(lists, paths), Scopes::all(paths));
  EXPECT_FALSE(Scopes::all(paths).lacks_operators());
}

/// A chain of entities, each with a relation of its own to the next.
Graph chain(RelationId relations) {
  std::vector<Fact> facts;
  for (RelationId r = 0; r < relations; ++r) facts.push_back({r, r, r + 1});
  return Graph(relations + 1, relations, {facts});
}

TEST(FindScopes, FewRelationsHaveAll) {
  Team team(1);
  EXPECT_FALSE(find_scopes(chain(20), nullptr, 3, team).known());
}

TEST(FindScopes, FarRelationsAreNotMet) {
  constexpr RelationId relations = 400;
  const Graph graph = chain(relations);
  Team team(exactly(3));
  const Scopes scopes = find_scopes(graph, nullptr, 3, team);
  ASSERT_TRUE(scopes.lacks_operators());
  const auto has = [&](OperatorId target, OperatorId op) {
    return std::ranges::binary_search(scopes.operators(target), op);
  };
  // From entity 200 three hops lead over the relations 200 to 202, and back over 199 to 197.
  for (const OperatorId near :
       {200U, 201U, 202U, 199U + relations, 198U + relations, 197U + relations})
    EXPECT_TRUE(has(200, near)) << near;
  // Where the answer is, relation 201 goes on.
  EXPECT_TRUE(has(200, 200 + relations));
  EXPECT_FALSE(has(200, 300));
  std::size_t most = 0;
  for (OperatorId target = 0; target < graph.operators(); ++target)
    most = std::max(most, scopes.operators(target).size());
  EXPECT_LT(most, 80U);
  Team alone(1);
  EXPECT_EQ(find_scopes(graph, nullptr, 3, alone), scopes);
}

ModelShape shape_with_all_kinds(bool positive) {
  ModelShape shape;
  shape.relations = 4;
  shape.width = 3;
  shape.depth = 2;
  shape.rules = 2;
  shape.length = 3;
  shape.positive = positive;
  shape.evidence = true;
  shape.prior = 1;
  shape.paths = 9;
  shape.constants = 1;
  return shape;
}

/// Moves the weights of some operators between a model that has no more and one that has all.
void copy_own(const Parameters<double>& from, Parameters<double>& to, OperatorId target) {
  const std::span<const OperatorId> operators = from.operators(target);
  const std::size_t rows = from.shape().rules * std::size_t{from.shape().length};
  const std::size_t all = from.shape().rule_operators();
  for (std::size_t row = 0; row < rows; ++row) {
    const double* own = from.a(target).data() + row * (operators.size() + 1);
    double* there = to.a(target).data() + row * all;
    std::fill_n(there, all, -60.0);  // exp of it is as good as 0
    for (std::size_t i = 0; i < operators.size(); ++i) there[operators[i]] = own[i];
    there[all - 1] = own[operators.size()];
  }
  for (const Part part : {Part::prior, Part::constant}) {
    std::ranges::fill(to.of(part, target), 0);
    for (std::size_t i = 0; i < 2 * operators.size(); ++i)
      to.of(part, target)[2 * operators[i / 2] + i % 2] = from.of(part, target)[i];
  }
  for (const Part part : {Part::rho, Part::weight, Part::scale, Part::path}) {
    const auto own = from.of(part, target);
    std::ranges::copy(own, to.of(part, target).begin());
  }
}

// An operator without a weight counts as one whose weight is 0, and what is learned of the others
// is the same.
TEST(Scopes, LessIsAsIfTheRestWeighedNothing) {
  for (const bool positive : {true, false}) {
    RandomCase given = random_case(shape_with_all_kinds(positive), {30, 90, 4}, 11);
    const OperatorId target = given.batch.target;
    RandomCase scoped = given;
    given.paths = paths_of(given);
    scoped.paths = given.paths;
    std::vector<std::uint32_t> counts;
    Lists lists(8);
    for (OperatorId each = 0; each < 8; ++each) {
      counts.push_back(static_cast<std::uint32_t>(given.paths->of(each).size()));
      for (OperatorId op = 0; op < 8; ++op) {
        if ((op + each) % 3 != 0) lists[each].push_back(op);
      }
    }
    scoped.shape.scopes = Scopes(lists, counts);
    const auto few = random_parameters<double>(scoped.shape, 5);
    auto all = random_parameters<double>(given.shape, 5);
    std::ranges::copy(few.shared(), all.shared().begin());
    copy_own(few, all, target);

    Parameters<double> few_gradient(scoped.shape);
    Parameters<double> all_gradient(given.shape);
    const double few_loss =
        Bench<double>(scoped, Path::balls).learn(few, given.batch, few_gradient);
    const double all_loss = Bench<double>(given, Path::balls).learn(all, given.batch, all_gradient);
    EXPECT_NEAR(few_loss, all_loss, 1e-10);
    const auto expect_near = [](double a, double b) { EXPECT_NEAR(a, b, 1e-10); };
    for (std::size_t i = 0; i < few_gradient.shared().size(); ++i)
      expect_near(few_gradient.shared()[i], all_gradient.shared()[i]);
    const std::span<const OperatorId> operators = few.operators(target);
    for (std::size_t row = 0; row < 6; ++row) {
      for (std::size_t i = 0; i < operators.size(); ++i) {
        expect_near(few_gradient.a(target)[row * (operators.size() + 1) + i],
                    all_gradient.a(target)[row * 9 + operators[i]]);
      }
    }
    for (const Part part : {Part::prior, Part::constant}) {
      for (std::size_t i = 0; i < 2 * operators.size(); ++i) {
        expect_near(few_gradient.of(part, target)[i],
                    all_gradient.of(part, target)[2 * operators[i / 2] + i % 2]);
      }
    }
  }
}

}  // namespace
}  // namespace lerpp
