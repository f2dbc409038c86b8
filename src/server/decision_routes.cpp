// SPDX-License-Identifier: Apache-2.0
#include "server/decision_routes.hpp"

#include <array>
#include <limits>

#include <lerp/kg/dataset.hpp>

#include "server/api.hpp"
#include "server/decision_export.hpp"

namespace lerpp {
namespace {

Json decision_json(const Decision& decision, const Dataset& data) {
  const auto label = [&](const std::string& name) {
    const std::optional<EntityId> id = data.entities.find(name);
    return id ? data.entity_label(*id) : name;
  };
  Json json = {{"id", decision.id},
               {"key", decision.key},
               {"head", decision.head},
               {"relation", decision.relation},
               {"tail", decision.tail},
               {"head_label", label(decision.head)},
               {"tail_label", label(decision.tail)},
               {"verdict", decision.verdict}};
  json["undoes"] = decision.undoes ? Json(*decision.undoes) : Json(nullptr);
  json["note"] = decision.note;
  json["who"] = decision.who;
  json["at"] = decision.at;
  json["model"] = decision.model;
  json["in_force"] = decision.in_force;
  return json;
}

Answered<WebReply> added(const DecisionLog::Added& added, const Dataset& data) {
  if (!added.same) return refuse(409, "the key belongs to another decision", "", "make a new key");
  return json_reply(decision_json(added.decision, data), added.fresh ? 201 : 200);
}

Answered<WebReply> decide(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  constexpr std::array<std::string_view, 3> verdicts = {"accept", "reject", "unsure"};
  const std::string run_name = question.text("run", 1, 255);
  Decision decision;
  decision.key = question.need("key", 100);
  const Question::Names names = {question.need("head"), question.need("relation"),
                                 question.need("tail")};
  decision.verdict = question.choice("verdict", verdicts, {});
  decision.note = question.text("note", 0, 10'000);
  decision.who = question.text("who", 0, 200);
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(fact, served->fact(names.head, names.relation, names.tail, asked.observer));
  LERP_TRY(data, served->watched(asked.observer).data());
  decision.head = data->entities.name(fact.subject);
  decision.relation = data->relations.name(fact.relation);
  decision.tail = data->entities.name(fact.object);
  decision.model = served->model();
  LERP_TRY(log, state.decisions->of(*served));
  LERP_TRY(done, log->add(std::move(decision)));
  return added(done, *data);
}

Answered<WebReply> undo(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  const std::string run_name = question.text("run", 1, 255);
  Decision decision;
  decision.key = question.need("key", 100);
  decision.undoes =
      static_cast<std::int64_t>(question.whole("id", 1, (std::uint64_t{1} << 53U) - 1, {}));
  decision.verdict = "undo";
  decision.note = question.text("note", 0, 10'000);
  decision.who = question.text("who", 0, 200);
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(data, served->watched(asked.observer).data());
  decision.model = served->model();
  LERP_TRY(log, state.decisions->of(*served));
  LERP_TRY(done, log->add(std::move(decision)));
  if (!done.exists)
    return refuse(404, "no decision in force has this id", "", "see those of GET decisions");
  return added(done, *data);
}

Answered<WebReply> list(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  const std::string run_name = question.text("run", 1, 255);
  const auto since =
      static_cast<std::int64_t>(question.whole("since", 0, (std::uint64_t{1} << 53U) - 1, 0));
  const bool in_force = question.flag("in_force");
  const std::size_t limit = question.whole("limit", 1, 10'000, 1000);
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(data, served->watched(asked.observer).data());
  LERP_TRY(log, state.decisions->if_any(*served));
  Json json = {{"decisions", Json::array()}};
  DecisionLog::Counts counts;
  if (log != nullptr) {
    // What is added between the two is told the next time.
    LERP_TRY(counted, log->counts());
    counts = counted;
    LERP_TRY(decisions, log->after(since, in_force, limit));
    for (const Decision& decision : decisions)
      json["decisions"].push_back(decision_json(decision, *data));
  }
  json["last"] = counts.last;
  json["accepted"] = counts.accepted;
  json["rejected"] = counts.rejected;
  json["unsure"] = counts.unsure;
  return json_reply(json);
}

Answered<WebReply> export_list(ApiState& state, Asked& asked) {
  constexpr std::array<std::string_view, 3> formats = {"facts", "ntriples", "csv"};
  const std::string run_name = asked.question.text("run", 1, 255);
  const std::string format = asked.question.choice("format", formats, "facts");
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(decisions, decisions_in_force(*state.decisions, *served));
  WebReply reply;
  std::string name;
  if (format == "csv") {
    reply.type = "text/csv; charset=utf-8";
    reply.body = decisions_csv(decisions);
    name = "decisions.csv";
  } else if (format == "ntriples") {
    reply.type = "application/n-triples";
    reply.body = decisions_ntriples(decisions);
    name = "decisions.nt";
  } else {
    reply.type = "text/tab-separated-values; charset=utf-8";
    reply.body = decisions_tsv(decisions);
    name = "decisions.tsv";
  }
  reply.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + name + "\"");
  return reply;
}

}  // namespace

Result<DecisionLog*> DecisionBooks::open(const ServedRun& served, bool make) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<DecisionLog>& log = logs_[served.name()];
  if (log) return log.get();
  const std::filesystem::path path = served.run().folder() / "decisions.sqlite";
  if (!make && !std::filesystem::exists(path)) return nullptr;
  LERP_TRY(opened, DecisionLog::open(path));
  log = std::move(opened);
  return log.get();
}

Result<DecisionLog*> DecisionBooks::of(const ServedRun& served) {
  return open(served, true);
}

Result<DecisionLog*> DecisionBooks::if_any(const ServedRun& served) {
  return open(served, false);
}

Result<std::vector<Decision>> decisions_in_force(DecisionBooks& books, const ServedRun& served) {
  LERP_TRY(log, books.if_any(served));
  if (log == nullptr) return std::vector<Decision>();
  return log->after(0, true, std::numeric_limits<std::int32_t>::max());
}

Result<std::set<Fact>> decided_facts(DecisionBooks& books, const ServedRun& served,
                                     const Dataset& data) {
  LERP_TRY(decisions, decisions_in_force(books, served));
  std::set<Fact> facts;
  for (const Decision& decision : decisions) {
    const std::optional<EntityId> head = data.entities.find(decision.head);
    const std::optional<RelationId> relation = data.relations.find(decision.relation);
    const std::optional<EntityId> tail = data.entities.find(decision.tail);
    if (head && relation && tail) facts.insert({*head, *relation, *tail});
  }
  return facts;
}

void add_decision_routes(std::vector<Route>& routes, ApiState& state) {
  const auto add = [&](const char* method, const char* path,
                       Answered<WebReply> (*answer)(ApiState&, Asked&)) {
    routes.push_back({method, path, Pace::instant, false,
                      [&state, answer](Asked& asked) { return answer(state, asked); }});
  };
  add("GET", "/decisions", list);
  add("POST", "/decisions", decide);
  add("POST", "/decisions/undo", undo);
  add("GET", "/decisions/export", export_list);
}

}  // namespace lerpp
