#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <lerp/base/team.hpp>

#include "base/random.hpp"
#include "model/background.hpp"
#include "model/path_walk.hpp"
#include "read/constraint_reader.hpp"
#include "read/evidence.hpp"
#include "read/soft_walks.hpp"
#include "read/teacher.hpp"

namespace lerpp {

/// Asks a model training questions while their facts are hidden, and books which bodies speak for
/// the right answer and for wrong ones. One for each worker.
class ModelWatcher {
 public:
  /// All must outlive it.
  ModelWatcher(const Model& model, const Graph& graph, const Background& background,
               const ConstraintReader& reader);

  void watch(OperatorId target, std::span<const Question> questions, Random& random,
             Ledger& ledger);

 private:
  void begin_target(OperatorId target, Ledger& ledger);
  void begin_batch(std::span<const Question> questions);
  void ask(const Question& question, const Ball& ball, const Opinion& opinion, Random& random,
           Ledger& ledger);
  void say_prior(EntityId answer, Ledger& ledger) const;
  void say_paths(EntityId answer, Ledger& ledger) const;
  void say_pairs(EntityId start, EntityId answer, Ledger& ledger) const;
  void say_constants(EntityId start, EntityId answer, Ledger& ledger);
  void say_soft(EntityId answer, Random& random, Ledger& ledger);
  std::uint32_t body_of(std::size_t rule, const std::vector<SoftWalks::Hop>& walk,
                        Ledger& ledger) const;
  double scale_of(const std::vector<Watched>& answers) const;

  const Model& model_;
  const Graph& graph_;
  const ConstraintReader& reader_;
  Teacher teacher_;
  Team team_;
  std::optional<Functions<float>> functions_;
  RuleWeights<float> weights_;
  BallFinder finder_;
  Mask mask_;
  std::vector<Ball> balls_;
  RowSet needed_;
  Buffer<float> constraints_;
  std::vector<std::uint32_t> slots_;
  std::optional<OperatorRows> rows_;
  std::optional<PathWalk> path_walk_;
  std::optional<PairTerm<float>> pairs_;
  std::optional<ConstantTerm<float>> constants_;

  // Of the target at hand.
  OperatorId target_ = 0;
  std::optional<PathTrie> trie_;
  std::optional<SoftWalks> walks_;
  std::vector<std::optional<SoftConstraint>> asked_;  ///< as ConstraintReader has them
  std::vector<std::uint32_t> path_bodies_, prior_bodies_, constant_bodies_;
  NodeConstraints node_constraints_;
  std::vector<SoftWalks::Hop> walk_;
};

}  // namespace lerpp
