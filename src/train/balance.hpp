// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/eval/part_scorer.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/model/parameters.hpp>

#include "model/backend.hpp"

namespace lerpp {

/// The parts of a target whose weights are one kind of evidence.
using EvidenceKind = std::vector<Part>;

/// The kinds of a model that learn under softmaxes of their own; none where all share one.
std::vector<EvidenceKind> evidence_kinds(const ModelShape& shape, Softmax softmax);

struct BalanceOptions {
  unsigned threads = 0;
  std::uint64_t facts = 0;  ///< of the validation facts, spread evenly; 0 is all
  std::size_t memory = std::size_t{256} << 20U;  ///< fewer facts where scores would take more bytes
};

/// Kinds of evidence that learned apart, each as if alone, are added up in the end, and then some
/// count for more than they should. Scales each kind as a whole, as long as that raises the MRR of
/// the validation facts. Ranks only tell how kinds stand to each other: the factors are at most 1,
/// and the kind that counts most is left as it has learned. The model is asked once: its parts are
/// kept, and factors tried on them. The same whatever the threads.
Result<std::vector<double>> find_factors(const PartScorer& scorer, const Dataset& dataset,
                                         const BalanceOptions& options,
                                         const Observer& observer = {});

/// The MRR for some factors.
using MeasureFactors = std::function<Result<double>(std::span<const double> factors)>;

/// The search behind it, which begins with all factors at 1 and an MRR of `mrr`.
Result<std::vector<double>> search_factors(std::size_t kinds, double mrr,
                                           const MeasureFactors& measure);

/// The parameters with the weights of each kind scaled.
Parameters<float> scaled(const Parameters<float>& learned, std::span<const EvidenceKind> kinds,
                         std::span<const double> factors);

struct Balanced {
  Parameters<float> parameters;
  double mrr = 0;
};

}  // namespace lerpp
