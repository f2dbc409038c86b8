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

}  // namespace

Result<Report> make_report(const std::filesystem::path& folder, const ReportOptions& options,
                           const Observer& observer) {
  LERP_TRY(run, open_run(folder));
  LERP_TRY(dataset, load_data(run.config, options.threads, observer));
  const KnownGraph known(dataset, known_splits(run.config.options), options.threads);
  Report report;
  report.name = std::filesystem::absolute(folder).lexically_normal().filename().string();
  if (report.name.empty()) report.name = folder.parent_path().filename().string();
  report.config = run.config;
  report.shape = run.model.shape();
  report.parameters = run.model.parameters.values().size();
  report.sum = !run.model.shape().evidence;
  LERP_TRY(trace, load_trace(folder));
  report.trace = std::move(trace);

  RankingOptions ranking;
  ranking.threads = options.threads;
  ranking.split = dataset[Split::test].empty() ? Split::valid : Split::test;
  if (!dataset[ranking.split].empty()) {
    LERP_TRY(ranks, evaluate_parts(run.model, known, ranking, observer));
    report.ranks = std::move(ranks);
  }

  RulesOptions of_rules;
  of_rules.top = 0;
  of_rules.each = options.rules;
  of_rules.threads = options.threads;
  LERP_TRY(read, rules(run.model, known, of_rules, observer));
  std::map<RelationId, std::vector<ReadRule>> by_relation;
  for (ReadRule& rule : read.rules)
    by_relation[rule.rule.target() % dataset.relations.size()].push_back(std::move(rule));
  const std::vector<RelationId> order = by_importance(dataset, ranking.split);
  for (const RelationId id : order) {
    const auto found = by_relation.find(id);
    if (found == by_relation.end()) continue;
    if (report.relations.size() == options.relations) {
      ++report.relations_left_out;
      continue;
    }
    report.relations.push_back({id, std::move(found->second)});
  }

  if (run.model.shape().functions() > 0) {
    FunctionsOptions of_functions;
    of_functions.top = options.functions;
    of_functions.threads = options.threads;
    LERP_TRY(found, functions(run.model, known, of_functions));
    report.functions = std::move(found);
    FunctionSpaceOptions of_space;
    of_space.threads = options.threads;
    LERP_TRY(space, function_space(run.model, known, usual_roles(known), of_space));
    report.space = std::move(space);
  }
  if (run.model.shape().rules > 0 && run.model.shape().length > 0 && !order.empty()) {
    LERP_TRY(of_network, network(run.model, order.front()));
    report.network = std::move(of_network);
  }
  if (report.ranks) {
    const Predictor predictor(std::move(run.model), known, options.threads);
    report.proof = example_proof(predictor, ranking.split);
  }
  report.dataset = std::move(dataset);
  return report;
}

Json to_json(const Report& report) {
  Json json = {{"run", report.name},
               {"dataset", report.dataset.name},
               {"fingerprint", report.config.fingerprint},
               {"parameters", report.parameters}};
  if (report.ranks) json["ranks"] = to_json(*report.ranks);
  const Names names = {report.dataset.relations, report.dataset.entities};
  json["rules"] = Json::object();
  for (const Report::Relation& relation : report.relations) {
    Json& list = json["rules"][std::string(report.dataset.relations.name(relation.id))];
    list = Json::array();
    for (const ReadRule& rule : relation.rules)
      list.push_back(to_text(rule.rule, names, {.weight = true}));
  }
  if (report.proof) json["proof"] = to_json(*report.proof, report.dataset);
  json["functions"] = to_json(report.functions, report.dataset)["functions"];
  return json;
}

}  // namespace lerpp
