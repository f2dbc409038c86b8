// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include <lerp/bench/train.hpp>
#include <lerp/kg/generate.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::sentence;
using test::TemporaryFolder;

Dataset family(std::uint32_t people) {
  FamilyOptions options;
  options.people = people;
  return generate_family(options).dataset;
}

std::map<std::string, BenchResult> by_name(const std::vector<BenchResult>& results) {
  std::map<std::string, BenchResult> named;
  for (const BenchResult& result : results) named[result.what] = result;
  EXPECT_EQ(named.size(), results.size());
  return named;
}

TEST(KernelBench, EveryKernelHasItsLimit) {
  const Dataset dataset = family(100);
  const Graph graph = dataset.known_graph();
  const ModelShape shape{dataset.relations.size(), 20, 2, 4, 3};
  const auto results = by_name(bench_kernels(graph, shape, 2, {2, 40, 230, ""}));
  for (const char* what : {"chain_gb_s", "chain_backward_gb_s", "merge_gflop_s",
                           "merge_backward_gflop_s", "hop_gb_s", "hop_backward_gb_s"}) {
    SCOPED_TRACE(what);
    ASSERT_TRUE(results.contains(what));
    const BenchResult& result = results.at(what);
    ASSERT_TRUE(result.work && result.limit);
    EXPECT_GT(result.work->bytes, 0);
    EXPECT_GT(result.work->operations, 0);
    EXPECT_GT(result.work->seconds, 0);
    EXPECT_GT(*result.limit, 0);
    EXPECT_FALSE(result.limit_is.empty());
    const double done = result.unit == "GB/s" ? result.work->bytes : result.work->operations;
    EXPECT_NEAR(result.value * result.work->seconds * 1e9, done, 1e-6 * done);
  }
  // Rows of 20 functions, padded to 32, along every edge, and what is read and written of columns.
  const double column = 100 * 32 * 4;
  const double gathered = static_cast<double>(graph.edges().size()) * (8 + 32 * 4);
  EXPECT_EQ(results.at("chain_gb_s").work->bytes, gathered + column);
  EXPECT_EQ(results.at("chain_backward_gb_s").work->bytes, gathered + 3 * column);
  EXPECT_EQ(results.at("merge_gflop_s").work->operations, 2.0 * 100 * 32 * 20);

  const ModelShape plain{dataset.relations.size(), 0, 0, 4, 3};
  EXPECT_FALSE(by_name(bench_kernels(graph, plain, 2, {2, 40, 230, ""})).contains("chain_gb_s"));
}

TEST(SlowPaperBench, TakesTheDatasetsThatAreNamed) {
  const TemporaryFolder folder;
  for (const char* name : {"family", "mine"}) ASSERT_TRUE(write_dataset(family(20), folder / name));
  PaperBenchOptions options;
  options.seeds = 1;
  EXPECT_EQ(sentence(bench_paper(folder.path(), options), folder.path().string()),
            "there is no such dataset (kinship): choose others with --datasets");
  options.datasets = ",";
  EXPECT_EQ(sentence(bench_paper(folder.path(), options)),
            "no dataset is named: give --datasets family,wn18rr");
  options.datasets = "mine,family";
  const Result<PaperBench> bench = bench_paper(folder.path(), options);
  ASSERT_TRUE(bench) << to_string(bench.error());
  ASSERT_EQ(bench->rows.size(), 2U);
  EXPECT_EQ(bench->rows[0].dataset, "mine");
  EXPECT_EQ(bench->rows[0].published, 0);
  EXPECT_EQ(bench->rows[1].published, 0.97);
  for (const PaperRow& row : bench->rows) {
    EXPECT_LE(row.pessimistic, row.realistic);
    EXPECT_LE(row.realistic, row.optimistic);
    EXPECT_GT(row.realistic, 0);
    EXPECT_LE(row.optimistic, 1 + 1e-9);
  }
  EXPECT_TRUE(by_name(bench->report.results).contains("family_mrr_published"));
  EXPECT_FALSE(by_name(bench->report.results).contains("mine_mrr_published"));
}

}  // namespace
}  // namespace lerpp
