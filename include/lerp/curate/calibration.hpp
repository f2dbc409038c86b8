// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/explain/predict.hpp>

/// How far the probabilities of a run can be trusted. See docs/complete.md.
namespace lerpp {

struct CalibrationOptions {
  std::uint32_t questions = 4000;
  std::uint32_t bins = 10;
  std::uint64_t seed = 1;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"questions", "questions that are drawn for --calibration", 1, 1e7}, self.questions);
    visit(Field{"bins", "bins of equal width for --calibration", 2, 100}, self.bins);
    visit(Field{"seed", "the same seed draws the same questions", 0, 1e18}, self.seed);
  }
};

/// The most likely new answer of each of many questions, against the test facts. New is what
/// neither training nor validation facts have; what test facts lack counts as false.
struct Calibration {
  struct Bin {
    double from = 0;
    double to = 0;
    std::uint64_t count = 0;
    double mean = 0;   ///< probability that was given
    double truth = 0;  ///< share that the test facts have
  };

  std::string dataset;
  std::uint64_t questions = 0;
  double ece = 0;  ///< expected calibration error: how far mean and truth of a bin lie apart
  double brier = 0;
  std::vector<Bin> bins;          ///< those with answers, the least likely first
  std::uint64_t loops_first = 0;  ///< answers that lead back to the entity, where no fact does
  double seconds = 0;
};
/// The predictor has learned probabilities, and the data has test facts.
Result<Calibration> calibration(const Predictor& predictor, const CalibrationOptions& options = {},
                                const Observer& observer = {});

Json to_json(const Calibration& calibration);
std::string to_text(const Calibration& calibration);
/// What was said against what was true, on light and dark paper.
std::string to_svg(const Calibration& calibration);

}  // namespace lerpp
