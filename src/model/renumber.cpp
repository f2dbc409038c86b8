// SPDX-License-Identifier: Apache-2.0
#include "model/renumber.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/text.hpp>

namespace lerpp {
namespace {

/// A graph of other relations would have nothing to say.
Result<void> check_some_known(const Model& model, const Dataset& dataset) {
  if (!dataset[Split::train].empty() || !dataset[Split::facts].empty()) return {};
  std::vector<std::string> some = model.relations;
  some.resize(std::min<std::size_t>(some.size(), 3));
  return fail("the model knows none of the relations", dataset.name,
              "give data with the relations that it has learned, such as " + alternatives(some));
}

}  // namespace

bool same_relations(const Model& model, const Dataset& dataset) {
  if (model.relations.size() != dataset.relations.size()) return false;
  for (RelationId id = 0; id < dataset.relations.size(); ++id) {
    if (dataset.relations.name(id) != model.relations[id]) return false;
  }
  return true;
}

Result<KnownGraph> renumber(const Model& model, const KnownGraph& known,
                            std::optional<Split> asked) {
  const Dataset& dataset = known.dataset();
  Vocabulary names;
  for (const std::string& name : model.relations) names.intern(name);
  Dataset result;
  result.name = dataset.name;
  result.entities = dataset.entities;
  result.entity_texts = dataset.entity_texts;
  for (const auto& [relation, text] : dataset.relation_texts) {
    if (const auto found = names.find(dataset.relations.name(relation)))
      result.relation_texts.emplace(*found, text);
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
  return KnownGraph(std::move(result), known.splits(), known.threads());
}

Result<Matched> match(std::shared_ptr<const Model> model, const KnownGraph& known) {
  Matched matched{std::move(model), known};
  if (!same_relations(*matched.model, known.dataset())) {
    LERP_TRY(renumbered, renumber(*matched.model, known));
    LERP_CHECK(check_some_known(*matched.model, renumbered.dataset()));
    matched.known = std::move(renumbered);
  }
  matched.lacks_embedding = !knows_entities(*matched.model, known.dataset());
  if (matched.lacks_embedding)
    matched.model = std::make_shared<const Model>(without_embedding(*matched.model));
  return matched;
}

}  // namespace lerpp
