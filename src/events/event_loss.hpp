// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <numeric>
#include <span>
#include <vector>

#include <lerp/events/train.hpp>

#include "events/event_functions.hpp"

namespace lerpp {

/// What is known of a graph without the functions.
struct GraphEvidence {
  std::vector<Evidence> plain;
  std::vector<Repeat> repeats;
};

GraphEvidence graph_evidence(const EventGraph& graph, const EventShape& shape);

/// Graphs ready to be learned from: gold are the heads that should say yes.
struct EventExamples {
  NodeGraph nodes;
  std::vector<GraphEvidence> evidence;
  std::vector<std::vector<LabelId>> gold;

  std::size_t size() const { return gold.size(); }
};

EventExamples event_examples(const LabelledGraphs& graphs, const EventShape& shape);

/// What the functions say of a graph as rows of evidence, by their sums over its nodes.
std::vector<Evidence> function_evidence(const EventShape& shape, std::span<const double> sums,
                                        std::size_t nodes);

/// What a function says of the events of one type: of some, the logarithm of how many, the share.
std::array<double, 3> own_evidence(double sum, double events);

/// What the functions say of one graph.
struct FunctionView {
  std::span<const Evidence> evidence;    ///< function_evidence()
  std::span<const double> own;           ///< FunctionSums::of_groups()
  std::span<const LabelId> types;        ///< of the groups
  std::span<const std::uint32_t> sizes;  ///< of the groups

  double events() const { return std::accumulate(sizes.begin(), sizes.end(), 0.0); }
};

FunctionView function_view(std::span<const Evidence> evidence, const FunctionSums& sums,
                           std::size_t place, const NodeGraph& nodes, std::uint32_t graph);

/// score_h = sum over the evidence of value * weight; minus infinity for a head that is silent.
void score_heads(const EventShape& shape, std::span<const float> parameters,
                 const GraphEvidence& evidence, const FunctionView& functions,
                 std::span<double> scores);

/// The loss of a graph: the categorical cross-entropy of every yes-or-no head, summed, or that of
/// one softmax whose target is shared by the gold types. `slope` is its gradient by the scores.
double head_loss(std::span<const double> scores, std::span<const LabelId> gold, bool softmax,
                 std::span<double> slope);

/// The losses of examples, and their gradient. For one thread.
class EventLoss {
 public:
  /// The examples must outlive this.
  EventLoss(const EventShape& shape, const EventExamples& examples, bool softmax);

  /// One loss for each of these examples, none of them twice.
  void measure(const EventFunctions& functions, std::span<const float> parameters,
               std::span<const std::uint32_t> which, std::span<double> losses);
  /// Adds the gradient by the raw parameters, too.
  void learn(const EventFunctions& functions, std::span<const float> parameters,
             std::span<const std::uint32_t> which, std::span<double> losses,
             std::span<float> gradient);

 private:
  double score_one(std::span<const float> parameters, std::uint32_t example, std::size_t place);
  /// The gradient of one example whose scores have just been found, but for the way through the
  /// functions, whose sums then have these slopes.
  void gradient_of_weights(std::span<const float> parameters, std::uint32_t example,
                           std::span<const double> sums, std::span<double> sum_slopes,
                           std::span<float> gradient) const;
  void gradient_of_own(std::span<const float> parameters, const FunctionView& view,
                       std::span<double> sum_slopes, std::span<float> gradient) const;
  void gradient_of_each(std::span<const float> parameters, const FunctionView& view,
                        std::span<double> sum_slopes, std::span<float> gradient) const;

  EventShape shape_;
  const EventExamples& examples_;
  bool softmax_;
  FunctionSums sums_;
  std::vector<Evidence> soft_;
  std::vector<double> scores_, slope_;
};

}  // namespace lerpp
