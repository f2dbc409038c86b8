#pragma once

#include <array>
#include <mutex>

#include <lerp/explain/predict.hpp>

#include "explain/masked_model.hpp"

namespace lerpp {

/// What a predictor has loaded. Members refer to those before them, so it stays where it is.
struct Predictor::State {
  State(Model model_, Dataset dataset_, bool known_valid, unsigned threads);

  /// The other answers that a rank leaves out.
  std::span<const Edge> answers(const Query& query) const {
    return full.edges(query.start, query.target);
  }

  Dataset dataset;
  Model model;
  Graph known, full;
  std::array<std::vector<Fact>, all_splits.size()> sorted;  ///< the splits but train
  MaskedModel masked;
  std::mutex mutex;  ///< held while a question is answered
};

}  // namespace lerpp
