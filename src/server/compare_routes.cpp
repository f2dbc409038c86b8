// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <lerp/read/function_clusters.hpp>
#include <lerp/run/compare.hpp>

#include "server/api.hpp"

namespace lerpp {
namespace {

constexpr std::array<std::string_view, 2> ranked_splits = {"valid", "test"};

Split split_of(const std::string& name) {
  return name == "test" ? Split::test : Split::valid;
}

/// A run and the one that it is compared with.
struct Two {
  std::shared_ptr<ServedRun> before;
  std::shared_ptr<ServedRun> after;
};

Answered<Two> two_runs(ApiState& state, const std::string& before, const std::string& after) {
  LERP_TRY(first, state.runs.find(before));
  LERP_TRY(second, state.runs.find(after));
  return Two{first, second};
}

Json page_of(const std::vector<ReadRule>& rules, const RuleReport& report, const Dataset& data,
             std::size_t offset, std::size_t limit) {
  RuleReport page = {{}, report.found, report.questions, report.sum, report.seconds};
  for (std::size_t i = offset; i < std::min(rules.size(), offset + limit); ++i)
    page.rules.push_back(rules[i]);
  Json json = to_json(page, data)["rules"];
  for (std::size_t i = 0; i < page.rules.size(); ++i)
    json[i]["length"] = page.rules[i].rule.hops().size();
  return {{"total", rules.size()}, {"read", report.rules.size()}, {"rules", std::move(json)}};
}

Answered<WebReply> rules_apart(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  const std::string with = question.need("with", 255);
  const std::uint32_t each = question.small("each", 1, 1000, 100);
  const std::size_t offset = question.whole("offset", 0, 1'000'000, 0);
  const std::size_t limit = question.whole("limit", 1, 1000, 25);
  LERP_CHECK(question.check());
  LERP_TRY(two, two_runs(state, asked.part, with));
  LERP_TRY(before, two.before->rules(each, asked.observer));
  LERP_TRY(after, two.after->rules(each, asked.observer));
  LERP_TRY(before_data, two.before->watched(asked.observer).data());
  LERP_TRY(after_data, two.after->watched(asked.observer).data());
  const RulesApart apart = compare_rules(*before, *before_data, *after, *after_data);
  return json_reply({{"kept", apart.kept},
                     {"offset", offset},
                     {"gained", page_of(apart.gained, *after, *after_data, offset, limit)},
                     {"lost", page_of(apart.lost, *before, *before_data, offset, limit)}});
}

Answered<WebReply> ranks_apart(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  const std::string with = question.need("with", 255);
  RankingOptions options;
  const std::string split = question.choice("split", ranked_splits, "valid");
  options.split = split_of(split);
  options.facts = question.whole("facts", 0, 1'000'000, 500);
  const std::size_t top = question.whole("top", 0, 1000, 25);
  LERP_CHECK(question.check());
  LERP_TRY(two, two_runs(state, asked.part, with));
  LERP_TRY(found, with_status(409, compare_ranks(two.before->watched(asked.observer),
                                                 two.after->watched(asked.observer), options)));
  Json json = to_json(found.changes, *found.dataset, top);
  json["split"] = split;
  json["facts"] = found.facts;
  return json_reply(json);
}

/// What the list of a run loses without some rules.
Answered<WebReply> without_rules(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  const std::string run_name = question.text("run", 1, 255);
  const std::vector<std::string> texts = question.texts("rules", 1, 100);
  RankingOptions options;
  const std::string split = question.choice("split", ranked_splits, "valid");
  options.split = split_of(split);
  options.facts = question.whole("facts", 0, 1'000'000, 0);
  const std::size_t top = question.whole("top", 0, 1000, 10);
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  const Run run = served->watched(asked.observer);
  LERP_TRY(data, run.data());
  if (!run.has_list()) {
    return refuse(409, "the run has no list of rules: no rule of it answers by itself",
                  served->name(), "make one with lerp distill");
  }
  std::vector<Rule> rules;
  for (const std::string& text : texts) {
    LERP_TRY(rule, with_status(404, parse_rule(text, {data->relations, data->entities})));
    rules.push_back(std::move(rule));
  }
  LERP_TRY(off, with_status(409, run.switch_off(rules, options)));
  Json json = to_json(off, *data, top);
  json["split"] = split;
  json["answers"] = run.list_answers();
  return json_reply(json);
}

Answered<WebReply> clusters(ApiState& state, Asked& asked) {
  ClusterOptions options;
  options.clusters = asked.question.small("clusters", 1, 64, options.clusters);
  options.examples = asked.question.small("examples", 0, 100, options.examples);
  LERP_CHECK(asked.question.check());
  LERP_TRY(served, state.runs.find(asked.part));
  const Run run = served->watched(asked.observer);
  LERP_TRY(data, run.data());
  LERP_TRY(found, with_status(409, run.function_clusters(options)));
  return json_reply(to_json(found, *data));
}

}  // namespace

void add_compare_routes(std::vector<Route>& routes, ApiState& state) {
  const auto add = [&](const char* method, const char* path,
                       Answered<WebReply> (*answer)(ApiState&, Asked&)) {
    routes.push_back({method, path, Pace::slow, true,
                      [&state, answer](Asked& asked) { return answer(state, asked); }});
  };
  add("GET", "/runs/{run}/compare/rules", rules_apart);
  add("GET", "/runs/{run}/compare/ranks", ranks_apart);
  add("GET", "/runs/{run}/clusters", clusters);
  add("POST", "/rules/without", without_rules);
}

}  // namespace lerpp
