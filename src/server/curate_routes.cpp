// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <utility>

#include "server/api.hpp"
#include "server/decision_routes.hpp"

namespace lerpp {
namespace {

/// The list as the command line has it, with what people call the entities.
Json labelled_json(const CuratedFacts& found, const Dataset& data) {
  Json json = to_json(found, data);
  for (std::size_t i = 0; i < found.facts.size(); ++i) {
    json["facts"][i]["subject_label"] = data.entity_label(found.facts[i].fact.subject);
    json["facts"][i]["object_label"] = data.entity_label(found.facts[i].fact.object);
  }
  return json;
}

/// The head of a list, less improbable facts and, where that is wanted, those that are decided.
Answered<WebReply> cut(ApiState& state, Asked& asked, ServedRun& served, const CuratedFacts& all,
                       std::size_t top, double least, bool undecided) {
  LERP_TRY(data, served.watched(asked.observer).data());
  std::set<Fact> decided;
  if (undecided) {
    LERP_TRY(facts, decided_facts(*state.decisions, served, *data));
    decided = std::move(facts);
  }
  CuratedFacts found = {all.dataset, {}, all.looked_at, all.seconds};
  for (const CuratedFact& one : all.facts) {
    if (found.facts.size() == top) break;
    if (one.probability >= least && !decided.contains(one.fact)) found.facts.push_back(one);
  }
  return json_reply(labelled_json(found, *data));
}

Answered<WebReply> complete_facts(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  CompleteOptions options;
  const std::string run_name = question.text("run", 1, 255);
  options.relation = question.text("relation");
  options.entity = question.text("entity");
  options.top = question.small("top", 1, 10'000, options.top);
  options.min_probability = question.number("min_probability", 0, 1, 0);
  const bool undecided = question.flag("undecided");
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  if (!options.relation.empty()) LERP_CHECK(served->relation(options.relation, asked.observer));
  if (!options.entity.empty()) LERP_CHECK(served->entity(options.entity, asked.observer));
  const std::size_t top = options.top;
  const double least = std::exchange(options.min_probability, 0);
  LERP_TRY(found, served->complete(options, asked.observer));
  return cut(state, asked, *served, *found, top, least, undecided);
}

Answered<WebReply> doubt_facts(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  DoubtOptions options;
  const std::string run_name = question.text("run", 1, 255);
  options.relation = question.text("relation");
  options.top = question.small("top", 1, 10'000, options.top);
  const bool undecided = question.flag("undecided");
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  if (!options.relation.empty()) LERP_CHECK(served->relation(options.relation, asked.observer));
  LERP_TRY(found, served->doubt(options, asked.observer));
  return cut(state, asked, *served, *found, options.top, 0, undecided);
}

}  // namespace

void add_curate_routes(std::vector<Route>& routes, ApiState& state) {
  routes.push_back({"POST", "/complete", Pace::slow, false,
                    [&](Asked& asked) { return complete_facts(state, asked); }});
  routes.push_back({"POST", "/doubt", Pace::slow, false,
                    [&](Asked& asked) { return doubt_facts(state, asked); }});
}

}  // namespace lerpp
