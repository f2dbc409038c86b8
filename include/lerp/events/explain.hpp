// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lerp/events/model.hpp>

/// Why a model says that a graph ends so.
namespace lerpp {

/// What speaks for an ending, or against it.
enum class EndingEvidence : std::uint8_t {
  prior,     ///< how readily training graphs end so
  function,  ///< a formula that a logical function stands for
  types,     ///< an event type that is there
  last,      ///< one that nothing follows
  idle,      ///< entities that take part in nothing
  scenario,  ///< the kind of story
  repeats,   ///< the ending's own type is there already
};

std::string_view name_of(EndingEvidence evidence);

struct EndingReason {
  EndingEvidence evidence = EndingEvidence::prior;
  std::string text;       ///< `∃y (before(y,x) ∧ Attack(y))`, "Attack happens 3 times"
  std::size_t holds = 0;  ///< of a formula: events and entities that fulfil it
  double part = 0;        ///< of the score; negative where it speaks against the ending
  double share = 0;       ///< of the sum of all parts without their signs
};

/// The ending that a model ranks first.
struct ExplainedEnding {
  std::string graph;
  std::string type;
  std::vector<std::string> gold;
  bool right = false;                 ///< whether the type is gold
  double score = 0;                   ///< the sum of all parts
  std::vector<EndingReason> reasons;  ///< largest share first; their shares add up to 1
};

struct EndingExplanations {
  std::string data;
  std::string split;
  std::vector<ExplainedEnding> endings;  ///< one for each graph that is asked about
};

/// Splits the score of an ending type of a graph into its reasons. What a function adds is split
/// among the formulas that it stands for, by how much of the function each of them is and how often
/// it holds in the graph.
std::vector<EndingReason> explain_ending(const EventModel& model, const EventGraph& context,
                                         LabelId type);

/// Explains the ending that the model ranks first, for every graph of a split. The data must have
/// been read with the names of the model.
Result<EndingExplanations> explain_endings(const EventModel& model, const EventData& data,
                                           Split split, const Observer& observer = {});

/// The first `top` reasons of each ending.
Json to_json(const EndingExplanations& explanations, std::size_t top);
std::string to_text(const EndingExplanations& explanations, std::size_t top);

}  // namespace lerpp
