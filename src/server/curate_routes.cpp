// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

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

template <class Options>
Answered<WebReply> curate(ApiState& state, Asked& asked, const std::string& run_name,
                          Options options, bool undecided,
                          Result<CuratedFacts> (Run::*look)(const Options&) const) {
  LERP_TRY(served, state.runs.find(run_name));
  const Run run = served->watched(asked.observer);
  LERP_TRY(data, run.data());
  std::set<Fact> decided;
  if (undecided) {
    LERP_TRY(facts, decided_facts(*state.decisions, *served, *data));
    decided = std::move(facts);
  }
  const std::uint32_t top = options.top;
  // As many more as may be left out.
  options.top += static_cast<std::uint32_t>(decided.size());
  LERP_TRY(found, (run.*look)(options));
  const auto is_decided = [&](const CuratedFact& one) { return decided.contains(one.fact); };
  found.facts.erase(std::remove_if(found.facts.begin(), found.facts.end(), is_decided),
                    found.facts.end());
  while (found.facts.size() > top) found.facts.pop_back();
  return json_reply(labelled_json(found, *data));
}

Answered<WebReply> complete_facts(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  CompleteOptions options;
  const std::string run_name = question.text("run", 0, 255);
  options.relation = question.text("relation");
  options.entity = question.text("entity");
  options.top = question.small("top", 1, 10'000, options.top);
  options.min_probability = question.number("min_probability", 0, 1, 0);
  const bool undecided = question.flag("undecided");
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  if (!options.relation.empty()) LERP_CHECK(served->relation(options.relation, asked.observer));
  if (!options.entity.empty()) LERP_CHECK(served->entity(options.entity, asked.observer));
  return curate(state, asked, run_name, options, undecided, &Run::complete);
}

Answered<WebReply> doubt_facts(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  DoubtOptions options;
  const std::string run_name = question.text("run", 0, 255);
  options.relation = question.text("relation");
  options.top = question.small("top", 1, 10'000, options.top);
  const bool undecided = question.flag("undecided");
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  if (!options.relation.empty()) LERP_CHECK(served->relation(options.relation, asked.observer));
  return curate(state, asked, run_name, options, undecided, &Run::doubt);
}

}  // namespace

void add_curate_routes(std::vector<Route>& routes, ApiState& state) {
  routes.push_back({"POST", "/complete", Pace::slow, false,
                    [&](Asked& asked) { return complete_facts(state, asked); }});
  routes.push_back({"POST", "/doubt", Pace::slow, false,
                    [&](Asked& asked) { return doubt_facts(state, asked); }});
}

}  // namespace lerpp
