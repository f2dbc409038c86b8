// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/events/load.hpp>

/// Ending-event prediction: a graph without its ending events, and the types that these have.
namespace lerpp {

/// Published definitions are vague, so there are two.
enum class Ending : bool {
  reached,     ///< something comes before the event, and nothing after it
  unfollowed,  ///< nothing comes after the event, even where nothing comes before it either
};

Result<Ending> ending_named(std::string_view name);
std::string_view name_of(Ending ending);

/// What is known of a graph, and what is asked.
struct EndingCase {
  EventGraph context;
  std::vector<LabelId> gold;  ///< the distinct types of the ending events, in rising order
};

struct EndingCases {
  std::vector<EndingCase> cases;
  std::size_t without_order = 0;   ///< graphs left out: no order edges
  std::size_t without_ending = 0;  ///< graphs left out: the order is a circle, nothing ends it
};

EndingCases ending_cases(const std::vector<EventGraph>& graphs, Ending ending);
/// Those of a split; a failure where it asks nothing.
Result<EndingCases> ending_cases(const EventData& data, Split split, Ending ending);

/// Scores the event types for a context. One scorer serves several threads.
class EndingScorer {
 public:
  virtual ~EndingScorer() = default;
  /// One score for each event type, higher is likelier; minus infinity for what it does not know.
  virtual void score(const EventGraph& context, std::span<double> scores) const = 0;
};

struct EndingMetrics {
  double hits_at_1 = 0;
  double mrr = 0;           ///< mean of 1/rank over all pairs of a graph and a gold type
  double mrr_by_graph = 0;  ///< mean over the gold types of a graph, then over graphs
};

struct EndingReport {
  std::string data;
  std::string split;
  std::string model;
  Ending ending = Ending::reached;
  std::size_t graphs = 0;
  std::size_t gold = 0;    ///< pairs of a graph and a gold type
  std::size_t unseen = 0;  ///< those of them whose type the model does not know
  std::size_t without_order = 0;
  std::size_t without_ending = 0;
  EndingMetrics raw;
  EndingMetrics filtered;  ///< a graph's other gold types are dropped before one is ranked
  EndingMetrics ceiling;   ///< raw, where every gold type stands before every other type
};

/// The exact definitions, for people.
std::string definition(Ending ending);

/// Ranks are realistic: equal scores share the mean of their ranks.
EndingReport rank_endings(const EndingScorer& scorer, const EndingCases& cases, Ending ending,
                          LabelId event_types, unsigned threads = 1);

Json to_json(const EndingReport& report);
std::string to_text(const EndingReport& report);

}  // namespace lerpp
