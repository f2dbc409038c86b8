// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <lerp/base/json.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/report/report.hpp>
#include <lerp/train/trace.hpp>

#include "report/example_proof.hpp"

namespace lerpp {
namespace {

/// Relations in the order of how often they are asked about, then of how many facts they have.
std::vector<RelationId> by_importance(const Dataset& dataset, Split asked) {
  std::vector<std::pair<std::size_t, std::size_t>> counts(dataset.relations.size());
  for (const Fact& fact : dataset[asked]) ++counts[fact.relation].first;
  for (const Fact& fact : dataset[Split::train]) ++counts[fact.relation].second;
  std::vector<RelationId> order(dataset.relations.size());
  for (RelationId id = 0; id < order.size(); ++id) order[id] = id;
  std::stable_sort(order.begin(), order.end(),
                   [&](RelationId a, RelationId b) { return counts[a] > counts[b]; });
  return order;
}

std::string name_of_run(const std::filesystem::path& folder) {
  const std::string name = std::filesystem::absolute(folder).lexically_normal().filename().string();
  return name.empty() ? folder.parent_path().filename().string() : name;
}

/// Gives the first relations of the order their rules, at most so many of them.
void show_rules(Report& report, RuleReport read, const std::vector<RelationId>& order,
                std::size_t most) {
  std::map<RelationId, std::vector<ReadRule>> by_relation;
  for (ReadRule& rule : read.rules)
    by_relation[rule.rule.target() % report.dataset->relations.size()].push_back(std::move(rule));
  for (const RelationId id : order) {
    const auto found = by_relation.find(id);
    if (found == by_relation.end()) continue;
    if (report.relations.size() == most) {
      ++report.relations_left_out;
    } else {
      report.relations.push_back({id, std::move(found->second)});
    }
  }
}

/// What the heaviest operator of a hop must weigh for the hop to say something.
constexpr double decided = 0.5;

/// The strongest soft rule that has made up its mind: at each hop one operator outweighs all others
/// together. A diagram of any other says nothing.
Result<std::optional<Network>> telling_network(const Model& model, OperatorId target) {
  NetworkOptions options;
  for (; options.rule < model.shape().rules; ++options.rule) {
    LERP_TRY(found, network(model, target, options));
    if (std::all_of(
            found.hops.begin(), found.hops.end(),
            [](const std::vector<Network::Weighed>& hop) { return hop.front().weight > decided; }))
      return std::optional(std::move(found));
  }
  return std::optional<Network>();
}

}  // namespace

Result<Report> make_report(const std::filesystem::path& folder, const RunConfig& config,
                           const Model& model, const Predictor& predictor,
                           const ReportOptions& options, const Observer& observer) {
  const Model& reader = predictor.model();
  const KnownGraph& known = predictor.known();
  const Dataset& dataset = known.dataset();
  Report report;
  report.name = name_of_run(folder);
  report.config = config;
  report.dataset = known.shared_dataset();
  report.shape = model.shape();
  report.parameters = model.parameters.values().size();
  report.sum = !model.shape().evidence;
  LERP_TRY(trace, load_trace(folder));
  report.trace = std::move(trace);

  RankingOptions ranking;
  ranking.threads = options.threads;
  ranking.split = dataset[Split::test].empty() ? Split::valid : Split::test;
  if (!dataset[ranking.split].empty()) {
    LERP_TRY(ranks, evaluate_parts(model, known, ranking, observer));
    if (reader.list) {
      LERP_TRY(few, evaluate(reader, known, ranking, observer));
      ranks.few_rules = std::move(few);
    }
    report.ranks = std::move(ranks);
  }

  RulesOptions of_rules;
  of_rules.top = 0;
  of_rules.each = options.rules;
  of_rules.threads = options.threads;
  LERP_TRY(read, rules(reader, known, of_rules, observer, readings_file(folder)));
  const std::vector<RelationId> order = by_importance(dataset, ranking.split);
  show_rules(report, std::move(read), order, options.relations);

  if (model.shape().functions() > 0) {
    FunctionsOptions of_functions;
    of_functions.top = options.functions;
    of_functions.threads = options.threads;
    LERP_TRY(found, functions(model, known, of_functions));
    report.functions = std::move(found);
    FunctionSpaceOptions of_space;
    of_space.threads = options.threads;
    LERP_TRY(space, function_space(model, known, usual_roles(known), of_space));
    report.space = std::move(space);
  }
  if (model.shape().rules > 0 && model.shape().length > 0 && !order.empty()) {
    LERP_TRY(of_network, telling_network(model, order.front()));
    report.network = std::move(of_network);
  }
  if (report.ranks) report.proof = example_proof(predictor, ranking.split);
  return report;
}

Json to_json(const Report& report) {
  Json json = {{"run", report.name},
               {"dataset", report.dataset->name},
               {"fingerprint", report.config.fingerprint},
               {"parameters", report.parameters}};
  if (report.ranks) json["ranks"] = to_json(*report.ranks);
  const Names names = {report.dataset->relations, report.dataset->entities};
  json["rules"] = Json::object();
  for (const Report::Relation& relation : report.relations) {
    Json& list = json["rules"][std::string(report.dataset->relations.name(relation.id))];
    list = Json::array();
    for (const ReadRule& rule : relation.rules)
      list.push_back(to_text(rule.rule, names, {.weight = true}));
  }
  if (report.proof) json["proof"] = to_json(*report.proof, *report.dataset);
  json["functions"] = to_json(report.functions, *report.dataset)["functions"];
  return json;
}

}  // namespace lerpp
