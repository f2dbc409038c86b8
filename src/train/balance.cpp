#include "train/balance.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "model/terms.hpp"

namespace lerpp {
namespace {

/// A smaller gain is likely to be chance.
constexpr double least_gain = 0.001;
/// Coarse steps first, then finer ones.
constexpr std::array steps = {2.0, std::numbers::sqrt2};
/// No kind is to vanish, nor to be all there is.
constexpr double most = 16;

class Balance {
 public:
  Balance(const Parameters<float>& learned, std::span<const EvidenceKind> kinds, double mrr,
          const MeasureRanks& measure)
      : learned_(learned), kinds_(kinds), measure_(measure), factors_(kinds.size(), 1), mrr_(mrr) {}

  Result<Balanced> run() {
    for (const double step : steps) {
      for (bool better = true; better;) {
        better = false;
        for (double& factor : factors_) {
          for (const double direction : {step, 1 / step}) {
            LERP_TRY(helped, move(factor, direction));
            better = better || helped;
          }
        }
      }
    }
    const double largest = *std::max_element(factors_.begin(), factors_.end());
    for (double& factor : factors_) factor /= largest;
    return Balanced{scaled(), mrr_};
  }

 private:
  /// Scales one kind as long as that helps; whether it did.
  Result<bool> move(double& factor, double step) {
    for (bool helped = false;; helped = true) {
      const double before = factor;
      factor *= step;
      if (factor > most || factor < 1 / most) {
        factor = before;
        return helped;
      }
      LERP_TRY(mrr, measure_(scaled()));
      if (mrr < mrr_ + least_gain) {
        factor = before;
        return helped;
      }
      mrr_ = mrr;
    }
  }

  Parameters<float> scaled() const {
    Parameters<float> result = learned_;
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      const auto factor = static_cast<float>(factors_[kind]);
      for (const Part part : kinds_[kind]) {
        for (OperatorId target = 0; target < learned_.shape().operators(); ++target) {
          for (float& weight : result.of(part, target)) weight *= factor;
        }
      }
    }
    return result;
  }

  const Parameters<float>& learned_;
  std::span<const EvidenceKind> kinds_;
  const MeasureRanks& measure_;
  std::vector<double> factors_;
  double mrr_;
};

}  // namespace

std::vector<EvidenceKind> evidence_kinds(const ModelShape& shape, Softmax softmax) {
  if (softmax == Softmax::one || !shape.evidence) return {};
  std::vector<EvidenceKind> kinds = {{Part::weight}};
  for (const TermKind& term : term_kinds()) {
    if (shape.*term.size == 0) continue;
    if (softmax == Softmax::each || kinds.size() == 1) {
      kinds.push_back({term.part});
    } else {
      kinds.back().push_back(term.part);
    }
  }
  return kinds;
}

Result<Balanced> balance(const Parameters<float>& learned, std::span<const EvidenceKind> kinds,
                         double mrr, const MeasureRanks& measure) {
  if (kinds.size() < 2) return Balanced{learned, mrr};
  return Balance(learned, kinds, mrr, measure).run();
}

}  // namespace lerpp
