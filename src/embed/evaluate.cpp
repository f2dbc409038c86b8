// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/team.hpp>
#include <lerp/embed/embed.hpp>

#include "embed/choose_mix.hpp"

namespace lerpp {
namespace {

/// The evidence of rules, and so much of an embedding for each target. Both score every entity.
class MixedScorer final : public Scorer {
 public:
  MixedScorer(const Scorer& rules, const Scorer& embedding, std::span<const float> mix)
      : rules_(rules), embedding_(embedding), mix_(mix) {}

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    rules_.score(queries, scores);
    std::vector<Scores> own(queries.size());
    embedding_.score(queries, own);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const float mix = mix_[queries[i].target];
      for (std::size_t entity = 0; entity < own[i].values.size(); ++entity)
        scores[i].values[entity] += mix * own[i].values[entity];
    }
  }

 private:
  const Scorer& rules_;
  const Scorer& embedding_;
  std::span<const float> mix_;
};

Result<void> check_together(const Model& rules, const TransEModel& embedding,
                            const Dataset& dataset) {
  if (!rules.shape().evidence) {
    return fail("an embedding is added to evidence, and the rules are summed", dataset.name,
                "train with rules.readout=evidence");
  }
  if (!serves(rules, dataset) || embedding.relations != rules.relations ||
      embedding.entities != fingerprint(dataset.entities)) {
    return fail("the rules and the embedding are not of the same data", dataset.name,
                "learn both from this dataset");
  }
  return {};
}

/// How much the embedding counts for each target, chosen on validation facts: what lowers the
/// cross-entropy, unless one mix for all, or the rules alone, rank a sample of them better.
Result<std::vector<float>> best_mix(const Scorer& evidence, const Scorer& distances,
                                    const Dataset& dataset, const RankingOptions& options,
                                    const Observer& observer) {
  constexpr std::uint64_t ranked_facts = 1000;
  RankingOptions ranking = options;
  ranking.split = Split::valid;
  ranking.facts = ranked_facts;
  Team team(options.threads);
  LERP_TRY(chosen, choose_mix(evidence, distances, dataset, team, observer));
  std::vector<float> best;
  double most = -1;
  for (const std::vector<float>& mix :
       {chosen, std::vector<float>(chosen.size(), 1.0F), std::vector<float>(chosen.size())}) {
    LERP_TRY(ranked, rank(MixedScorer(evidence, distances, mix), dataset, ranking, observer));
    if (ranked.both.realistic.mrr <= most) continue;
    most = ranked.both.realistic.mrr;
    best = mix;
  }
  return best;
}

}  // namespace

Result<Evaluation> evaluate_with_embedding(const Model& rules, const TransEModel& embedding,
                                           const KnownGraph& known, const RankingOptions& options,
                                           const Observer& observer) {
  const Dataset& dataset = known.dataset();
  LERP_CHECK(check_together(rules, embedding, dataset));
  const std::unique_ptr<Scorer> evidence = make_scorer(rules, known, options.threads);
  const std::unique_ptr<Scorer> distances =
      make_scorer(embedding.parameters, known.graph(), options.threads);
  std::vector<float> mix(known.graph().operators(), 1.0F);
  if (!known.knows(Split::valid) && !dataset[Split::valid].empty()) {
    LERP_TRY(chosen, best_mix(*evidence, *distances, dataset, options, observer));
    mix = std::move(chosen);
  }
  Evaluation evaluation;
  LERP_TRY(full, rank(MixedScorer(*evidence, *distances, mix), dataset, options, observer));
  evaluation.full = std::move(full);
  LERP_TRY(alone, rank(*evidence, dataset, options, observer));
  evaluation.rules_only = std::move(alone);
  return evaluation;
}

}  // namespace lerpp
