#pragma once

#include <span>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/model/model.hpp>

#include "model/background.hpp"
#include "model/ball_rules.hpp"
#include "model/functions.hpp"
#include "read/rule_features.hpp"

namespace lerpp {

/// What the soft model answers to a question: the entities it thinks of first, with their shares of
/// its softmax. What is missing to 1 is the share of all others.
struct Opinion {
  std::vector<EntityId> entities;
  std::vector<float> shares;
};

/// Asks the soft model training questions while their facts are hidden, as when it learned them.
class Teacher {
 public:
  /// The model, the graph and the background must outlive it.
  Teacher(const Model& model, const Graph& graph, const Background& background);

  /// `most` entities each.
  std::vector<Opinion> ask(OperatorId target, std::span<const Question> questions,
                           std::size_t most);

 private:
  void ask_batch(OperatorId target, std::span<const Question> questions, std::size_t most,
                 std::vector<Opinion>& out);
  Opinion opinion(OperatorId target, const Question& question, std::size_t most);

  const Model& model_;
  const Graph& graph_;
  Team team_;
  std::optional<Functions<float>> functions_;
  RuleWeights<float> weights_;
  BallFinder finder_;
  BallRules<float> rules_;
  std::vector<std::unique_ptr<Term<float>>> terms_;
  Mask mask_;
  std::vector<Ball> balls_;
  RowSet needed_;
  Buffer<float> constraints_, scores_;
  std::vector<std::uint32_t> slots_;
  std::vector<EntityId> order_;
};

}  // namespace lerpp
