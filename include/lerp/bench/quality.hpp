// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/bench/report.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/train/options.hpp>

namespace lerpp {

struct QualityOptions {
  std::string preset = "default";
  std::uint32_t seeds = 3;
  std::uint32_t threads = 0;
  bool on_valid = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"preset", "a named set of options", {"paper", "default", "best"}}, self.preset);
    visit(Field{"seeds", "runs of each dataset, with seeds 1, 2, ...", 1, 1000}, self.seeds);
    visit(Field{"threads", "how many threads to use; 0 is one for each core", 0, 1024},
          self.threads);
    visit(Field{"train-on-valid", "learn from the validation facts too"}, self.on_valid);
  }
};

/// What a preset reaches on a dataset: means over the seeds.
struct QualityRow {
  std::string dataset;
  std::uint32_t seeds = 0;
  Protocols rules;                       ///< test, rules only
  double spread = 0;                     ///< of the realistic MRR: the largest less the smallest
  double valid = 0;                      ///< realistic MRR on validation, rules only
  std::optional<double> with_embedding;  ///< realistic MRR, where the preset has an embedding
  double train_seconds = 0;
  double eval_seconds = 0;
  double peak_memory_bytes = 0;
};
struct QualityBench {
  Machine machine;
  std::vector<QualityRow> rows;
};

/// Learns and ranks each dataset; the built-in family where none is given. One with a folder beside
/// it whose name ends in "_ind" is ranked on that graph, whose entities the model has never seen.
Result<QualityBench> bench_quality(const std::vector<std::filesystem::path>& datasets,
                                   const QualityOptions& options,
                                   const std::vector<std::string>& settings,
                                   const Observer& observer = {});
Json to_json(const QualityBench& bench);
std::string to_text(const QualityBench& bench);

}  // namespace lerpp
