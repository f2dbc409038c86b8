// SPDX-License-Identifier: Apache-2.0
#include "events/event_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lerpp {
namespace {

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
/// log(1 + exp(x)), for any x.
double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

/// How a function's evidence follows its sum.
struct Slope {
  double held = 0;
  double count = 0;
};

Slope evidence_slope(const EventShape& shape, double sum, std::size_t nodes) {
  if (shape.readout == EventReadout::share) {
    return {1 / static_cast<double>(std::max<std::size_t>(nodes, 1)), 0};
  }
  return {std::exp(-sum), 1 / (1 + sum)};
}

/// To each head that has events of its type, of which share of them the functions hold.
void score_each(const EventShape& shape, const float* weights, const FunctionView& functions,
                std::span<double> scores) {
  std::vector<bool> speaks(shape.heads);
  for (std::size_t group = 0; group < functions.types.size(); ++group) {
    const LabelId head = functions.types[group];
    if (head >= shape.heads) continue;
    speaks[head] = true;
    for (std::size_t i = 0; i < shape.width; ++i) {
      scores[head] += functions.own[group * shape.width + i] / functions.sizes[group] *
                      double{weights[(shape.function_row() + 2 * i) * shape.heads + head]};
    }
  }
  for (std::size_t h = 0; h < shape.heads; ++h) {
    if (!speaks[h]) scores[h] = -std::numeric_limits<double>::infinity();
  }
}

}  // namespace

GraphEvidence graph_evidence(const EventGraph& graph, const EventShape& shape) {
  return {plain_evidence(graph, shape), repeats(graph, shape)};
}

EventExamples event_examples(const LabelledGraphs& graphs, const EventShape& shape) {
  EventExamples examples{node_graph(graphs.graphs, shape), {}, graphs.gold};
  for (const EventGraph& graph : graphs.graphs) {
    examples.evidence.push_back(graph_evidence(graph, shape));
  }
  // A type that no head stands for cannot be learned.
  for (std::vector<LabelId>& gold : examples.gold) {
    std::erase_if(gold, [&](LabelId type) { return type >= shape.heads; });
  }
  return examples;
}

std::vector<Evidence> function_evidence(const EventShape& shape, std::span<const double> sums,
                                        std::size_t nodes) {
  std::vector<Evidence> evidence;
  if (shape.readout == EventReadout::each) return evidence;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto row = static_cast<std::uint32_t>(shape.function_row() + 2 * i);
    if (shape.readout == EventReadout::share) {
      evidence.push_back({row, sums[i] / static_cast<double>(std::max<std::size_t>(nodes, 1))});
      evidence.push_back({row + 1, 0});
    } else {
      evidence.push_back({row, -std::expm1(-sums[i])});
      evidence.push_back({row + 1, std::log1p(sums[i])});
    }
  }
  return evidence;
}

std::array<double, 3> own_evidence(double sum, double events) {
  return {-std::expm1(-sum), std::log1p(sum), sum / events};
}

FunctionView function_view(std::span<const Evidence> evidence, const FunctionSums& sums,
                           std::size_t place, const NodeGraph& nodes, std::uint32_t graph) {
  const std::size_t first = nodes.group_starts[graph];
  const std::size_t count = nodes.group_starts[graph + 1] - first;
  return {evidence, sums.of_groups(place), std::span(nodes.group_types).subspan(first, count),
          std::span(nodes.group_sizes).subspan(first, count)};
}

void score_heads(const EventShape& shape, std::span<const float> parameters,
                 const GraphEvidence& evidence, const FunctionView& functions,
                 std::span<double> scores) {
  std::fill(scores.begin(), scores.end(), 0.0);
  const float* const weights = parameters.data() + shape.weights().start;
  for (const std::span<const Evidence> part :
       {std::span<const Evidence>(evidence.plain), functions.evidence}) {
    for (const Evidence& item : part) {
      const float* const row = weights + item.row * std::size_t{shape.heads};
      for (std::size_t h = 0; h < shape.heads; ++h) scores[h] += item.value * double{row[h]};
    }
  }
  const float* const shared = parameters.data() + shape.repeat_weights().start;
  for (const Repeat& repeat : evidence.repeats) {
    for (std::size_t i = 0; i < repeat.values.size(); ++i) {
      scores[repeat.head] += repeat.values[i] * double{shared[i]};
    }
  }
  if (shape.readout == EventReadout::each) return score_each(shape, weights, functions, scores);
  if (!shape.own) return;
  const float* const own = parameters.data() + shape.own_weights().start;
  const double events = functions.events();
  for (std::size_t group = 0; group < functions.types.size(); ++group) {
    const LabelId head = functions.types[group];
    if (head >= shape.heads) continue;
    for (std::size_t i = 0; i < shape.width; ++i) {
      const auto values = own_evidence(functions.own[group * shape.width + i], events);
      for (std::size_t k = 0; k < values.size(); ++k) {
        scores[head] += values[k] * double{own[i * values.size() + k]};
      }
    }
  }
}

double head_loss(std::span<const double> scores, std::span<const LabelId> gold, bool softmax,
                 std::span<double> slope) {
  double loss = 0;
  if (!softmax) {
    for (std::size_t h = 0; h < scores.size(); ++h) {
      loss += softplus(scores[h]);
      slope[h] = sigmoid(scores[h]);
    }
    for (const LabelId type : gold) {
      loss -= scores[type];
      slope[type] -= 1;
    }
    return loss;
  }
  std::fill(slope.begin(), slope.end(), 0.0);
  if (gold.empty()) return 0;
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (std::size_t h = 0; h < scores.size(); ++h) {
    slope[h] = std::exp(scores[h] - largest);
    sum += slope[h];
  }
  for (double& share : slope) share /= sum;
  const double target = 1 / static_cast<double>(gold.size());
  for (const LabelId type : gold) {
    loss -= target * (scores[type] - largest - std::log(sum));
    slope[type] -= target;
  }
  return loss;
}

EventLoss::EventLoss(const EventShape& shape, const EventExamples& examples, bool softmax)
    : shape_(shape),
      examples_(examples),
      softmax_(softmax),
      sums_(examples.nodes, shape),
      scores_(shape.heads),
      slope_(shape.heads) {}

double EventLoss::score_one(std::span<const float> parameters, std::uint32_t example,
                            std::size_t place) {
  soft_ = function_evidence(shape_, sums_.of_graph(place), examples_.nodes.nodes(example));
  score_heads(shape_, parameters, examples_.evidence[example],
              function_view(soft_, sums_, place, examples_.nodes, example), scores_);
  return head_loss(scores_, examples_.gold[example], softmax_, slope_);
}

void EventLoss::measure(const EventFunctions& functions, std::span<const float> parameters,
                        std::span<const std::uint32_t> which, std::span<double> losses) {
  sums_.forward(functions, which, false);
  for (std::size_t i = 0; i < which.size(); ++i) losses[i] = score_one(parameters, which[i], i);
}

void EventLoss::learn(const EventFunctions& functions, std::span<const float> parameters,
                      std::span<const std::uint32_t> which, std::span<double> losses,
                      std::span<float> gradient) {
  sums_.forward(functions, which, true);
  FunctionSums::Sums slopes{std::vector<double>(sums_.sums().graphs.size()),
                            std::vector<double>(sums_.sums().groups.size())};
  std::size_t first_own = 0;
  for (std::size_t i = 0; i < which.size(); ++i) {
    losses[i] = score_one(parameters, which[i], i);
    gradient_of_weights(parameters, which[i], sums_.of_graph(i),
                        std::span(slopes.graphs).subspan(i * shape_.width, shape_.width), gradient);
    const FunctionView view = function_view(soft_, sums_, i, examples_.nodes, which[i]);
    const auto own = std::span(slopes.groups).subspan(first_own, view.own.size());
    if (shape_.readout == EventReadout::each) {
      gradient_of_each(parameters, view, own, gradient);
    } else if (shape_.own) {
      gradient_of_own(parameters, view, own, gradient);
    }
    first_own += view.own.size();
  }
  sums_.backward(functions, slopes, gradient);
}

void EventLoss::gradient_of_weights(std::span<const float> parameters, std::uint32_t example,
                                    std::span<const double> sums, std::span<double> sum_slopes,
                                    std::span<float> gradient) const {
  const std::size_t start = shape_.weights().start;
  const auto row_back = [&](const Evidence& evidence) {
    const std::size_t row = start + evidence.row * std::size_t{shape_.heads};
    double by_value = 0;
    for (std::size_t h = 0; h < shape_.heads; ++h) {
      gradient[row + h] += static_cast<float>(evidence.value * slope_[h]);
      by_value += double{parameters[row + h]} * slope_[h];
    }
    return by_value;
  };
  for (const Evidence& evidence : examples_.evidence[example].plain) row_back(evidence);
  float* const shared = gradient.data() + shape_.repeat_weights().start;
  for (const Repeat& repeat : examples_.evidence[example].repeats) {
    for (std::size_t i = 0; i < repeat.values.size(); ++i) {
      shared[i] += static_cast<float>(repeat.values[i] * slope_[repeat.head]);
    }
  }
  for (std::size_t i = 0; 2 * i < soft_.size(); ++i) {
    const Slope by_sum = evidence_slope(shape_, sums[i], examples_.nodes.nodes(example));
    sum_slopes[i] =
        row_back(soft_[2 * i]) * by_sum.held + row_back(soft_[2 * i + 1]) * by_sum.count;
  }
}

void EventLoss::gradient_of_own(std::span<const float> parameters, const FunctionView& view,
                                std::span<double> sum_slopes, std::span<float> gradient) const {
  const EventBlock block = shape_.own_weights();
  const double events = view.events();
  for (std::size_t group = 0; group < view.types.size(); ++group) {
    if (view.types[group] >= shape_.heads) continue;
    const double slope = slope_[view.types[group]];
    for (std::size_t i = 0; i < shape_.width; ++i) {
      const double sum = view.own[group * shape_.width + i];
      const std::array<double, 3> values = own_evidence(sum, events);
      const std::array<double, 3> by_sum = {std::exp(-sum), 1 / (1 + sum), 1 / events};
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::size_t place = block.start + i * values.size() + k;
        gradient[place] += static_cast<float>(values[k] * slope);
        sum_slopes[group * shape_.width + i] += double{parameters[place]} * by_sum[k] * slope;
      }
    }
  }
}

void EventLoss::gradient_of_each(std::span<const float> parameters, const FunctionView& view,
                                 std::span<double> sum_slopes, std::span<float> gradient) const {
  for (std::size_t group = 0; group < view.types.size(); ++group) {
    const LabelId head = view.types[group];
    if (head >= shape_.heads) continue;
    const double slope = slope_[head] / view.sizes[group];
    for (std::size_t i = 0; i < shape_.width; ++i) {
      const std::size_t at = group * shape_.width + i;
      const std::size_t place =
          shape_.weights().start + (shape_.function_row() + 2 * i) * shape_.heads + head;
      gradient[place] += static_cast<float>(view.own[at] * slope);
      sum_slopes[at] += double{parameters[place]} * slope;
    }
  }
}

}  // namespace lerpp
