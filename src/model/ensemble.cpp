// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>

#include <lerp/model/model.hpp>

#include "model/renumber.hpp"

namespace lerpp {
namespace {

/// The sum of what several scorers say.
class Ensemble final : public Scorer {
 public:
  Ensemble(std::vector<std::unique_ptr<Scorer>> members, EntityId entities)
      : members_(std::move(members)), entities_(entities) {}

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    std::vector<Scores> own(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const std::span<float> all = scores[i].dense(entities_);
      std::fill(all.begin(), all.end(), 0.0F);
    }
    for (const auto& member : members_) {
      member->score(queries, own);
      for (std::size_t i = 0; i < queries.size(); ++i) add(own[i], scores[i].values);
    }
  }

 private:
  static void add(const Scores& from, std::span<float> to) {
    if (from.is_dense()) {
      for (std::size_t entity = 0; entity < to.size(); ++entity) to[entity] += from.values[entity];
      return;
    }
    for (float& value : to) value += from.rest;
    for (std::size_t i = 0; i < from.entities.size(); ++i)
      to[from.entities[i]] += from.values[i] - from.rest;
  }

  std::vector<std::unique_ptr<Scorer>> members_;
  EntityId entities_;
};

}  // namespace

Result<RankingReport> evaluate_together(std::span<const Model> models, const KnownGraph& known,
                                        const RankingOptions& options, const Observer& observer) {
  const Dataset& dataset = known.dataset();
  for (const Model& model : models) {
    if (model.relations != models.front().relations) {
      return fail("the models of an ensemble know different relations", dataset.name,
                  "give runs that were learned from one dataset");
    }
  }
  if (!same_relations(models.front(), dataset)) {
    LERP_TRY(renumbered, renumber(models.front(), known, options.split));
    return evaluate_together(models, renumbered, options, observer);
  }
  std::deque<Model> rules;  // whose embedding is of other entities
  std::vector<std::unique_ptr<Scorer>> members;
  for (const Model& model : models) {
    const Model& member =
        knows_entities(model, dataset) ? model : rules.emplace_back(without_embedding(model));
    members.push_back(make_scorer(member, known, options.threads));
  }
  return rank(Ensemble(std::move(members), dataset.entities.size()), dataset, options, observer);
}

}  // namespace lerpp
