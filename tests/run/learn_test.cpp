// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include <lerp/distill/distill.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/model/model.hpp>
#include <lerp/run/learn.hpp>

#include "support/temporary_folder.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

TEST(SlowLearn, KeepsTheShortestListThatRanksAsWell) {
  const test::TemporaryFolder folder;
  FamilyOptions family;
  family.people = 80;
  ASSERT_TRUE(write_generated(generate_family(family), folder / "family"));
  const Dataset dataset = load(folder / "family").value();
  TrainOptions options = test::small_options(1);
  options.list.rules = 30;
  const auto resolved = resolve(dataset, options).value();
  const RunResult result = train_run(dataset, folder / "family", resolved, folder / "run").value();
  ASSERT_TRUE(result.few_rules);

  const auto run = lerpp::Run::open(folder / "run", 1).value();
  const KnownGraph known = run.known().value();
  DistillOptions settings = run.distill_options().value();
  settings.seed = options.train.seed;
  const std::vector<std::uint32_t> lengths = {30, 15, 6};
  const auto lists = distill_sizes(run.model(), known, settings, lengths).value();
  RankingOptions ranking;
  ranking.split = Split::valid;
  std::vector<double> reached;
  for (const RuleList& list : lists) {
    const Model model = list_model(run.model().relations, list);
    reached.push_back(evaluate(model, known, ranking).value().both.realistic.mrr);
  }
  std::size_t place = lists.size() - 1;
  while (reached[place] < *std::max_element(reached.begin(), reached.end()) - 0.002) --place;
  EXPECT_EQ(run.load_list().value().rules.size(), lists[place].rules.size());
  EXPECT_EQ(result.few_rules->valid->both.realistic.mrr, reached[place]);
  EXPECT_LE(result.few_rules->of_relation, lengths[place]);
}

}  // namespace
}  // namespace lerpp
