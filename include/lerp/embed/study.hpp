// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <lerp/embed/embed.hpp>

/// Variants of an embedding beside each other, each tuned on validation in the same way.
namespace lerpp {

struct EmbedStudyOptions {
  std::uint32_t seeds = 1;
  /// "margin=1,2,4": values of an option that every variant tries, with the first seed; all
  /// combinations of all lists.
  std::vector<std::string> tried;
  /// Where every run has a folder of its own, of the data at that path; none where it is empty.
  /// Runs that are there already are taken over or gone on with.
  std::filesystem::path folder = {};
  std::filesystem::path data = {};
};

struct EmbedStudy {
  /// One combination of what was tried.
  struct Trial {
    std::string settings;  ///< "margin=1 rate=0.03"
    double valid_mrr = 0;
    std::uint32_t best_epoch = 0;
  };
  struct Variant {
    std::string name;
    std::vector<Trial> trials;   ///< none where nothing was to be tried
    EmbedOptions chosen;         ///< best on validation
    std::vector<Embedded> runs;  ///< one for each seed
  };

  std::string dataset;
  std::vector<Variant> variants;
  double seconds = 0;
};

/// Several runs side by side, each on one thread. The variant "all" stands for all three. Where the
/// observer asks to stop, the study ends as interrupted.
Result<EmbedStudy> embed_study(const Dataset& dataset, const EmbedOptions& options,
                               const EmbedStudyOptions& study, const Observer& observer = {});

/// Mean and sample standard deviation.
struct Spread {
  double mean = 0;
  double deviation = 0;  ///< 0 of a single number
};
Spread spread_of(std::span<const double> numbers);

Json to_json(const EmbedStudy& study);
/// The table: what was chosen, and MRR on each split, mean and spread over the seeds.
std::string to_text(const EmbedStudy& study);

/// The curves: a line for each epoch of each run.
std::string curves_csv(std::span<const Embedded> runs);
/// Train and test MRR by epoch, the mean over the seeds of each variant.
std::string curves_svg(std::span<const Embedded> runs);
/// The runs of all variants, one after the other.
std::vector<Embedded> runs_of(const EmbedStudy& study);

}  // namespace lerpp
