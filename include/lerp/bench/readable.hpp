// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/bench/report.hpp>

namespace lerpp {

struct ReadableOptions {
  std::string preset = "default";
  std::uint32_t seeds = 3;
  std::uint32_t facts = 200;
  std::string split = "test";
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"preset", "a named set of options", {"paper", "default", "best"}}, self.preset);
    visit(Field{"seeds", "runs of each dataset, with seeds 1, 2, ...", 1, 1000}, self.seeds);
    visit(Field{"facts", "questions answered first whose reasons are counted, at most", 1, 1e9},
          self.facts);
    visit(Field{"split", "the facts that are asked for", {"valid", "test"}}, self.split);
    visit(Field{"threads", "how many threads to use; 0 is one for each core", 0, 1024},
          self.threads);
  }
};

/// How much of what speaks for an answer its strongest reasons carry: medians over answers.
struct Concentration {
  double top3_share = 0;
  double top5_share = 0;
  double reasons_for_90_percent = 0;
};
/// Of reasons of any sign; those against the answer are left out. Zero where there are none.
Concentration concentration(const std::vector<std::vector<double>>& answers);

/// What is left of a model when it is written down in so many rules: means over the seeds.
struct ReadableRow {
  std::string dataset;
  std::string method;      ///< "soft" or "list"
  std::uint32_t most = 0;  ///< rules a relation; 0 of the soft model
  double mrr = 0;          ///< realistic
  double spread = 0;       ///< the largest less the smallest
  double rules_per_relation = 0;
  double weighed_per_relation = 0;  ///< the same, where one that answers both ends counts twice
  Concentration reasons;
  double seconds = 0;  ///< of learning, or of distilling all lists
};
struct ReadableBench {
  Machine machine;
  ReadableOptions options;
  std::vector<ReadableRow> rows;
};

/// Learns from each dataset, distils lists of these sizes and ranks with each; the built-in family
/// where no dataset is given.
Result<ReadableBench> bench_readable(const std::vector<std::filesystem::path>& datasets,
                                     std::vector<std::uint32_t> sizes,
                                     const ReadableOptions& options,
                                     const std::vector<std::string>& settings,
                                     const Observer& observer = {});
Json to_json(const ReadableBench& bench);
std::string to_text(const ReadableBench& bench);
/// Quality over the number of rules, a line a dataset and the soft models beside them.
std::string to_svg(const ReadableBench& bench);

}  // namespace lerpp
