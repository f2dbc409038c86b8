// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "server/api.hpp"

namespace lerpp {
namespace {

Answered<WebReply> predict(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  constexpr std::array<std::string_view, 2> known = {"show", "hide"};
  const std::string run_name = question.text("run", 1, 255);
  const std::string head = question.text("head", 1, 4096, "?");
  const std::string relation = question.need("relation");
  const std::string tail = question.text("tail", 1, 4096, "?");
  PredictOptions options;
  options.top = question.small("top", 1, 1000, options.top);
  options.known = question.choice("known", known, "show");
  const bool rules_only = question.flag("rules_only");
  LERP_CHECK(question.check());
  if ((head == "?") == (tail == "?")) {
    return refuse(400, head == "?" ? "both ends are asked for" : "neither end is asked for", "",
                  "name one of head and tail, and '?' for the other");
  }
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(number, served->relation(relation, asked.observer));
  LERP_TRY(start, served->entity(tail == "?" ? head : tail, asked.observer));
  Run run = served->watched(asked.observer);
  if (rules_only) run = served->rules_only().watched_by(asked.observer);
  LERP_TRY(data, run.data());
  const Query query{tail == "?" ? number : number + data->relations.size(), start};
  LERP_TRY(prediction, run.predict(query, options));
  return json_reply(to_json(prediction));
}

Answered<std::vector<Fact>> named_facts(const ServedRun& served,
                                        const std::vector<Question::Names>& names,
                                        const Observer& observer) {
  std::vector<Fact> facts;
  for (const Question::Names& one : names) {
    LERP_TRY(fact, served.fact(one.head, one.relation, one.tail, observer));
    facts.push_back(fact);
  }
  return facts;
}

Json facts_json(const Dataset& data, const std::vector<Fact>& facts) {
  Json json = Json::array();
  for (const Fact& fact : facts) json.push_back(fact_json(data, fact));
  return json;
}

Answered<WebReply> explain(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  constexpr std::array<std::string_view, 2> directions = {"tail", "head"};
  const std::string run_name = question.text("run", 1, 255);
  const Question::Names names = {question.need("head"), question.need("relation"),
                                 question.need("tail")};
  ExplainOptions options;
  options.direction = question.choice("direction", directions, "tail");
  options.with_fact = question.flag("with_fact");
  options.top = question.small("top", 1, 1'000'000'000, options.top);
  options.reasons = question.small("reasons", 1, 200, options.reasons);
  options.groundings = question.small("groundings", 0, 20, options.groundings);
  options.facts = question.small("facts", 0, 50, options.facts);
  options.missing = question.small("missing", 0, 20, options.missing);
  const bool rules_only = question.flag("rules_only");
  const std::vector<Question::Names> hidden = question.facts("hide", 0, 100);
  const std::vector<Question::Names> more = question.facts("add", 0, 20);
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(fact, served->fact(names.head, names.relation, names.tail, asked.observer));
  LERP_TRY(hide, named_facts(*served, hidden, asked.observer));
  LERP_TRY(add, named_facts(*served, more, asked.observer));
  const Run run = (rules_only ? served->rules_only() : served->run()).watched_by(asked.observer);
  LERP_TRY(data, run.data());
  LERP_TRY(explanation, run.explain(fact, options));
  Json json = to_json(explanation, *data);
  if (!hide.empty() || !add.empty()) {
    LERP_TRY(changed, run.what_if(fact, hide, add, options));
    json["what_if"] = {
        {"hide", facts_json(*data, hide)},         {"add", facts_json(*data, add)},
        {"before", to_json(explanation.standing)}, {"after", to_json(changed.standing)},
        {"predicted", changed.predicted},          {"exact", changed.exact}};
  }
  return json_reply(json);
}

Answered<WebReply> score(ApiState& state, Asked& asked) {
  const std::string run_name = asked.question.text("run", 1, 255);
  const std::vector<Question::Names> names = asked.question.facts("facts", 1, 1000);
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(facts, named_facts(*served, names, asked.observer));
  std::vector<LabelledFact> given;
  given.reserve(facts.size());
  for (const Fact& fact : facts) given.push_back({fact, {}});
  const Run run = served->watched(asked.observer);
  LERP_TRY(data, run.data());
  LERP_TRY(scored, run.score(std::move(given)));
  return json_reply(to_json(scored, *data));
}

Answered<WebReply> search(ApiState& state, Asked& asked) {
  const std::string run_name = asked.question.text("run", 1, 255);
  const std::string text = asked.question.need("q", 500);
  const std::size_t limit = asked.question.whole("limit", 1, 100, 10);
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(data, served->watched(asked.observer).data());
  LERP_TRY(index, served->names());
  Json json = {{"query", text}, {"entities", Json::array()}, {"relations", Json::array()}};
  for (const NameIndex::Found& found : index->entities(text, limit, asked.observer)) {
    Json one = entity_json(*data, found.id);
    one["degree"] = found.degree;
    one["match"] = name_of(found.match);
    json["entities"].push_back(std::move(one));
  }
  for (const NameIndex::Found& found : index->relations(text, limit)) {
    json["relations"].push_back({{"name", data->relations.name(found.id)},
                                 {"label", data->relation_label(found.id)},
                                 {"match", name_of(found.match)}});
  }
  return json_reply(json);
}

}  // namespace

void add_question_routes(std::vector<Route>& routes, ApiState& state) {
  const auto add = [&](const char* method, const char* path, Pace pace,
                       Answered<WebReply> (*answer)(ApiState&, Asked&)) {
    routes.push_back({method, path, pace, true,
                      [&state, answer](Asked& asked) { return answer(state, asked); }});
  };
  add("POST", "/predict", Pace::quick, predict);
  add("POST", "/explain", Pace::quick, explain);
  add("POST", "/score", Pace::quick, score);
  add("GET", "/search", Pace::quick, search);
}

}  // namespace lerpp
