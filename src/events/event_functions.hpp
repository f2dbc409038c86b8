// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <lerp/events/model.hpp>

#include "events/evidence.hpp"
#include "model/functions.hpp"

namespace lerpp {

/// The functions of an event model with fixed parameters. One object serves several threads.
class EventFunctions {
 public:
  /// Takes the softmaxes of the raw parameters.
  EventFunctions(const EventShape& shape, std::span<const float> parameters);

  const EventShape& shape() const { return shape_; }
  /// The raw parameters, as the model lays them out.
  const Parameters<float>& raw() const { return raw_; }
  const FunctionWeights<float>& weights() const { return weights_; }
  /// The softmax of a function in one of the tensors of raw().
  std::span<const float> shares(std::size_t tensor, std::size_t function) const;

 private:
  EventShape shape_;
  Parameters<float> raw_;
  FunctionWeights<float> weights_;
};

/// What the functions sum up to over the nodes of some event graphs, and over the events of a type
/// in them; forward and backward. Without functions nothing is computed. For one thread.
class FunctionSums {
 public:
  /// One number for each function.
  struct Sums {
    std::vector<double> graphs;  ///< a row for each of the graphs
    std::vector<double> groups;  ///< a row for each group of theirs, graph after graph
  };

  /// The graphs must outlive this.
  FunctionSums(const NodeGraph& nodes, const EventShape& shape);

  /// Of these graphs, none of them twice. With `keep` all is kept that the way back needs; the
  /// functions must then stay until it is over.
  void forward(const EventFunctions& functions, std::span<const std::uint32_t> graphs, bool keep);
  const Sums& sums() const { return sums_; }
  /// Those of the place-th graph, and of its groups in the order of NodeGraph.
  std::span<const double> of_graph(std::size_t place) const {
    return std::span(sums_.graphs).subspan(place * width_, width_);
  }
  std::span<const double> of_groups(std::size_t place) const {
    return std::span(sums_.groups)
        .subspan(group_places_[place] * width_,
                 (group_places_[place + 1] - group_places_[place]) * width_);
  }
  /// Adds to the gradient of the raw parameters what a change of the sums is worth.
  void backward(const EventFunctions& functions, const Sums& slopes, std::span<float> gradient);

 private:
  /// Calls visit(row of the functions, row of the graph, row of the group or null), node by node.
  template <class Value, class Place, class Visit>
  void each_node(Value* row, Place& sums, Visit&& visit) const;

  const NodeGraph& nodes_;
  std::size_t width_;
  std::optional<Functions<float>> functions_;  ///< none where the width is 0
  std::vector<std::uint32_t> graphs_;
  std::vector<std::size_t> group_places_;  ///< the first group of each graph in the sums
  std::vector<EntityId> entities_;
  Sums sums_;
  Buffer<float> scratch_;
};

}  // namespace lerpp
