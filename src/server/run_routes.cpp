// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <lerp/base/options_json.hpp>
#include <lerp/base/version.hpp>
#include <lerp/kg/stats.hpp>

#include "server/api.hpp"
#include "server/assets.hpp"

namespace lerpp {
namespace {

Json summary(ServedRun& served) {
  const Json metrics = served.metrics();
  Json json = {{"name", served.name()},
               {"dataset", served.run().config().data.filename().string()},
               {"model", served.model()},
               {"ready", served.ready()},
               {"mrr", nullptr},
               {"epochs", nullptr},
               {"embedding", served.run().model().shape().embedding > 0},
               {"list", served.run().has_list()}};
  if (!metrics.is_object()) return json;
  if (metrics.contains("dataset")) json["dataset"] = metrics["dataset"];
  if (metrics.contains("both")) json["mrr"] = metrics["both"]["realistic"]["mrr"];
  if (metrics.contains("epochs")) json["epochs"] = metrics["epochs"];
  return json;
}

Answered<WebReply> all_runs(ApiState& state, Asked& asked) {
  LERP_CHECK(asked.question.check());
  Json json = {{"runs", Json::array()}};
  for (const auto& served : state.runs.all()) json["runs"].push_back(summary(*served));
  return json_reply(json);
}

Answered<WebReply> one_run(ApiState& state, Asked& asked) {
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(asked.part));
  const Run run = served->watched(asked.observer);
  LERP_TRY(data, run.data());
  LERP_TRY(stats, statistics(*data, 0, asked.observer));
  Json json = summary(*served);
  json["stats"] = to_json(stats);
  json["metrics"] = served->metrics();
  json["config"] = options_to_json(run.config().options);
  json["trace"] = Json::array();
  if (std::filesystem::exists(run.folder() / "trace.jsonl")) {
    LERP_TRY(trace, run.trace());
    for (const EpochReport& epoch : trace) json["trace"].push_back(to_json(epoch));
  }
  return json_reply(Json::parse(state.runs.without_paths(dump(json))));
}

Answered<WebReply> relations(ApiState& state, Asked& asked) {
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(asked.part));
  LERP_TRY(data, served->watched(asked.observer).data());
  LERP_TRY(stats, statistics(*data, 0, asked.observer));
  Json json = {{"relations", Json::array()}};
  for (const Stats::Relation& relation : stats.by_relation) {
    const std::optional<RelationId> id = data->relations.find(relation.name);
    json["relations"].push_back({{"name", relation.name},
                                 {"label", id ? data->relation_label(*id) : relation.name},
                                 {"facts", relation.facts},
                                 {"subjects_per_object", relation.subjects_per_object},
                                 {"objects_per_subject", relation.objects_per_subject}});
  }
  return json_reply(json);
}

}  // namespace

void add_run_routes(std::vector<Route>& routes, ApiState& state) {
  routes.push_back(
      {"GET", "/health", Pace::instant, false, [&](Asked& asked) -> Answered<WebReply> {
         LERP_CHECK(asked.question.check());
         return json_reply({{"status", "ok"},
                            {"version", program_version},
                            {"runs", state.runs.all().size()},
                            {"given_up", state.given_up.load()},
                            {"data_root", !state.options.data_root.empty()}});
       }});
  routes.push_back(
      {"GET", "/openapi.json", Pace::instant, false, [](Asked& asked) -> Answered<WebReply> {
         LERP_CHECK(asked.question.check());
         WebReply reply;
         reply.body = api_description();
         return reply;
       }});
  routes.push_back(
      {"GET", "/runs", Pace::instant, false, [&](Asked& asked) { return all_runs(state, asked); }});
  routes.push_back({"GET", "/runs/{run}", Pace::slow, true,
                    [&](Asked& asked) { return one_run(state, asked); }});
  routes.push_back({"GET", "/runs/{run}/relations", Pace::slow, true,
                    [&](Asked& asked) { return relations(state, asked); }});
}

}  // namespace lerpp
