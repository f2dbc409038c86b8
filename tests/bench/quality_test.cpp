// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/bench/quality.hpp>
#include <lerp/kg/generate.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

const std::vector<std::string> quick = {"train.epochs=1", "rules.count=2", "functions.width=4",
                                        "evidence.paths=50", "evidence.path_length=2"};

QualityOptions two_seeds() {
  QualityOptions options;
  options.seeds = 2;
  options.threads = 1;
  return options;
}

/// What the bench does with a seed, by hand.
Trained learn(const Dataset& dataset, std::uint64_t seed) {
  TrainOptions options = preset("default", dataset).value();
  for (const std::string& setting : quick) EXPECT_TRUE(set_option(options, setting));
  options.train.seed = seed;
  options.train.threads = 1;
  return test::must_train(dataset, options);
}

TEST(QualityBench, IsTheMeanOverSeedsOnTheGraphBesideTheDataset) {
  const test::TemporaryFolder folder;
  FamilyOptions family;
  family.people = 60;
  ASSERT_TRUE(write_generated(generate_family(family), folder / "data", WriteFormat::tsv, {}));
  family.seed = 2;
  ASSERT_TRUE(write_generated(generate_family(family), folder / "data_ind", WriteFormat::tsv, {}));
  const Result<QualityBench> bench = bench_quality({folder / "data"}, two_seeds(), quick);
  ASSERT_TRUE(bench) << to_string(bench.error());
  ASSERT_EQ(bench->rows.size(), 1U);

  const Dataset dataset = load(folder / "data").value();
  const Dataset unseen = load(folder / "data_ind").value();
  std::vector<double> test;
  std::vector<double> valid;
  for (const std::uint64_t seed : {1U, 2U}) {
    const Trained trained = learn(dataset, seed);
    test.push_back(evaluate(trained.model, KnownGraph(unseen))->both.realistic.mrr);
    valid.push_back(trained.valid_mrr.value());
  }
  const QualityRow& row = bench->rows.front();
  EXPECT_EQ(row.dataset, "data");
  EXPECT_EQ(row.seeds, 2U);
  EXPECT_NEAR(row.rules.realistic.mrr, (test[0] + test[1]) / 2, 1e-9);
  EXPECT_NEAR(row.spread, std::abs(test[0] - test[1]), 1e-9);
  EXPECT_NEAR(row.valid, (valid[0] + valid[1]) / 2, 1e-9);
  EXPECT_FALSE(row.with_embedding);
  const Json json = to_json(*bench)["results"][0];
  EXPECT_EQ(json["mrr_realistic"], row.rules.realistic.mrr);
  EXPECT_TRUE(json["mrr_realistic_with_embedding"].is_null());
}

TEST(QualityBench, TellsWhatIsAbsentBeforeItBegins) {
  const Result<QualityBench> bench = bench_quality({"nowhere"}, two_seeds(), {});
  ASSERT_FALSE(bench);
  EXPECT_EQ(test::sentence(bench),
            "there is no such dataset (nowhere): give a dataset folder or file");
}

}  // namespace
}  // namespace lerpp
