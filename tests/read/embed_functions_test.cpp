// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/embed/embed.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/read/embed_functions.hpp>

namespace lerpp {
namespace {

TEST(EmbedFunctions, RelationsAreReadByThePseudoInverse) {
  // Columns of length 2 at right angles: the pseudo-inverse is the transpose over 4.
  TransEParameters<float> parameters(TransEShape{1, 2, 3, 2, 1});
  parameters.rotation = {2, 0, 0, 2, 0, 0};
  parameters.relation = {1, 0, 5, -4, 2, 0, 9, 9, 9, 9, 9, 9};
  const std::vector<double> expected = {0.5, 0, -2, 1};
  const std::vector<double> found = relations_by_function(parameters);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

TEST(EmbedFunctions, EqualColumnsShareARelation) {
  TransEParameters<float> parameters(TransEShape{1, 1, 2, 2, 1});
  parameters.rotation = {1, 1, 0, 0};
  parameters.relation = {3, 7, 0, 0};
  for (const double coefficient : relations_by_function(parameters))
    EXPECT_NEAR(coefficient, 1.5, 1e-12);
}

TEST(EmbedFunctions, EveryFunctionHasEveryRelationStrongestFirst) {
  FamilyOptions family;
  family.people = 60;
  const Dataset dataset = generate_family(family).dataset;
  EmbedOptions options;
  options.width = 5;
  options.epochs = 2;
  options.threads = 1;
  const Result<Embedded> embedded = embed(dataset, options);
  ASSERT_TRUE(embedded);
  const auto functions = embed_functions(embedded->model, dataset, 1);
  ASSERT_TRUE(functions);
  ASSERT_EQ(functions->size(), 5);
  for (const EmbedFunction& function : *functions) {
    ASSERT_EQ(function.relations.size(), dataset.relations.size());
    for (std::size_t i = 1; i < function.relations.size(); ++i) {
      EXPECT_GE(std::abs(function.relations[i - 1].coefficient),
                std::abs(function.relations[i].coefficient));
    }
  }
  EXPECT_EQ(to_json(*functions, dataset).size(), 5);

  family.people = 70;
  EXPECT_FALSE(embed_functions(embedded->model, generate_family(family).dataset, 1));
  options.variant = "transe";
  const Result<Embedded> plain = embed(dataset, options);
  ASSERT_TRUE(plain);
  EXPECT_TRUE(embed_functions(plain->model, dataset, 1)->empty());
}

}  // namespace
}  // namespace lerpp
