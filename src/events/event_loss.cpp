#include "events/event_loss.hpp"

#include <algorithm>
#include <cmath>

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
  if (shape.share) return {1 / static_cast<double>(std::max<std::size_t>(nodes, 1)), 0};
  return {std::exp(-sum), 1 / (1 + sum)};
}

}  // namespace

GraphEvidence graph_evidence(const EventGraph& graph, const EventShape& shape) {
  return {plain_evidence(graph, shape), repeats(graph, shape)};
}

EventExample event_example(const EventGraph& graph, std::vector<LabelId> gold,
                           const EventShape& shape) {
  // A type that no head stands for cannot be learned.
  std::erase_if(gold, [&](LabelId type) { return type >= shape.heads; });
  return {node_graph(graph, shape), graph_evidence(graph, shape), std::move(gold)};
}

std::vector<Evidence> function_evidence(const EventShape& shape, std::span<const double> sums,
                                        std::size_t nodes) {
  std::vector<Evidence> evidence;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto row = static_cast<std::uint32_t>(shape.function_row() + 2 * i);
    if (shape.share) {
      evidence.push_back({row, sums[i] / static_cast<double>(std::max<std::size_t>(nodes, 1))});
      evidence.push_back({row + 1, 0});
    } else {
      evidence.push_back({row, -std::expm1(-sums[i])});
      evidence.push_back({row + 1, std::log1p(sums[i])});
    }
  }
  return evidence;
}

void score_heads(const EventShape& shape, std::span<const double> parameters,
                 const GraphEvidence& evidence, std::span<const Evidence> functions,
                 std::span<double> scores) {
  std::fill(scores.begin(), scores.end(), 0.0);
  const double* const weights = parameters.data() + shape.weights().start;
  for (const std::span<const Evidence> part : {std::span(evidence.plain), functions}) {
    for (const Evidence& item : part) {
      const double* const row = weights + item.row * std::size_t{shape.heads};
      for (std::size_t h = 0; h < shape.heads; ++h) scores[h] += item.value * row[h];
    }
  }
  const double* const shared = parameters.data() + shape.repeat_weights().start;
  for (const Repeat& repeat : evidence.repeats) {
    for (std::size_t i = 0; i < repeat.values.size(); ++i) {
      scores[repeat.head] += repeat.values[i] * shared[i];
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

double event_loss(const EventFunctions& functions, std::span<const double> parameters,
                  const EventExample& example, bool softmax, FunctionColumns& scratch,
                  std::span<double> gradient) {
  const EventShape& shape = functions.shape();
  functions.forward(example.nodes, scratch);
  const std::size_t nodes = example.nodes.types.size();
  const std::vector<Evidence> soft = function_evidence(shape, scratch.sums, nodes);
  std::vector<double> scores(shape.heads);
  std::vector<double> slope(shape.heads);
  score_heads(shape, parameters, example.evidence, soft, scores);
  const double loss = head_loss(scores, example.gold, softmax, slope);

  const std::size_t start = shape.weights().start;
  const auto row_back = [&](const Evidence& evidence) {
    const std::size_t row = start + evidence.row * std::size_t{shape.heads};
    double by_value = 0;
    for (std::size_t h = 0; h < shape.heads; ++h) {
      gradient[row + h] += evidence.value * slope[h];
      by_value += parameters[row + h] * slope[h];
    }
    return by_value;
  };
  for (const Evidence& evidence : example.evidence.plain) row_back(evidence);
  double* const shared = gradient.data() + shape.repeat_weights().start;
  for (const Repeat& repeat : example.evidence.repeats) {
    for (std::size_t i = 0; i < repeat.values.size(); ++i) {
      shared[i] += repeat.values[i] * slope[repeat.head];
    }
  }
  std::vector<double> sums_gradient(shape.width);
  for (std::size_t i = 0; i < shape.width; ++i) {
    const Slope by_sum = evidence_slope(shape, scratch.sums[i], nodes);
    sums_gradient[i] =
        row_back(soft[2 * i]) * by_sum.held + row_back(soft[2 * i + 1]) * by_sum.count;
  }
  functions.backward(example.nodes, scratch, sums_gradient, gradient);
  return loss;
}

double event_loss(const EventFunctions& functions, std::span<const double> parameters,
                  const EventExample& example, bool softmax) {
  const EventShape& shape = functions.shape();
  std::vector<double> scores(shape.heads);
  std::vector<double> slope(shape.heads);
  score_heads(shape, parameters, example.evidence,
              function_evidence(shape, functions.sums(example.nodes), example.nodes.types.size()),
              scores);
  return head_loss(scores, example.gold, softmax, slope);
}

}  // namespace lerpp
