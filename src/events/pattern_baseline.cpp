// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>

#include "events/baselines.hpp"
#include "events/prefix_span.hpp"

namespace lerpp {
namespace {

constexpr std::size_t longest = 3;       ///< items of a pattern, the ending among them
constexpr double least_share = 0.02;     ///< of the training graphs that must hold a pattern
constexpr std::size_t least_graphs = 3;  ///< and at least so many
constexpr double doubt = 5;  ///< graphs that a pattern must outweigh before it is believed

/// Rules "these types in this order, then it ends with that type", with the share of the graphs
/// that hold the body. An ending is an item of its own, so that a pattern knows it from an event
/// on the way.
class PatternScorer : public EndingScorer {
 public:
  PatternScorer(const EndingCases& training, LabelId types)
      : types_(types), shares_(ending_counts(training.cases, types)) {
    const auto graphs = static_cast<double>(std::max<std::size_t>(1, training.cases.size()));
    for (double& share : shares_) share /= graphs;
    std::vector<std::vector<Item>> sequences;
    for (const EndingCase& item : training.cases) {
      std::vector<Item> sequence = types_in_order(item.context);
      for (const LabelId type : item.gold) sequence.push_back(types_ + type);
      sequences.push_back(std::move(sequence));
    }
    const auto support = std::max(least_graphs, static_cast<std::size_t>(least_share * graphs));
    const std::vector<SequencePattern> patterns = prefix_span(sequences, support, longest);
    std::map<std::vector<Item>, std::size_t> bodies;
    for (const SequencePattern& pattern : patterns) {
      if (pattern.items.back() < types_) bodies.emplace(pattern.items, pattern.support);
    }
    for (const SequencePattern& pattern : patterns) {
      std::vector<Item> body = pattern.items;
      const Item last = body.back();
      body.pop_back();
      // Two endings in one pattern: their order means nothing.
      if (last < types_ || body.empty() || body.back() >= types_) continue;
      const auto body_support = static_cast<double>(bodies.at(body));
      const LabelId type = last - types_;
      const double confidence =
          (static_cast<double>(pattern.support) + doubt * shares_[type]) / (body_support + doubt);
      rules_[body].push_back({type, confidence});
    }
  }

  void score(const EventGraph& context, std::span<double> scores) const override {
    std::fill(scores.begin(), scores.end(), -std::numeric_limits<double>::infinity());
    // Frequency decides where no pattern does, and stays below any pattern that says more.
    std::copy(shares_.begin(), shares_.end(), scores.begin());
    const std::vector<LabelId> sequence = types_in_order(context);
    for (const auto& [body, endings] : rules_) {
      if (!holds_pattern(sequence, body)) continue;
      for (const EndingShare& ending : endings) {
        scores[ending.type] = std::max(scores[ending.type], ending.confidence);
      }
    }
  }

 private:
  struct EndingShare {
    LabelId type = 0;
    double confidence = 0;
  };

  LabelId types_;
  std::vector<double> shares_;
  std::map<std::vector<Item>, std::vector<EndingShare>> rules_;
};

}  // namespace

std::unique_ptr<EndingScorer> make_pattern_baseline(const EndingCases& training, LabelId types) {
  return std::make_unique<PatternScorer>(training, types);
}

}  // namespace lerpp
