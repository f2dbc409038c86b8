// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/bench/report.hpp>
#include <lerp/train/options.hpp>

namespace lerpp {

/// Trains and ranks a dataset, and measures each kernel on its graph against what the machine can
/// do. Where numbers of threads are given, it measures instead how much faster than one they learn
/// some steps of it.
Result<BenchReport> bench_train(const Dataset& dataset, const TrainOptions& options,
                                std::span<const unsigned> threads = {},
                                const Observer& observer = {});

/// The kernels alone: chaining, merging and rule hops, forward and backward.
std::vector<BenchResult> bench_kernels(const Graph& graph, const ModelShape& shape,
                                       unsigned threads, const Machine& machine);

struct PaperBenchOptions {
  std::string datasets = "family,kinship,umls,wn18,wn18rr";
  std::uint32_t seeds = 3;
  std::uint32_t threads = 0;
  bool on_valid = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"datasets", "folders of the data, separated by commas"}, self.datasets);
    visit(Field{"seeds", "runs of each, with seeds 1, 2, ...", 1, 1000}, self.seeds);
    visit(Field{"threads", "how many threads to use; 0 is one for each core", 0, 1024},
          self.threads);
    visit(Field{"train-on-valid", "learn from the validation facts too"}, self.on_valid);
  }
};

/// One dataset with the paper's settings: mean and spread over the seeds.
struct PaperRow {
  std::string dataset;
  std::uint32_t seeds = 0;
  double realistic = 0, spread = 0, optimistic = 0, pessimistic = 0, hits_at_1 = 0, hits_at_10 = 0;
  double train_seconds = 0, eval_seconds = 0;
  double peak_memory_bytes = 0;
  double published = 0;  ///< the paper's MRR, with optimistic ties; 0 where it has none
};
struct PaperBench {
  BenchReport report;
  std::vector<PaperRow> rows;
};
/// Learns each of the datasets below `root` with the preset "paper", once for each seed.
Result<PaperBench> bench_paper(const std::filesystem::path& root, const PaperBenchOptions& options,
                               const Observer& observer = {});
std::string to_text(const PaperBench& bench);

}  // namespace lerpp
