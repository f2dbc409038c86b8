#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include <lerp/base/team.hpp>

#include "model/embedding_scores.hpp"
#include "model/term.hpp"

namespace lerpp {

/// Adds mix * the embedding's score to each entity. Lessons teach the mix alone: the embedding
/// learns apart (EmbeddingLoss), so that the rules are the same with it and without. It remembers
/// facts, so a mask hides nothing from it.
template <class Real>
class EmbeddingTerm final : public Term<Real> {
 public:
  explicit EmbeddingTerm(Team& team) : scores_(team), workers_(team.size()) {}

  void begin(const Parameters<Real>& parameters, OperatorId target,
             const View<Real>& view) override;
  /// Scores these starts together, which add() then only looks up; works with the whole team. What
  /// it would hold beyond a limit, add() computes when asked.
  void prepare(std::span<const EntityId> starts);
  /// The embedding's own scores of all entities, till the worker's next call.
  std::span<const Real> scores(unsigned worker, EntityId start);
  void add(unsigned worker, EntityId start, std::span<Real> scores) override;
  void learn(unsigned worker, const Lesson<Real>& lesson) override;
  void finish(Parameters<Real>& gradient, std::span<Real> function_gradient) override;

 private:
  struct Worker {
    Buffer<Real> query;
    Buffer<Real> scores;  ///< of the last add(), without the mix
    double mix_gradient = 0;
  };
  const Parameters<Real>* parameters_ = nullptr;
  OperatorId target_ = 0;
  EmbeddingScores<Real> scores_;
  std::vector<EmbeddingQuery> queries_;
  std::unordered_map<EntityId, std::size_t> columns_;  ///< of the prepared starts
  std::vector<Worker> workers_;
};

}  // namespace lerpp
