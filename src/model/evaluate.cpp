#include <algorithm>

#include <fmt/format.h>

#include <lerp/model/model.hpp>

namespace lerpp {
namespace {

/// The dataset with its relations numbered as the model's. Facts of relations that the model does
/// not know say nothing to it; a query about one cannot be answered, and is an error.
Result<Dataset> renumber(const Model& model, const Dataset& dataset, Split asked) {
  Vocabulary names;
  for (const std::string& name : model.relations) names.intern(name);
  Dataset result;
  result.name = dataset.name;
  result.entities = dataset.entities;
  for (const Split split : all_splits) {
    for (Fact fact : dataset[split]) {
      const std::string_view name = dataset.relations.name(fact.relation);
      const auto relation = names.find(name);
      if (!relation && split == asked) {
        return fail(fmt::format("the model knows no relation '{}'", name), dataset.name,
                    "train on a graph that has this relation");
      }
      if (!relation) continue;
      fact.relation = *relation;
      result[split].push_back(fact);
    }
  }
  result.relations = std::move(names);
  return result;
}

bool same_relations(const Model& model, const Dataset& dataset) {
  if (model.relations.size() != dataset.relations.size()) return false;
  for (RelationId id = 0; id < dataset.relations.size(); ++id) {
    if (dataset.relations.name(id) != model.relations[id]) return false;
  }
  return true;
}

}  // namespace

Result<RankingReport> evaluate(const Model& model, const Dataset& dataset,
                               const RankingOptions& options, bool known_valid,
                               const Observer& observer) {
  if (!same_relations(model, dataset)) {
    LERP_TRY(renumbered, renumber(model, dataset, options.split));
    return evaluate(model, renumbered, options, known_valid, observer);
  }
  const Graph known = dataset.known_graph(known_valid, options.threads);
  return rank(*make_scorer(model.parameters, model.paths, known, options.threads), dataset, options,
              observer);
}

}  // namespace lerpp
