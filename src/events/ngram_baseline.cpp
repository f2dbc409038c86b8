// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include "events/baselines.hpp"

namespace lerpp {
namespace {

/// A trigram model of event types, the smoothing of Witten and Bell (1991): a history passes as
/// much weight to its shorter one as it has seen different types follow it.
class NgramScorer : public EndingScorer {
 public:
  static constexpr std::size_t order = 3;

  NgramScorer(const EndingCases& training, LabelId types) : types_(types) {
    for (const EndingCase& item : training.cases) {
      std::vector<LabelId> sequence = types_in_order(item.context);
      for (std::size_t i = 0; i < sequence.size(); ++i) count(sequence, i, sequence[i]);
      // The endings have no order among themselves: each follows the same context.
      for (const LabelId type : item.gold) count(sequence, sequence.size(), type);
    }
  }

  void score(const EventGraph& context, std::span<double> scores) const override {
    const std::vector<LabelId> sequence = types_in_order(context);
    std::fill(scores.begin(), scores.end(), -std::numeric_limits<double>::infinity());
    for (LabelId type = 0; type < types_; ++type) {
      double probability = 1.0 / types_;
      for (std::size_t length = 0; length < order; ++length) {
        const auto found = histories_[length].find(key(sequence, sequence.size(), length));
        if (found == histories_[length].end()) break;
        const History& history = found->second;
        const auto seen = history.next.find(type);
        const double times = seen == history.next.end() ? 0 : seen->second;
        const auto different = static_cast<double>(history.next.size());
        probability = (times + different * probability) / (history.total + different);
      }
      scores[type] = probability;
    }
  }

 private:
  struct History {
    double total = 0;
    std::unordered_map<LabelId, double> next;
  };

  /// The `length` types before a place; before the first stands the start of the graph.
  std::uint64_t key(const std::vector<LabelId>& sequence, std::size_t place,
                    std::size_t length) const {
    std::uint64_t result = 0;
    for (std::size_t back = 1; back <= length; ++back) {
      const LabelId type = place >= back ? sequence[place - back] : types_;
      result = result << 32U | type;
    }
    return result;
  }

  void count(const std::vector<LabelId>& sequence, std::size_t place, LabelId type) {
    for (std::size_t length = 0; length < order; ++length) {
      History& history = histories_[length][key(sequence, place, length)];
      ++history.total;
      ++history.next[type];
    }
  }

  LabelId types_;
  std::array<std::unordered_map<std::uint64_t, History>, order> histories_;
};

}  // namespace

std::unique_ptr<EndingScorer> make_ngram_baseline(const EndingCases& training, LabelId types) {
  return std::make_unique<NgramScorer>(training, types);
}

}  // namespace lerpp
