// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/events/induce.hpp>
#include <lerp/events/train.hpp>

/// Graphs that are not true, and a model that learns to tell true ones from them.
namespace lerpp {

/// Every event gets the type of another event of its graph.
std::vector<EventGraph> with_types_dealt_out(std::vector<EventGraph> graphs, std::uint64_t seed,
                                             std::uint64_t round);

std::vector<EventGraph> mutilated(const std::vector<EventGraph>& graphs, std::size_t count,
                                  std::uint64_t seed);

/// The shape of the model below.
EventShape contrast_shape(const EventData& data, const InduceOptions& options);

/// Learns functions whose readings are the bodies of equations: to the head of each event type they
/// say of which share of its events they hold, and the head tells whether the graph is true. They
/// start near these bodies of one or two steps, and at random where there are fewer.
Result<EventModel> learn_contrast(const std::vector<EventGraph>& train,
                                  const std::vector<Formula>& bodies, const EventData& data,
                                  const InduceOptions& options, const Observer& observer);

/// How often the model prefers a graph to what is left of it.
double told_apart(const EventModel& model, const std::vector<EventGraph>& graphs,
                  const InduceOptions& options);

}  // namespace lerpp
