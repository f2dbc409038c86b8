// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <lerp/events/baseline.hpp>

#include "events/baselines.hpp"

namespace lerpp {
namespace {

class FrequencyScorer : public EndingScorer {
 public:
  explicit FrequencyScorer(std::vector<double> counts) : counts_(std::move(counts)) {}

  void score(const EventGraph&, std::span<double> scores) const override {
    std::fill(scores.begin(), scores.end(), -std::numeric_limits<double>::infinity());
    std::copy(counts_.begin(), counts_.end(), scores.begin());
  }

 private:
  std::vector<double> counts_;
};

}  // namespace

std::vector<LabelId> types_in_order(const EventGraph& graph) {
  std::vector<LabelId> types;
  types.reserve(graph.events.size());
  for (const std::uint32_t event : in_order(graph).events) types.push_back(graph.events[event]);
  return types;
}

std::vector<double> ending_counts(const std::vector<EndingCase>& cases, LabelId types) {
  std::vector<double> counts(types);
  for (const EndingCase& item : cases) {
    for (const LabelId type : item.gold) ++counts[type];
  }
  return counts;
}

std::unique_ptr<EndingScorer> make_frequency_baseline(const EndingCases& training, LabelId types) {
  return std::make_unique<FrequencyScorer>(ending_counts(training.cases, types));
}

Result<EventBaseline> event_baseline_named(std::string_view name) {
  if (name == "frequency") return EventBaseline::frequency;
  if (name == "ngram") return EventBaseline::ngram;
  if (name == "pairwise") return EventBaseline::pairwise;
  if (name == "prefixspan") return EventBaseline::prefixspan;
  if (name == "schema") return EventBaseline::schema;
  return fail_unknown("baseline", name,
                      "choose one of frequency, ngram, pairwise, prefixspan, schema");
}

std::unique_ptr<EndingScorer> make_event_baseline(EventBaseline baseline, const EventData& data,
                                                  Ending ending,
                                                  const std::vector<EventGraph>& schemas) {
  const LabelId types = data.trained.event_types;
  const EndingCases training = ending_cases(data[Split::train], ending);
  switch (baseline) {
    case EventBaseline::ngram:
      return make_ngram_baseline(training, types);
    case EventBaseline::pairwise:
      return make_pairwise_baseline(training, types);
    case EventBaseline::prefixspan:
      return make_pattern_baseline(training, types);
    case EventBaseline::schema:
      return make_schema_baseline(schemas, types);
    case EventBaseline::frequency:
      break;
  }
  return make_frequency_baseline(training, types);
}

}  // namespace lerpp
