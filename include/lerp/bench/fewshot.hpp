// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/bench/report.hpp>
#include <lerp/eval/baseline.hpp>
#include <lerp/train/options.hpp>

namespace lerpp {

struct FewshotOptions {
  std::vector<std::uint32_t> facts = {1, 2, 5};  ///< of a relation that is cut, one row each
  std::string preset = "default";
  std::uint32_t groups = 4;
  std::uint32_t seeds = 1;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"preset", "a named set of options", {"paper", "default", "best"}}, self.preset);
    visit(Field{"groups",
                "relations are cut in so many groups, a model each, while the others stay whole; 1 "
                "cuts all at once, 0 one relation at a time",
                0, 1e6},
          self.groups);
    visit(Field{"seeds", "runs of each row, with seeds 1, 2, ...: other facts, groups and models",
                1, 1000},
          self.seeds);
    visit(Field{"threads", "how many threads to use; 0 is one for each core", 0, 1024},
          self.threads);
  }
};

/// Every relation that has test facts, cut down to few known facts, validation facts among what
/// goes. What was cut away is no wrong answer: ranks leave it out, as all that is true.
struct FewshotRow {
  /// What the relation asks, ranked by a model that has seen so few of its facts.
  struct Relation {
    std::string name;
    std::uint64_t queries = 0;
    double mrr = 0;       ///< realistic
    double baseline = 0;  ///< the same of the trivial model that is best on this relation
  };

  std::string dataset;
  std::uint32_t facts = 0;
  std::uint32_t seeds = 0;
  std::uint64_t queries = 0;  ///< of one seed
  double mrr = 0;             ///< realistic, mean over all queries
  std::string best_baseline;  ///< of trivial models, the one with the best mean
  double baseline = 0;
  std::uint32_t below = 0;  ///< relations whose baseline is better than the model
  std::vector<Relation> relations;
  double train_seconds = 0;  ///< of all models of a seed
};
struct FewshotBench {
  Machine machine;
  std::vector<FewshotRow> rows;
};

/// The dataset with the relations cut down to `facts` known facts each, drawn at random, which are
/// training facts then; the others of them are nowhere but in the test split.
Dataset cut_relations(const Dataset& dataset, const std::vector<RelationId>& relations,
                      std::uint32_t facts, std::uint64_t seed);

/// Cuts, learns and ranks; the built-in family where no dataset is given.
Result<FewshotBench> bench_fewshot(const std::vector<std::filesystem::path>& datasets,
                                   const FewshotOptions& options,
                                   const std::vector<std::string>& settings,
                                   const Observer& observer = {});
Json to_json(const FewshotBench& bench);
std::string to_text(const FewshotBench& bench);

}  // namespace lerpp
