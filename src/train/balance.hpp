#pragma once

#include <functional>
#include <span>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/model/parameters.hpp>

#include "model/backend.hpp"

namespace lerpp {

/// The parts of a target whose weights are one kind of evidence.
using EvidenceKind = std::vector<Part>;

/// The kinds of a model that learn under softmaxes of their own; none where all share one.
std::vector<EvidenceKind> evidence_kinds(const ModelShape& shape, Softmax softmax);

/// Ranks by some parameters, and tells the MRR.
using MeasureRanks = std::function<Result<double>(const Parameters<float>&)>;

struct Balanced {
  Parameters<float> parameters;
  double mrr = 0;
};

/// Kinds of evidence that learned apart, each as if alone, are added up in the end, and then some
/// count for more than they should. Scales each kind as a whole, as long as that raises the MRR,
/// which begins at `mrr`. Ranks only tell how kinds stand to each other: the kind that counts most
/// is left as it has learned.
Result<Balanced> balance(const Parameters<float>& learned, std::span<const EvidenceKind> kinds,
                         double mrr, const MeasureRanks& measure);

}  // namespace lerpp
