// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <lerp/events/ending.hpp>

namespace lerpp {

/// What a model of ending events must beat.
enum class EventBaseline {
  frequency,   ///< how many training graphs end with the type
  ngram,       ///< a trigram model of the events in their order, Witten-Bell smoothed
  pairwise,    ///< how often the type follows each event of the context, anywhere later
  prefixspan,  ///< sequential patterns that end with the type, the most confident counts
  schema,      ///< schemas written by people: the nearest, and what comes late in it
};

Result<EventBaseline> event_baseline_named(std::string_view name);

/// Learns from the training graphs; `schemas` is for EventBaseline::schema alone, read with the
/// names of the data.
std::unique_ptr<EndingScorer> make_event_baseline(EventBaseline baseline, const EventData& data,
                                                  Ending ending,
                                                  const std::vector<EventGraph>& schemas = {});

}  // namespace lerpp
