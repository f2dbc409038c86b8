// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/distill/distill.hpp>
#include <lerp/logic/rule_body.hpp>

namespace lerpp {

Result<Fidelity> fidelity(const Model& model, const RuleList& list, const KnownGraph& known,
                          const std::vector<Split>& splits, unsigned threads,
                          const Observer& observer) {
  const Dataset& dataset = known.dataset();
  Fidelity result;
  const auto counts = rules_of_relations(list.rules, dataset.relations.size());
  for (RelationId relation = 0; relation < dataset.relations.size(); ++relation)
    result.relations.push_back({std::string(dataset.relations.name(relation)), counts[relation]});
  const auto soft = make_scorer(model, known, threads);
  const auto discrete = make_scorer(list, known.graph());
  for (const Split split : splits) {
    if (dataset[split].empty()) continue;
    RankingOptions ranking;
    ranking.split = split;
    ranking.threads = threads;
    LERP_TRY(of_model, rank(*soft, dataset, ranking, observer));
    LERP_TRY(of_list, rank(*discrete, dataset, ranking, observer));
    result.splits.push_back({std::move(of_model), std::move(of_list)});
  }
  return result;
}

Json to_json(const Fidelity& fidelity) {
  Json json = {{"seconds", fidelity.seconds}};
  std::size_t rules = 0;
  for (const auto& [name, count] : fidelity.relations) {
    json["relations"][name] = count;
    rules += count;
  }
  json["rules"] = rules;
  for (const auto& [model, list] : fidelity.splits) {
    json["splits"][std::string(name_of(list.split))] = {
        {"model", to_json(model)},
        {"list", to_json(list)},
        {"lost", model.both.realistic.mrr - list.both.realistic.mrr}};
  }
  return json;
}

std::string to_text(const Fidelity& fidelity) {
  std::size_t rules = 0;
  std::size_t most = 0;
  for (const auto& [name, count] : fidelity.relations) {
    rules += count;
    most = std::max(most, count);
  }
  std::string text = fmt::format("{} rules, at most {} a relation\n", rules, most);
  text += "MRR           realistic  optimistic  pessimistic   hits@1  hits@10\n";
  const auto line = [&](Split split, std::string_view who, const Protocols& both) {
    text += fmt::format("{:<5} {:<7}     {:.4f}      {:.4f}       {:.4f}    {:.3f}    {:.3f}\n",
                        name_of(split), who, both.realistic.mrr, both.optimistic.mrr,
                        both.pessimistic.mrr, both.realistic.hits_at_1, both.realistic.hits_at_10);
  };
  for (const auto& [model, list] : fidelity.splits) {
    line(model.split, "model", model.both);
    line(list.split, "list", list.both);
  }
  text.pop_back();
  return text;
}

}  // namespace lerpp
