#pragma once

#include <span>
#include <vector>

#include "events/event_functions.hpp"

namespace lerpp {

/// What is known of a graph without the functions.
struct GraphEvidence {
  std::vector<Evidence> plain;
  std::vector<Repeat> repeats;
};

GraphEvidence graph_evidence(const EventGraph& graph, const EventShape& shape);

/// A graph ready to be learned from: gold are the heads that should say yes.
struct EventExample {
  NodeGraph nodes;
  GraphEvidence evidence;
  std::vector<LabelId> gold;
};

EventExample event_example(const EventGraph& graph, std::vector<LabelId> gold,
                           const EventShape& shape);

/// What the functions say of a graph as rows of evidence, by their sums over its nodes.
std::vector<Evidence> function_evidence(const EventShape& shape, std::span<const double> sums,
                                        std::size_t nodes);

/// score_h = sum over the evidence of value * weight
void score_heads(const EventShape& shape, std::span<const double> parameters,
                 const GraphEvidence& evidence, std::span<const Evidence> functions,
                 std::span<double> scores);

/// The loss of a graph: the categorical cross-entropy of every yes-or-no head, summed, or that of
/// one softmax whose target is shared by the gold types. `slope` is its gradient by the scores.
double head_loss(std::span<const double> scores, std::span<const LabelId> gold, bool softmax,
                 std::span<double> slope);

/// The loss; its gradient is added to `gradient`, by the shares of the functions and by the
/// weights.
double event_loss(const EventFunctions& functions, std::span<const double> parameters,
                  const EventExample& example, bool softmax, FunctionColumns& scratch,
                  std::span<double> gradient);
/// The loss alone.
double event_loss(const EventFunctions& functions, std::span<const double> parameters,
                  const EventExample& example, bool softmax);

}  // namespace lerpp
