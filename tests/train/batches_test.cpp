// SPDX-License-Identifier: Apache-2.0
#include "train/batches.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"

namespace lerpp {
namespace {

Dataset any_dataset(std::uint64_t seed, std::size_t facts) {
  Dataset dataset;
  for (const char* name : {"mother", "aunt", "son"}) dataset.relations.intern(name);
  for (int i = 0; i < 30; ++i) dataset.entities.intern("person" + std::to_string(i));
  Random random(seed);
  std::set<Fact> drawn;
  while (drawn.size() < facts) {
    drawn.insert({static_cast<EntityId>(random.below(30)),
                  static_cast<RelationId>(random.below(3) * random.below(2)),
                  static_cast<EntityId>(random.below(30))});
  }
  std::size_t number = 0;
  for (const Fact& fact : drawn)
    dataset[number++ % 5 == 0 ? Split::valid : Split::train].push_back(fact);
  return dataset;
}

using Asked = std::tuple<OperatorId, EntityId, EntityId>;

/// Every step of an epoch.
std::vector<std::vector<Batch>> steps_of(Batches& batches, std::uint32_t epoch) {
  batches.start_epoch(epoch);
  std::vector<std::vector<Batch>> result(batches.size());
  for (std::size_t step = 0; step < result.size(); ++step) batches.fill(step, result[step]);
  return result;
}

/// Every batch of an epoch.
std::vector<Batch> epoch_of(Batches& batches, std::uint32_t epoch) {
  std::vector<Batch> result;
  for (const std::vector<Batch>& step : steps_of(batches, epoch))
    result.insert(result.end(), step.begin(), step.end());
  return result;
}

std::vector<Asked> asked(const std::vector<Batch>& batches) {
  std::vector<Asked> queries;
  for (const Batch& batch : batches) {
    for (std::size_t i = 0; i < batch.starts.size(); ++i)
      queries.emplace_back(batch.target, batch.starts[i], batch.answers[i]);
  }
  return queries;
}

std::vector<Asked> expected_queries(const Dataset& dataset, bool with_valid) {
  std::vector<Asked> queries;
  for (const Split split : {Split::train, Split::valid}) {
    if (split == Split::valid && !with_valid) break;
    for (const Fact& fact : dataset[split]) {
      queries.emplace_back(fact.relation, fact.subject, fact.object);
      queries.emplace_back(fact.relation + 3, fact.object, fact.subject);
    }
  }
  std::ranges::sort(queries);
  return queries;
}

TrainOptions any_options() {
  TrainOptions options;
  options.train.batch = *rc::gen::inRange<std::uint32_t>(1, 20);
  options.train.steps = *rc::gen::inRange<std::uint32_t>(0, 6);
  options.train.lanes = *rc::gen::inRange<std::uint32_t>(1, 9);
  options.train.on_valid = *rc::gen::arbitrary<bool>();
  options.train.seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  return options;
}

RC_GTEST_PROP(Batches, EveryQueryComesOnceAnEpoch, ()) {
  const Dataset dataset = any_dataset(*rc::gen::inRange(0, 1000), *rc::gen::inRange(1, 150));
  if (dataset[Split::train].empty()) return;
  const TrainOptions options = any_options();
  Batches batches(dataset, options);
  for (const std::uint32_t epoch : {0U, 1U}) {
    const std::vector<Batch> all = epoch_of(batches, epoch);
    std::vector<Asked> queries = asked(all);
    RC_ASSERT(batches.queries() == queries.size());
    std::ranges::sort(queries);
    RC_ASSERT(queries == expected_queries(dataset, options.train.on_valid));
    std::map<OperatorId, std::uint32_t> counts;
    for (const Asked& query : queries) ++counts[std::get<0>(query)];
    std::map<OperatorId, int> partial;
    for (const Batch& batch : all) {
      const std::uint32_t count = counts[batch.target];
      const std::uint32_t share =
          options.train.steps == 0 ? 0 : (count + options.train.steps - 1) / options.train.steps;
      const std::size_t size = std::max(share, std::clamp(count / 10, 1U, options.train.batch));
      RC_ASSERT(batch.starts.size() <= size);
      if (batch.starts.size() < size) ++partial[batch.target];
    }
    for (const auto& [target, number] : partial) RC_ASSERT(number <= 1);
  }
}

RC_GTEST_PROP(Batches, StepsHaveATargetOnceAndAreAsFullAsCanBe, ()) {
  const Dataset dataset = any_dataset(*rc::gen::inRange(0, 1000), *rc::gen::inRange(1, 150));
  if (dataset[Split::train].empty()) return;
  const TrainOptions options = any_options();
  Batches batches(dataset, options);
  const std::vector<std::vector<Batch>> steps = steps_of(batches, *rc::gen::inRange(0U, 3U));
  std::uint64_t before = 0;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    RC_ASSERT(batches.queries_before(step) == before);
    RC_ASSERT(!steps[step].empty() && steps[step].size() <= options.train.lanes);
    std::set<OperatorId> targets;
    for (const Batch& batch : steps[step]) {
      RC_ASSERT(targets.insert(batch.target).second);
      before += batch.starts.size();
    }
    // A step ends where it is full, or where the next batch is of a target that it has.
    if (step + 1 == steps.size() || steps[step].size() == options.train.lanes) continue;
    RC_ASSERT(targets.contains(steps[step + 1].front().target));
  }
  RC_ASSERT(batches.queries() == before);
}

RC_GTEST_PROP(Batches, OfATargetAreSpreadOverTheEpoch, ()) {
  const Dataset dataset = any_dataset(*rc::gen::inRange(0, 1000), 150);
  TrainOptions options = any_options();
  options.train.steps = 0;
  Batches batches(dataset, options);
  std::map<OperatorId, std::vector<double>> places;
  double place = 0;
  for (const Batch& batch : epoch_of(batches, 0)) places[batch.target].push_back(place++);
  // Between two batches of a target lies what is due of every other in that time.
  for (const auto& [target, own] : places) {
    for (const auto& [other, theirs] : places) {
      const double due = static_cast<double>(theirs.size()) / static_cast<double>(own.size());
      for (std::size_t i = 0; i + 1 < own.size(); ++i) {
        const auto between = static_cast<double>(std::ranges::count_if(
            theirs,
            [&, low = own[i], high = own[i + 1]](double at) { return low < at && at < high; }));
        RC_ASSERT(other == target || (between >= due - 1 && between <= due + 1));
      }
    }
  }
}

RC_GTEST_PROP(Batches, HideTheirOwnFacts, ()) {
  const Dataset dataset = any_dataset(*rc::gen::inRange(0, 1000), 100);
  Batches batches(dataset, any_options());
  for (const Batch& batch : epoch_of(batches, 0)) {
    RC_ASSERT(!batch.starts.empty() && batch.starts.size() == batch.answers.size());
    RC_ASSERT(batch.hidden.size() == batch.starts.size());
    for (std::size_t i = 0; i < batch.starts.size(); ++i) {
      const bool tail = batch.target < 3;
      const Fact fact{tail ? batch.starts[i] : batch.answers[i], batch.target % 3,
                      tail ? batch.answers[i] : batch.starts[i]};
      RC_ASSERT(std::ranges::find(batch.hidden, fact) != batch.hidden.end());
    }
  }
}

TEST(Batches, CapTakesOtherQueriesEveryEpoch) {
  const Dataset dataset = any_dataset(1, 150);
  TrainOptions options;
  options.train.queries = 10;
  Batches batches(dataset, options);
  std::set<Asked> seen;
  for (std::uint32_t epoch = 0; epoch < 5; ++epoch) {
    std::map<OperatorId, int> counts;
    for (const Asked& query : asked(epoch_of(batches, epoch))) {
      ++counts[std::get<0>(query)];
      seen.insert(query);
    }
    for (const auto& [target, count] : counts) EXPECT_LE(count, 10);
  }
  EXPECT_GT(seen.size(), 2 * batches.queries());
}

using Whole = std::tuple<OperatorId, std::vector<EntityId>, std::vector<EntityId>,
                         std::vector<Fact>, std::uint64_t>;

Whole whole(const Batch& batch) {
  return {batch.target, batch.starts, batch.answers, batch.hidden, batch.seed};
}

std::vector<Whole> whole(const std::vector<Batch>& batches) {
  std::vector<Whole> result;
  for (const Batch& batch : batches) result.push_back(whole(batch));
  return result;
}

std::vector<std::vector<Whole>> whole(const std::vector<std::vector<Batch>>& steps) {
  std::vector<std::vector<Whole>> result;
  for (const std::vector<Batch>& step : steps) result.push_back(whole(step));
  return result;
}

TrainOptions options_of_small_batches() {
  TrainOptions options;
  options.train.batch = 4;
  options.train.lanes = 3;
  return options;
}

TEST(Batches, OrderFollowsTheSeedAndTheEpoch) {
  const Dataset dataset = any_dataset(1, 150);
  TrainOptions options = options_of_small_batches();
  Batches one(dataset, options);
  options.train.threads = 3;
  Batches two(dataset, options);
  const auto first = whole(steps_of(one, 0));
  const auto second = whole(steps_of(one, 1));
  EXPECT_NE(first, second);
  // Without the epoch before it: that is how an interrupted run takes one up.
  EXPECT_EQ(whole(steps_of(two, 1)), second);
  EXPECT_EQ(whole(steps_of(two, 0)), first);
  options.train.seed = 2;
  Batches other(dataset, options);
  EXPECT_NE(asked(epoch_of(other, 0)), asked(epoch_of(one, 0)));
}

TEST(Batches, AStepIsTheSameWhateverWasFilledBefore) {
  const Dataset dataset = any_dataset(1, 150);
  Batches batches(dataset, options_of_small_batches());
  const auto expected = whole(steps_of(batches, 2));
  ASSERT_GT(expected.size(), 10U);
  std::vector<Batch> step;
  for (std::size_t i = expected.size(); i-- > 0;) {
    batches.fill(i, step);
    EXPECT_EQ(whole(step), expected[i]) << i;
  }
}

TEST(Batches, LanesOnlyCutThemIntoSteps) {
  const Dataset dataset = any_dataset(1, 150);
  TrainOptions options = options_of_small_batches();
  Batches three(dataset, options);
  options.train.lanes = 1;
  Batches one(dataset, options);
  options.train.lanes = 100;
  Batches many(dataset, options);
  EXPECT_EQ(whole(epoch_of(one, 0)), whole(epoch_of(three, 0)));
  EXPECT_EQ(whole(epoch_of(many, 0)), whole(epoch_of(three, 0)));
  EXPECT_GT(one.size(), three.size());
  EXPECT_GT(three.size(), many.size());
  for (const std::vector<Batch>& step : steps_of(one, 0)) EXPECT_EQ(step.size(), 1U);
}

TEST(Batches, DrawFromSeedsOfTheirOwn) {
  const Dataset dataset = any_dataset(1, 150);
  Batches batches(dataset, options_of_small_batches());
  std::set<std::uint64_t> seeds;
  std::size_t count = 0;
  for (const std::uint32_t epoch : {0U, 1U, 2U}) {
    for (const Batch& batch : epoch_of(batches, epoch)) {
      seeds.insert(batch.seed);
      ++count;
    }
  }
  EXPECT_EQ(seeds.size(), count);
}

// Of two facts that prove each other, one is there while the other is asked for.
TEST(Batches, ASmallRelationIsHiddenFactByFact) {
  Dataset dataset;
  dataset.relations.intern("spouse");
  for (int i = 0; i < 30; ++i) dataset.entities.intern("person" + std::to_string(i));
  dataset[Split::train] = {{0, 0, 1}, {1, 0, 0}};
  TrainOptions options;
  options.train.batch = 16;
  Batches few(dataset, options);
  for (const Batch& batch : epoch_of(few, 0)) EXPECT_EQ(batch.hidden.size(), 1U);
  for (EntityId i = 2; i < 30; ++i) dataset[Split::train].push_back({i, 0, 0});
  Batches more(dataset, options);
  for (const Batch& batch : epoch_of(more, 0)) EXPECT_LE(batch.hidden.size(), 3U);
}

}  // namespace
}  // namespace lerpp
