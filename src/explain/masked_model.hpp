// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/model/model.hpp>

#include "model/embedding_term.hpp"
#include "model/pass.hpp"
#include "model/rule_trace.hpp"

namespace lerpp {

/// Answers one question at a time while some facts are hidden, and then says where a score came
/// from. What does not depend on the question is found once: functions are computed again only
/// where a hidden fact changes them. Serves one thread.
class MaskedModel {
 public:
  /// The model and the graph must outlive it.
  MaskedModel(const Model& model, const Graph& graph, unsigned threads);
  /// The same on a known graph, with what is found out about it.
  MaskedModel(const Model& model, const KnownGraph& known, unsigned threads);
  /// Another that asks the same, for another thread; it has not been asked yet.
  MaskedModel(const MaskedModel& other);
  MaskedModel& operator=(const MaskedModel&) = delete;
  /// The same model on a graph that holds some facts besides; shares what they do not change. To
  /// count anew what others with the same constants have takes long on rich graphs: without
  /// `recount`, constants say what they said of the other's last question, and no other can be
  /// asked.
  MaskedModel(MaskedModel& other, const Graph& more, std::span<const Fact> added, bool recount);

  const Model& model() const { return model_; }
  const Graph& graph() const { return background_.graph(); }

  /// The score of every entity, as if the graph did not hold the hidden facts.
  const Scores& ask(const Query& query, std::span<const Fact> hidden);

  // Of the last question.
  const Query& query() const { return query_; }
  const Mask& mask() const { return pass_.mask(); }
  const Scores& scores() const { return scores_; }
  const RuleTrace& trace() const { return trace_; }
  /// A kind of term, and what it has to say of an answer; none where the model lacks it.
  const Term<float>* term(std::size_t kind) const { return pass_.terms()[kind].get(); }
  std::size_t terms() const { return pass_.terms().size(); }
  std::vector<TermReason> explain(std::size_t kind, EntityId answer);
  double embedding(EntityId answer) const;

 private:
  MaskedModel(const Model& model, Background background);
  MaskedModel(const Model& model, Background background, unsigned threads);
  void add_embedding(std::span<float> scores);

  const Model& model_;
  Background background_;
  std::shared_ptr<const Buffer<float>> plain_;  ///< functions of all entities, nothing hidden
  std::vector<EntityId> changed_;               ///< whose edges are not those of plain_
  FunctionWeights<float> function_weights_;
  Pass<float> pass_;
  Asker<float> asker_;
  RuleTrace trace_;
  Team alone_;
  std::optional<EmbeddingTerm<float>> embedding_;
  std::optional<Query> embedded_;        ///< question of embedding_scores_
  std::vector<float> embedding_scores_;  ///< with their mix
  /// What terms said of the other's question, where they are not counted anew.
  std::vector<float> frozen_scores_;
  Query query_;
  Scores scores_;
};

/// Whether a graph is so poor that constants can be counted while somebody waits.
bool counts_quickly(const Graph& graph);

}  // namespace lerpp
