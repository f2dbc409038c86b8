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

/// Every batch of an epoch.
std::vector<Batch> epoch_of(Batches& batches, std::uint32_t epoch) {
  batches.start_epoch(epoch);
  std::vector<Batch> result(batches.size());
  for (std::size_t i = 0; i < result.size(); ++i) batches.fill(i, result[i]);
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
    std::uint64_t before = 0;
    std::map<OperatorId, std::uint32_t> counts;
    for (const Asked& query : queries) ++counts[std::get<0>(query)];
    std::map<OperatorId, int> partial;
    for (std::size_t i = 0; i < all.size(); ++i) {
      RC_ASSERT(batches.queries_before(i) == before);
      before += all[i].starts.size();
      const std::uint32_t count = counts[all[i].target];
      const std::uint32_t share =
          options.train.steps == 0 ? 0 : (count + options.train.steps - 1) / options.train.steps;
      const std::size_t size = std::max(options.train.batch, share);
      RC_ASSERT(all[i].starts.size() <= size);
      if (all[i].starts.size() < size) ++partial[all[i].target];
    }
    for (const auto& [target, number] : partial) RC_ASSERT(number <= 1);
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

TEST(Batches, OrderFollowsTheSeedAndTheEpoch) {
  const Dataset dataset = any_dataset(1, 150);
  TrainOptions options;
  options.train.batch = 4;
  Batches one(dataset, options);
  Batches two(dataset, options);
  const auto flat = [](const std::vector<Batch>& all) {
    std::vector<Fact> hidden;
    for (const Batch& batch : all)
      hidden.insert(hidden.end(), batch.hidden.begin(), batch.hidden.end());
    return std::pair(asked(all), hidden);
  };
  const auto first = flat(epoch_of(one, 0));
  const auto second = flat(epoch_of(one, 1));
  EXPECT_NE(first.first, second.first);
  // Without the epoch before it: that is how an interrupted run takes one up.
  EXPECT_EQ(flat(epoch_of(two, 1)), second);
  EXPECT_EQ(flat(epoch_of(two, 0)), first);
  options.train.seed = 2;
  Batches other(dataset, options);
  EXPECT_NE(flat(epoch_of(other, 0)).first, first.first);
}

}  // namespace
}  // namespace lerpp
