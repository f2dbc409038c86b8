#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/model/model.hpp>

#include "model/background.hpp"
#include "model/ball_rules.hpp"
#include "model/embedding_term.hpp"
#include "model/functions.hpp"

namespace lerpp {

/// Answers one question at a time while some facts are hidden, and then says where a score came
/// from. What does not depend on the question is found once: functions are computed again only
/// where a hidden fact changes them. Serves one thread.
class MaskedModel {
 public:
  /// The model and the graph must outlive it.
  MaskedModel(const Model& model, const Graph& graph, unsigned threads);
  /// The same model on a graph that holds some facts besides; shares what they do not change. To
  /// count anew what others with the same constants have takes long on rich graphs: without
  /// `recount`, constants say what they said of the other's last question, and no other can be
  /// asked.
  MaskedModel(const MaskedModel& other, const Graph& more, std::span<const Fact> added,
              bool recount);

  const Model& model() const { return model_; }
  const Graph& graph() const { return graph_; }

  /// The score of every entity, as if the graph did not hold the hidden facts.
  const Scores& ask(const Query& query, std::span<const Fact> hidden);

  // Of the last question.
  const Query& query() const { return query_; }
  const Mask& mask() const { return mask_; }
  const Scores& scores() const { return scores_; }
  const Ball& ball() const { return ball_; }
  /// Where an entity is in the ball; no_slot where no rule reaches it.
  std::uint32_t node(EntityId entity) const { return node_of_[entity]; }

  std::uint32_t rules() const { return model_.shape().rules; }
  std::uint32_t length() const { return weights_.length(); }
  /// What an operator weighs at hop k of a rule (counted from 1); the identity comes last.
  double hop_weight(std::size_t rule, std::uint32_t k, OperatorId op) const;
  /// c_k of a node.
  double constraint(std::size_t rule, std::uint32_t k, std::uint32_t node) const;
  /// x_k of a node.
  double reached(std::size_t rule, std::uint32_t k, std::uint32_t node) const;
  /// What a rule adds to the score of a node for having reached it with hop k.
  double share(std::size_t rule, std::uint32_t k, std::uint32_t node) const;
  /// What the terms add to the score of an entity.
  std::vector<PriorReason> prior(EntityId answer) const;
  std::vector<PairReason> pairs(EntityId answer) const;
  std::vector<PathReason> paths(EntityId answer);
  std::vector<ConstantReason> constants(EntityId answer);
  double embedding(EntityId answer) const;

 private:
  void make_terms(const Background& background);
  void find_ball();
  void find_constraints();
  void find_stale();
  void add_terms(std::span<float> scores);

  const Model& model_;
  const Graph& graph_;
  Team team_;
  std::shared_ptr<const Buffer<float>> plain_;  ///< functions of all entities, nothing hidden
  std::vector<EntityId> changed_;               ///< whose edges are not those of plain_
  std::optional<Functions<float>> functions_;
  RuleWeights<float> weights_;
  std::optional<OperatorId> prepared_;  ///< target of weights_
  std::optional<PriorTerm<float>> prior_;
  std::optional<PairTerm<float>> pairs_;
  std::optional<PathTerm<float>> paths_;
  std::optional<ConstantTerm<float>> constants_;
  std::optional<EmbeddingTerm<float>> embedding_;
  std::optional<Query> embedded_;        ///< question of embedding_scores_
  std::vector<float> embedding_scores_;  ///< with their mix
  std::vector<float> constant_scores_;   ///< of the last question

  Query query_;
  Mask mask_;
  BallFinder finder_;
  Ball ball_;
  BallRules<float> rules_;
  std::vector<std::uint32_t> node_of_, slots_;
  RowSet stale_;  ///< entities whose functions the hidden facts may change
  Buffer<float> function_rows_, constraints_;
  Buffer<float> all_functions_;  ///< for pairs: of every entity
  Scores scores_;
};

/// Whether a graph is so poor that constants can be counted while somebody waits.
bool counts_quickly(const Graph& graph);

}  // namespace lerpp
