// SPDX-License-Identifier: Apache-2.0
#include <regex>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/report/network.hpp>
#include <lerp/report/rule_picture.hpp>

#include "logic/random_logic.hpp"
#include "support/picture_labels.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

class RulePicture : public ::testing::Test {
 protected:
  std::string paint(const std::string& text) {
    const Result<Rule> rule = parse_rule(text, names());
    EXPECT_TRUE(rule) << to_string(rule.error());
    return rule ? to_svg(*rule, names()) : "";
  }
  Names names() const { return {dataset_.relations, dataset_.entities}; }

  Dataset dataset_ = test::family(40);
};

TEST_F(RulePicture, HasANodeForEachVariableAndAnArrowForEachRelation) {
  const std::string svg = paint("mother(z,x) ∧ son(y,z) ∧ ¬∃w sister(w,x) ⇒ brother(y,x)");
  EXPECT_EQ(count(svg, "<circle"), 4U);
  for (const char* label : {">x</t", ">z1</t", ">y</t", ">z2</t", ">mother</text", ">son</text",
                            ">no sister</text", ">brother</text"})
    EXPECT_EQ(count(svg, label), 1U) << label;
  EXPECT_EQ(count(svg, "<polygon"), 4U) << "tips of arrows";
}

TEST_F(RulePicture, DrawsConnectives) {
  const std::string svg = paint(
      "son(x,y) ∧ (∃a aunt(a,x) ∨ ∃b uncle(b,x)) ∧ ¬(∃c son(y,c) ∧ ∃d wife(y,d)) ⇒ mother(y,x)");
  EXPECT_EQ(count(svg, ">or</text"), 1U);
  EXPECT_EQ(count(svg, ">not</text"), 1U);
  EXPECT_EQ(count(svg, ">and</text") + count(svg, ">wife</text"), 1U);
}

TEST_F(RulePicture, DrawsRulesWithoutAChain) {
  EXPECT_EQ(count(paint("x = y ⇒ mother(x,y)"), "<circle"), 1U);
  EXPECT_EQ(count(paint("∃z son(y,z) ⇒ mother(x,y)"), "<circle"), 3U);
}

RC_GTEST_PROP(RulePictureProperty, StaysInsideItsFrame, ()) {
  Vocabulary relations, entities;
  for (const char* name : {"r", "a relation with a <long> name, and so on, and so on"})
    relations.intern(name);
  for (EntityId id = 0; id < test::entities; ++id) entities.intern(std::string(id * 10 + 1, 'e'));
  const std::string svg = to_svg(test::any_rule(), {relations, entities});
  RC_ASSERT(svg.find("nan") == std::string::npos);
  RC_ASSERT(test::collision(svg) == std::string());
  std::smatch box;
  RC_ASSERT(std::regex_search(svg, box, std::regex("viewBox=\"0 0 ([0-9]+) ([0-9]+)\"")));
  const double width = std::stod(box[1]), height = std::stod(box[2]);
  const std::regex circle("<circle cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\"");
  for (std::sregex_iterator at(svg.begin(), svg.end(), circle), end; at != end; ++at) {
    RC_ASSERT(std::stod((*at)[1]) >= 0 && std::stod((*at)[1]) <= width);
    RC_ASSERT(std::stod((*at)[2]) >= 0 && std::stod((*at)[2]) <= height);
  }
}

TEST(Network, ShowsTheHeaviestWeightsOfARule) {
  const Dataset dataset = test::family(100);
  const Trained trained = test::must_train(dataset, test::small_options(1));
  NetworkOptions options;
  options.least = 0;
  const auto found = network(trained.model, 3, options);
  ASSERT_TRUE(found) << to_string(found.error());
  ASSERT_EQ(found->hops.size(), 2U);
  ASSERT_EQ(found->constraints.size(), 3U);
  for (const auto& hop : found->hops) {
    ASSERT_EQ(hop.size(), options.operators);
    // Heaviest first, and nothing that was left out is heavier.
    const auto raw = trained.model.parameters.a(3);
    EXPECT_GE(hop[0].weight, hop[1].weight);
    EXPECT_GE(hop[1].weight, hop[2].weight);
    EXPECT_EQ(raw.size(), 2U * 2U * 25U);
  }
  // Every function that a constraint or a later column uses is there.
  for (const auto& constraint : found->constraints) {
    for (const Network::Weighed& function : constraint) {
      if (function.index == 0) continue;
      EXPECT_TRUE(std::any_of(found->nodes.begin(), found->nodes.end(), [&](const auto& node) {
        return node.column == 2 && node.function + 1 == function.index;
      }));
    }
  }
  EXPECT_EQ(to_svg(*found, dataset).find("nan"), std::string::npos);
  EXPECT_EQ(to_json(*found, dataset)["hops"].size(), 2U);
  options.rule = 7;
  EXPECT_FALSE(network(trained.model, 3, options));
}

TEST(Network, LabelsDoNotMeetHoweverManyThereAre) {
  Dataset dataset = test::family(100);
  TrainOptions options = test::small_options(1);
  options.functions.depth = 3;
  const Trained trained = test::must_train(dataset, options);
  NetworkOptions all;
  all.least = 0;
  for (OperatorId target = 0; target < 2 * dataset.relations.size(); ++target) {
    const auto found = network(trained.model, target, all);
    ASSERT_TRUE(found);
    EXPECT_EQ(test::collision(to_svg(*found, dataset)), "") << target;
  }
  // The same with names that are long.
  Vocabulary names;
  for (RelationId id = 0; id < dataset.relations.size(); ++id)
    names.intern(std::string(dataset.relations.name(id)) + std::string(60, 'w'));
  dataset.relations = names;
  EXPECT_EQ(test::collision(to_svg(*network(trained.model, 3, all), dataset)), "");
}

TEST(Network, NeedsNoFunctions) {
  const Dataset dataset = test::family(100);
  TrainOptions options = test::small_options(1);
  options.functions.depth = 0;
  const Trained trained = test::must_train(dataset, options);
  const auto found = network(trained.model, 0);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->nodes.empty());
  EXPECT_NE(to_svg(*found, dataset).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace lerpp
