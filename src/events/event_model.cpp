// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <lerp/events/induce.hpp>

#include "events/event_loss.hpp"
#include "events/function_readings.hpp"

namespace lerpp {
namespace {

constexpr std::uint32_t only_graph[] = {0};

class EventModelScorer : public EndingScorer {
 public:
  explicit EventModelScorer(const EventModel& model)
      : model_(&model), functions_(model.shape, model.parameters) {}

  void score(const EventGraph& context, std::span<double> scores) const override {
    const EventShape& shape = model_->shape;
    const NodeGraph nodes = node_graph(std::span(&context, 1), shape);
    FunctionSums functions(nodes, shape);
    functions.forward(functions_, only_graph, false);
    std::fill(scores.begin(), scores.end(), -std::numeric_limits<double>::infinity());
    const auto evidence = function_evidence(shape, functions.of_graph(0), nodes.types.size());
    score_heads(shape, model_->parameters, graph_evidence(context, shape),
                function_view(evidence, functions, 0, nodes, 0), scores.first(shape.heads));
  }

 private:
  const EventModel* model_;
  EventFunctions functions_;
};

/// The formula that a function most is.
std::string function_name(const EventModel& model, std::size_t function) {
  const auto readings = body_readings(EventFunctions(model.shape, model.parameters), 1);
  return to_text(readings[function].front().formula, EquationNames{model.shape, model.names});
}

/// What a row of the weights speaks of.
std::string row_name(const EventModel& model, std::size_t row) {
  const EventShape& shape = model.shape;
  const auto named = [row](const char* text, const Vocabulary& names, std::size_t first) {
    return fmt::format("{}{}", text, names.name(static_cast<LabelId>(row - first)));
  };
  if (row >= shape.function_row()) {
    const std::size_t function = (row - shape.function_row()) / 2;
    const bool count = (row - shape.function_row()) % 2 == 1;
    return fmt::format("{}x: {}", count ? "log count of " : "some ",
                       function_name(model, function));
  }
  if (row >= shape.scenario_row()) {
    return named("scenario ", model.names.scenarios, shape.scenario_row());
  }
  if (row >= shape.idle_count_row()) {
    return named("log count of idle ", model.names.entity_types, shape.idle_count_row());
  }
  if (row >= shape.idle_row()) {
    return named("some idle ", model.names.entity_types, shape.idle_row());
  }
  if (row >= shape.last_row()) return named("last ", model.names.event_types, shape.last_row());
  if (row >= shape.count_row()) {
    return named("log count of ", model.names.event_types, shape.count_row());
  }
  return named("some ", model.names.event_types, shape.held_row());
}

}  // namespace

std::unique_ptr<EndingScorer> make_event_scorer(const EventModel& model) {
  return std::make_unique<EventModelScorer>(model);
}

std::string strongest_evidence(const EventModel& model, std::size_t count) {
  struct Weight {
    double value = 0;
    std::size_t row = 0;
    LabelId head = 0;
  };
  const EventShape& shape = model.shape;
  std::vector<Weight> weights;
  for (std::size_t row = shape.held_row(); row < shape.evidence_rows(); ++row) {
    for (LabelId head = 0; head < shape.heads; ++head) {
      const double value{model.parameters[shape.weights().start + row * shape.heads + head]};
      if (value != 0) weights.push_back({value, row, head});
    }
  }
  count = std::min(count, weights.size());
  std::partial_sort(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(count),
                    weights.end(), [](const Weight& left, const Weight& right) {
                      return std::abs(left.value) > std::abs(right.value);
                    });
  std::string text;
  if (shape.repeats) {
    const float* const shared = model.parameters.data() + shape.repeat_weights().start;
    text = fmt::format(
        "{:+.2f} {:+.2f} log count {:+.2f} share of the events, of any type that is there ⇒ it "
        "ends with that type again{}",
        shared[0], shared[1], shared[2], count == 0 ? "" : "\n");
  }
  for (std::size_t i = 0; i < count; ++i) {
    text +=
        fmt::format("{}{:+.2f}  {} ⇒ it ends with {}", i == 0 ? "" : "\n", weights[i].value,
                    row_name(model, weights[i].row), model.names.event_types.name(weights[i].head));
  }
  return text;
}

}  // namespace lerpp
