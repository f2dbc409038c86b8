// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "events/baselines.hpp"

namespace lerpp {
namespace {

/// The ordered bigram model with skips of Jans et al. (2012), as Rudinger et al. (2015) compare
/// it: a type is scored by the mean over the context's events c of log P(type | c), where P counts
/// how often the type comes anywhere after c.
class PairwiseScorer : public EndingScorer {
 public:
  PairwiseScorer(const EndingCases& training, LabelId types)
      : types_(types), pairs_(static_cast<std::size_t>(types) * types), totals_(types) {
    for (const EndingCase& item : training.cases) {
      // How often each type came so far: pairs are then counted in time linear in the events.
      std::vector<double> before(types);
      const auto follow = [&](LabelId type) {
        for (LabelId first = 0; first < types_; ++first)
          pairs_[place(first, type)] += before[first];
      };
      for (const LabelId type : types_in_order(item.context)) {
        follow(type);
        ++before[type];
      }
      for (const LabelId type : item.gold) follow(type);
    }
    for (LabelId first = 0; first < types_; ++first) {
      for (LabelId second = 0; second < types_; ++second) {
        totals_[first] += pairs_[place(first, second)];
      }
    }
  }

  void score(const EventGraph& context, std::span<double> scores) const override {
    std::vector<double> times(types_);
    double events = 0;
    for (const LabelId type : context.events) {
      if (type >= types_) continue;
      ++times[type];
      ++events;
    }
    std::fill(scores.begin(), scores.end(), -std::numeric_limits<double>::infinity());
    for (LabelId type = 0; type < types_; ++type) {
      double sum = 0;
      for (LabelId first = 0; first < types_; ++first) {
        if (times[first] == 0) continue;
        const double share =
            (pairs_[place(first, type)] + smoothing) / (totals_[first] + smoothing * types_);
        sum += times[first] * std::log(share);
      }
      scores[type] = events == 0 ? 0 : sum / events;
    }
  }

 private:
  static constexpr double smoothing = 0.1;

  std::size_t place(LabelId first, LabelId second) const {
    return static_cast<std::size_t>(first) * types_ + second;
  }

  LabelId types_;
  std::vector<double> pairs_;
  std::vector<double> totals_;
};

}  // namespace

std::unique_ptr<EndingScorer> make_pairwise_baseline(const EndingCases& training, LabelId types) {
  return std::make_unique<PairwiseScorer>(training, types);
}

}  // namespace lerpp
