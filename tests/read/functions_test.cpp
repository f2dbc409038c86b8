// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/read/functions.hpp>

#include "read/constraint_reader.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

constexpr float sure = 30;

/// A family and a model of three functions in two columns whose softmaxes are all but decided:
/// L1 = ¬∃z son(z,x), L2 = ∃z daughter(x,z), L3 = ∃z son(z,x) ∧ ∃z daughter(x,z).
struct Decided {
  Dataset dataset = test::family(150);
  Model model;
  OperatorId son, daughter;

  Decided() {
    ModelShape shape;
    shape.relations = dataset.relations.size();
    shape.width = 3;
    shape.depth = 2;
    shape.rules = 2;
    shape.length = 1;
    for (RelationId id = 0; id < shape.relations; ++id)
      model.relations.emplace_back(dataset.relations.name(id));
    model.parameters = Parameters<float>(shape);
    auto& parameters = model.parameters;
    son = *dataset.relations.find("son");
    daughter = *dataset.relations.find("daughter");
    const auto choose = [&](std::size_t tensor, std::size_t i, std::size_t place) {
      const std::size_t count = parameters.tensors()[tensor].dimensions.back();
      parameters.tensor(tensor)[i * count + place] = sure;
    };
    // chain(y) comes from z with A_r[z, y], so r = son asks for son(z, y).
    choose(parameters.alpha(1), 0, son);
    choose(parameters.alpha(1), 1, daughter + shape.relations);
    choose(parameters.alpha(1), 2, son);
    choose(parameters.p(2), 0, 2);
    choose(parameters.p(2), 1, 3);
    choose(parameters.p(2), 2, 4);
    choose(parameters.beta_and(2), 2, 1);
    // Rule 0 of target 0 asks L2 of y, all others ask for nothing.
    for (OperatorId target = 0; target < shape.operators(); ++target) {
      for (std::size_t row = 0; row < 4; ++row)
        parameters.rho(target)[row * 4 + (target == 0 && row == 1 ? 2 : 0)] = sure;
    }
  }

  std::string text(const Formula& formula) const {
    return to_text(formula, {dataset.relations, dataset.entities});
  }
};

TEST(Functions, DecidedSoftmaxesReadAsTheyAre) {
  const Decided given;
  const Graph graph = given.dataset.known_graph();
  const std::vector<FunctionReading> readings = read_functions(given.model, graph);
  ASSERT_EQ(readings.size(), 3U);
  EXPECT_EQ(given.text(readings[0].formula), "¬∃z1 son(z1,x)");
  EXPECT_EQ(given.text(readings[1].formula), "∃z1 daughter(x,z1)");
  const Formula both = Formula::conjunction(
      {Formula::exists(given.son + graph.relations()), Formula::exists(given.daughter)});
  EXPECT_EQ(evaluate(readings[2].formula, graph), evaluate(both, graph));
  for (const FunctionReading& reading : readings) {
    EXPECT_FALSE(reading.constant);
    EXPECT_GT(reading.correlation, 0.9);
    EXPECT_GT(reading.agreement, 0.95);
    EXPECT_LT(reading.low, reading.high);
  }
}

TEST(Functions, AreMergedAndMeasured) {
  Decided given;
  const std::vector<ReadFunction> found = functions(given.model, KnownGraph(given.dataset)).value();
  ASSERT_EQ(found.size(), 3U);
  // One constraint of 4 a target, in 24 targets, and it is as loud as any.
  EXPECT_EQ(given.text(found[0].formula), "∃z1 daughter(x,z1)");
  EXPECT_NEAR(found[0].use, 1.0 / 96, 1e-6);
  EXPECT_EQ(found[0].numbers, std::vector<std::uint32_t>{2});
  const EntitySet where = evaluate(found[0].formula, given.dataset.known_graph());
  EXPECT_DOUBLE_EQ(found[0].share, static_cast<double>(where.count()) / where.entities());
  ASSERT_EQ(found[0].examples.size(), 3U);
  for (const EntityId entity : found[0].examples) EXPECT_TRUE(where.contains(entity));
  const Json json = to_json(found, given.dataset);
  EXPECT_EQ(json["functions"][0]["formula"], "∃z1 daughter(x,z1)");

  // The third like the second: one function with two numbers.
  const std::size_t p = given.model.parameters.p(2);
  given.model.parameters.tensor(p)[2 * 6 + 4] = 0;
  given.model.parameters.tensor(p)[2 * 6 + 3] = sure;
  const std::size_t alpha = given.model.parameters.alpha(1);
  const std::size_t operators = given.model.shape().operators();
  given.model.parameters.tensor(alpha)[2 * operators + given.son] = 0;
  given.model.parameters.tensor(alpha)[2 * operators + given.daughter + operators / 2] = sure;
  const std::vector<ReadFunction> merged =
      functions(given.model, KnownGraph(given.dataset)).value();
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].numbers.size(), 2U);
}

TEST(Functions, OfNoDepthAreNone) {
  const Dataset dataset = test::family(60);
  ModelShape shape;
  shape.relations = dataset.relations.size();
  shape.width = 0;
  shape.depth = 0;
  const Model model = {{}, Parameters<float>(shape)};
  EXPECT_TRUE(functions(model, KnownGraph(dataset)).value().empty());
  EXPECT_EQ(to_text(std::vector<ReadFunction>{}, dataset),
            "the model has no functions that tell entities apart");
}

TEST(ConstraintReader, TellsWhatAConstraintAsksFor) {
  const Decided given;
  const Graph graph = given.dataset.known_graph();
  const ConstraintReader reader(given.model, graph, 1);
  const auto read = reader.read(0);
  ASSERT_EQ(read.size(), 4U);
  EXPECT_FALSE(read[0] || read[2] || read[3]);
  ASSERT_TRUE(read[1].has_value());
  EXPECT_EQ(given.text(read[1]->formula), "∃z1 daughter(x,z1)");
  EXPECT_GT(read[1]->middle, 0.1);
  for (const auto& constraint : reader.read(1)) EXPECT_FALSE(constraint.has_value());
  const std::vector<Formula> on_y = reader.on_end(0, true, 1);
  ASSERT_EQ(on_y.size(), 1U);
  EXPECT_EQ(given.text(on_y[0]), "∃z1 daughter(x,z1)");
  // None that speaks of the relation itself.
  for (const Formula& formula : reader.on_end(given.daughter, true, 9))
    EXPECT_EQ(given.text(formula), "¬∃z1 son(z1,x)");
}

}  // namespace
}  // namespace lerpp
