// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include <gtest/gtest.h>

#include <lerp/kg/generate.hpp>
#include <lerp/model/model.hpp>

#include "model/background.hpp"

namespace lerpp {
namespace {

Dataset small_family() {
  FamilyOptions options;
  options.people = 60;
  return generate_family(options).dataset;
}

ModelShape shape_with_terms(const Dataset& dataset) {
  ModelShape shape;
  shape.relations = dataset.relations.size();
  shape.prior = 1;
  shape.constants = 1;
  return shape;
}

TEST(KnownGraph, HoldsTheKnownSplitsAndNoOther) {
  const Dataset dataset = small_family();
  const Fact valid = dataset[Split::valid].front();
  const KnownGraph train(dataset);
  EXPECT_FALSE(train.knows(Split::valid));
  EXPECT_FALSE(train.graph().contains(valid));
  EXPECT_EQ(train.graph().facts(), dataset[Split::train].size() + dataset[Split::facts].size());
  const KnownGraph both(dataset, KnownSplits::train_and_valid);
  EXPECT_TRUE(both.knows(Split::valid));
  EXPECT_TRUE(both.graph().contains(valid));
  EXPECT_FALSE(both.knows(Split::test));
  EXPECT_FALSE(both.graph().contains(dataset[Split::test].front()));
}

TEST(KnownGraph, CopiesShareWhatIsFound) {
  const Dataset dataset = small_family();
  const KnownGraph known(dataset);
  const KnownGraph copy = known;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(&known.graph(), &copy.graph());
  EXPECT_EQ(&known.dataset(), &dataset);
  const ModelShape shape = shape_with_terms(dataset);
  const Background one(shape, known, {});
  const Background two(shape, copy, {});
  EXPECT_NE(one.classes, nullptr);
  EXPECT_EQ(one.classes, two.classes);
  EXPECT_NE(one.constants, nullptr);
  EXPECT_EQ(one.constants, two.constants);
}

TEST(KnownGraph, KeepsADatasetThatItIsGiven) {
  Dataset dataset = small_family();
  const std::size_t facts = dataset.known_graph().facts();
  const KnownGraph known(std::move(dataset));
  EXPECT_EQ(known.graph().facts(), facts);
}

TEST(KnownGraph, ThreadsThatAskAtOnceGetTheSame) {
  const Dataset dataset = small_family();
  const KnownGraph known(dataset, KnownSplits::train, 1);
  const ModelShape shape = shape_with_terms(dataset);
  std::vector<std::shared_ptr<const ConstantTables>> found(4);
  {
    std::vector<std::jthread> threads;
    for (auto& place : found) {
      threads.emplace_back([&] { place = Background(shape, known, {}).constants; });
    }
  }
  EXPECT_NE(found.front(), nullptr);
  for (const auto& place : found) EXPECT_EQ(place, found.front());
}

Model untrained(const Dataset& dataset) {
  Model model;
  for (RelationId id = 0; id < dataset.relations.size(); ++id)
    model.relations.emplace_back(dataset.relations.name(id));
  model.parameters = initial_parameters<float>({dataset.relations.size(), 5, 2, 2, 2}, 1);
  return model;
}

TEST(Match, SharesWhatFits) {
  const Dataset dataset = small_family();
  const auto model = std::make_shared<const Model>(untrained(dataset));
  const KnownGraph known(dataset);
  const Result<Matched> matched = match(model, known);
  ASSERT_TRUE(matched) << to_string(matched.error());
  EXPECT_EQ(matched->model, model);
  EXPECT_EQ(&matched->known.graph(), &known.graph());
  EXPECT_FALSE(matched->lacks_embedding);
}

TEST(Match, FindsRelationsByTheirNames) {
  const Dataset dataset = small_family();
  Dataset other;
  other.name = "other";
  const RelationId unknown = other.relations.intern("likes");
  const RelationId aunt = other.relations.intern("aunt");
  const EntityId anna = other.entities.intern("anna");
  const EntityId ben = other.entities.intern("ben");
  other[Split::train] = {{anna, unknown, ben}, {anna, aunt, ben}};
  const Result<Matched> matched =
      match(std::make_shared<const Model>(untrained(dataset)), KnownGraph(other));
  ASSERT_TRUE(matched) << to_string(matched.error());
  const std::vector<Fact> expected = {{anna, *dataset.relations.find("aunt"), ben}};
  EXPECT_EQ(matched->known.dataset()[Split::train], expected);

  other[Split::train] = {{anna, unknown, ben}};
  const Result<Matched> refused =
      match(std::make_shared<const Model>(untrained(dataset)), KnownGraph(other));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "the model knows none of the relations");
}

}  // namespace
}  // namespace lerpp
