// SPDX-License-Identifier: Apache-2.0
#include "events/event_functions.hpp"

#include <algorithm>
#include <cassert>

namespace lerpp {

EventFunctions::EventFunctions(const EventShape& shape, std::span<const float> parameters)
    : shape_(shape), raw_(shape.functions()), weights_(shape.functions()) {
  const std::span<float> own = raw_.values();
  std::copy_n(parameters.begin(), own.size(), own.begin());
  weights_.take(raw_);
}

std::span<const float> EventFunctions::shares(std::size_t tensor, std::size_t function) const {
  const std::size_t count = raw_.tensors()[tensor].dimensions.back();
  return std::span(weights_.softmax(tensor)).subspan(function * count, count);
}

FunctionSums::FunctionSums(const NodeGraph& nodes, const EventShape& shape)
    : nodes_(nodes), width_(shape.width) {
  if (width_ > 0) functions_.emplace(nodes.graph, shape.functions(), nodes.types);
}

template <class Value, class Place, class Visit>
void FunctionSums::each_node(Value* row, Place& sums, Visit&& visit) const {
  for (std::size_t place = 0; place < graphs_.size(); ++place) {
    const std::uint32_t graph = graphs_[place];
    auto* const of_graph = sums.graphs.data() + place * width_;
    for (EntityId node = nodes_.starts[graph]; node < nodes_.starts[graph + 1]; ++node) {
      const std::uint32_t group = nodes_.group_of[node];
      const std::size_t at =
          group == NodeGraph::no_group
              ? 0
              : (group_places_[place] + group - nodes_.group_starts[graph]) * width_;
      visit(row, of_graph, group == NodeGraph::no_group ? nullptr : sums.groups.data() + at);
      row += functions_->width();
    }
  }
}

void FunctionSums::forward(const EventFunctions& functions, std::span<const std::uint32_t> graphs,
                           bool keep) {
  graphs_.assign(graphs.begin(), graphs.end());
  entities_.clear();
  group_places_.assign(1, 0);
  for (const std::uint32_t graph : graphs_) {
    for (EntityId node = nodes_.starts[graph]; node < nodes_.starts[graph + 1]; ++node)
      entities_.push_back(node);
    group_places_.push_back(group_places_.back() + nodes_.group_starts[graph + 1] -
                            nodes_.group_starts[graph]);
  }
  sums_.graphs.assign(graphs_.size() * width_, 0.0);
  sums_.groups.assign(group_places_.back() * width_, 0.0);
  if (!functions_) return;
  functions_->begin(functions.weights(), entities_, nullptr, keep);
  functions_->forward(scratch_);
  each_node(functions_->values(), sums_, [&](const float* row, double* graph, double* group) {
    for (std::size_t i = 0; i < width_; ++i) graph[i] += double{row[i]};
    if (group == nullptr) return;
    for (std::size_t i = 0; i < width_; ++i) group[i] += double{row[i]};
  });
}

void FunctionSums::backward(const EventFunctions& functions, const Sums& slopes,
                            std::span<float> gradient) {
  assert(slopes.graphs.size() == sums_.graphs.size());
  assert(slopes.groups.size() == sums_.groups.size());
  if (!functions_) return;
  each_node(functions_->gradient(), slopes,
            [&](float* row, const double* graph, const double* group) {
              std::fill_n(row, functions_->width(), 0.0F);
              for (std::size_t i = 0; i < width_; ++i)
                row[i] = static_cast<float>(graph[i] + (group == nullptr ? 0 : group[i]));
            });
  functions_->backward();
  functions_->store(functions.raw(), gradient);
}

}  // namespace lerpp
