#include "model/renumber.hpp"

#include <fmt/format.h>

namespace lerpp {

bool same_relations(const Model& model, const Dataset& dataset) {
  if (model.relations.size() != dataset.relations.size()) return false;
  for (RelationId id = 0; id < dataset.relations.size(); ++id) {
    if (dataset.relations.name(id) != model.relations[id]) return false;
  }
  return true;
}

Result<Dataset> renumber(const Model& model, const Dataset& dataset, std::optional<Split> asked) {
  Vocabulary names;
  for (const std::string& name : model.relations) names.intern(name);
  Dataset result;
  result.name = dataset.name;
  result.entities = dataset.entities;
  result.entity_texts = dataset.entity_texts;
  for (const auto& [relation, text] : dataset.relation_texts) {
    if (const auto known = names.find(dataset.relations.name(relation)))
      result.relation_texts.emplace(*known, text);
  }
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

}  // namespace lerpp
