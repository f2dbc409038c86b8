// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "events/baselines.hpp"

namespace lerpp {
namespace {

/// A schema as a set of types, each with how late it comes: 1 for a step that nothing follows.
struct Outline {
  std::vector<double> lateness;  ///< of each type, 0 where the schema does not have it
  std::size_t types = 0;
};

Outline outline_of(const EventGraph& schema, LabelId types) {
  Outline outline;
  outline.lateness.resize(types);
  const std::vector<std::uint32_t> sequence = in_order(schema).events;
  std::vector<std::uint32_t> depth(schema.events.size());  // steps on the longest way to the end
  std::vector<std::vector<std::uint32_t>> followers(schema.events.size());
  for (const EventOrder& order : schema.order) followers[order.before].push_back(order.after);
  for (auto event = sequence.rbegin(); event != sequence.rend(); ++event) {
    for (const std::uint32_t next : followers[*event]) {
      depth[*event] = std::max(depth[*event], depth[next] + 1);
    }
    const LabelId type = schema.events[*event];
    if (type >= types) continue;
    double& lateness = outline.lateness[type];
    if (lateness == 0) ++outline.types;
    lateness = std::max(lateness, 1.0 / (1.0 + depth[*event]));
  }
  return outline;
}

/// Every schema votes for its types, the late ones most, as loudly as it resembles the context.
class SchemaScorer : public EndingScorer {
 public:
  SchemaScorer(const std::vector<EventGraph>& schemas, LabelId types) : types_(types) {
    for (const EventGraph& schema : schemas) outlines_.push_back(outline_of(schema, types));
  }

  void score(const EventGraph& context, std::span<double> scores) const override {
    std::vector<bool> held(types_);
    std::size_t different = 0;
    for (const LabelId type : context.events) {
      if (type >= types_ || held[type]) continue;
      held[type] = true;
      ++different;
    }
    std::fill(scores.begin(), scores.end(), -std::numeric_limits<double>::infinity());
    std::fill_n(scores.begin(), types_, 0);
    for (const Outline& outline : outlines_) {
      double common = 0;
      for (LabelId type = 0; type < types_; ++type) {
        if (held[type] && outline.lateness[type] > 0) ++common;
      }
      if (common == 0) continue;
      const double likeness =
          common / std::sqrt(static_cast<double>(different) * static_cast<double>(outline.types));
      for (LabelId type = 0; type < types_; ++type) {
        scores[type] += likeness * outline.lateness[type];
      }
    }
  }

 private:
  LabelId types_;
  std::vector<Outline> outlines_;
};

}  // namespace

std::unique_ptr<EndingScorer> make_schema_baseline(const std::vector<EventGraph>& schemas,
                                                   LabelId types) {
  return std::make_unique<SchemaScorer>(schemas, types);
}

}  // namespace lerpp
