// SPDX-License-Identifier: Apache-2.0
#include "train/balance.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "model/terms.hpp"
#include "train/balance_sample.hpp"

namespace lerpp {
namespace {

/// A smaller gain is likely to be chance.
constexpr double least_gain = 0.001;
/// Coarse steps first, then finer ones.
constexpr std::array steps = {2.0, std::numbers::sqrt2};
/// No kind is to vanish, nor to be all there is.
constexpr double most = 16;

/// So few facts show how much memory others will take.
constexpr std::size_t pilot_facts = 64;

/// Searches factors one by one, as long as one helps.
class FactorSearch {
 public:
  FactorSearch(std::size_t kinds, double mrr, const MeasureFactors& measure)
      : measure_(measure), factors_(kinds, 1), mrr_(mrr) {}

  /// The factors, the largest of them 1.
  Result<std::vector<double>> run() {
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
    return factors_;
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
      LERP_TRY(mrr, measure_(factors_));
      if (mrr < mrr_ + least_gain) {
        factor = before;
        return helped;
      }
      mrr_ = mrr;
    }
  }

  const MeasureFactors& measure_;
  std::vector<double> factors_;
  double mrr_;
};

/// As many of the validation facts as there is memory for, and what the model says of them.
Result<BalanceSample> take_sample(const PartScorer& scorer, const Dataset& dataset,
                                  const BalanceOptions& options, const Observer& observer) {
  RankingOptions ranking;
  ranking.split = Split::valid;
  ranking.threads = options.threads;
  ranking.facts = options.facts;
  const auto take = [&]() -> Result<BalanceSample> {
    LERP_TRY(plan, RankingPlan::make(dataset, ranking));
    return BalanceSample::make(scorer, plan, observer);
  };
  const std::size_t all = dataset[Split::valid].size();
  const std::size_t wanted = options.facts == 0 ? all : std::min<std::size_t>(all, options.facts);
  const std::size_t worst = 2 * scorer.kinds() * dataset.entities.size() * sizeof(float);
  if (worst * wanted <= options.memory) return take();
  // Most candidates need no memory; how many do, a few facts tell.
  ranking.facts = std::clamp<std::size_t>(options.memory / worst, 1, std::min(wanted, pilot_facts));
  LERP_TRY(pilot, take());
  const std::size_t bytes = pilot.bytes() / ranking.facts + 1;
  ranking.facts = std::clamp<std::size_t>(options.memory / bytes, ranking.facts, wanted);
  return take();
}

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

Result<std::vector<double>> search_factors(std::size_t kinds, double mrr,
                                           const MeasureFactors& measure) {
  if (kinds < 2) return std::vector<double>(kinds, 1);
  return FactorSearch(kinds, mrr, measure).run();
}

Result<std::vector<double>> find_factors(const PartScorer& scorer, const Dataset& dataset,
                                         const BalanceOptions& options, const Observer& observer) {
  const std::size_t kinds = scorer.kinds();
  if (kinds < 2) return std::vector<double>(kinds, 1);
  LERP_TRY(sample, take_sample(scorer, dataset, options, observer));
  const auto measure = [&](std::span<const double> factors) -> Result<double> {
    if (observer.stopped()) return fail_stopped("weighing evidence", dataset.name);
    const std::vector<float> rounded(factors.begin(), factors.end());
    return sample.mrr(rounded);
  };
  const double mrr = sample.mrr(std::vector<float>(kinds, 1));
  return search_factors(kinds, mrr, measure);
}

Parameters<float> scaled(const Parameters<float>& learned, std::span<const EvidenceKind> kinds,
                         std::span<const double> factors) {
  Parameters<float> result = learned;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const auto factor = static_cast<float>(factors[kind]);
    for (const Part part : kinds[kind]) {
      for (OperatorId target = 0; target < learned.shape().operators(); ++target) {
        for (float& weight : result.of(part, target)) weight *= factor;
      }
    }
  }
  return result;
}

}  // namespace lerpp
