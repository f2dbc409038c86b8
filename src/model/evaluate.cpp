// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/model/model.hpp>

#include "model/embedding_parts.hpp"
#include "model/renumber.hpp"

namespace lerpp {
namespace {

std::string line_of(const RankingReport& report) {
  const Protocols& both = report.both;
  return fmt::format(
      "MRR {:.3f} (optimistic {:.3f}, pessimistic {:.3f})   hits@1 {:.3f}   hits@10 {:.3f}   "
      "ranked "
      "in {:.1f} s",
      both.realistic.mrr, both.optimistic.mrr, both.pessimistic.mrr, both.realistic.hits_at_1,
      both.realistic.hits_at_10, report.seconds);
}

}  // namespace

Model without_embedding(const Model& model) {
  return {model.relations, rules_of(model.parameters), model.paths, {}, model.list};
}

bool knows_entities(const Model& model, const Dataset& dataset) {
  return model.shape().embedding == 0 || (model.shape().entities == dataset.entities.size() &&
                                          model.entities == fingerprint(dataset.entities));
}

bool serves(const Model& model, const Dataset& dataset) {
  return same_relations(model, dataset) && knows_entities(model, dataset);
}

Result<RankingReport> evaluate(const Model& model, const KnownGraph& known,
                               const RankingOptions& options, const Observer& observer) {
  const Dataset& dataset = known.dataset();
  if (!knows_entities(model, dataset))
    return evaluate(without_embedding(model), known, options, observer);
  if (!same_relations(model, dataset)) {
    LERP_TRY(renumbered, renumber(model, known, options.split));
    return evaluate(model, renumbered, options, observer);
  }
  return rank(*make_scorer(model, known, options.threads, observer), dataset, options, observer);
}

Result<Evaluation> evaluate_parts(const Model& model, const KnownGraph& known,
                                  const RankingOptions& options, const Observer& observer) {
  Evaluation evaluation;
  LERP_TRY(full, evaluate(model, known, options, observer));
  evaluation.full = std::move(full);
  if (model.shape().embedding > 0 && knows_entities(model, known.dataset())) {
    LERP_TRY(rules, evaluate(without_embedding(model), known, options, observer));
    evaluation.rules_only = std::move(rules);
  }
  return evaluation;
}

Json to_json(const Evaluation& evaluation) {
  Json json = to_json(evaluation.full);
  if (evaluation.rules_only) json["rules_only"] = to_json(*evaluation.rules_only);
  if (evaluation.few_rules) json["few_rules"] = to_json(*evaluation.few_rules);
  return json;
}

std::string to_text(const Evaluation& evaluation) {
  std::string text = to_text(evaluation.full);
  if (!evaluation.rules_only && !evaluation.few_rules) return text;
  for (const std::string& line : summary(evaluation)) text += "\n" + line;
  return text;
}

std::vector<std::string> summary(const Evaluation& evaluation) {
  const RankingReport& full = evaluation.full;
  std::vector<std::string> lines;
  if (evaluation.rules_only) {
    lines = {"rules only: " + line_of(*evaluation.rules_only), "with embedding: " + line_of(full)};
  } else {
    lines = {fmt::format("{} {}", name_of(full.split), line_of(full))};
  }
  if (evaluation.few_rules) lines.push_back("few rules: " + line_of(*evaluation.few_rules));
  return lines;
}

}  // namespace lerpp
