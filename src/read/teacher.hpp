// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <lerp/model/model.hpp>

#include "model/pass.hpp"
#include "model/rule_trace.hpp"
#include "read/rule_features.hpp"

namespace lerpp {

/// What the soft model answers to a question: the entities it thinks of first, with their shares of
/// its softmax. What is missing to 1 is the share of all others.
struct Opinion {
  std::vector<EntityId> entities;
  std::vector<float> shares;
};

/// Asks the soft model training questions while their facts are hidden, as when it learned them.
/// Serves one thread.
class Teacher {
 public:
  /// The model and the background must outlive it. A narrower frontier than the model's is
  /// quicker.
  Teacher(const Model& model, const Background& background)
      : Teacher(model, background, model.shape().frontier) {}
  Teacher(const Model& model, const Background& background, std::uint32_t frontier);

  /// `most` entities each; none of those that are left where the observer asks to stop.
  std::vector<Opinion> ask(OperatorId target, std::span<const Question> questions, std::size_t most,
                           const Observer& observer = {});

  /// Questions whose facts are hidden together, as in training, at most.
  static constexpr std::size_t batch = 16;
  /// Takes up to `batch` questions; then answers them one at a time, by their number.
  void open(OperatorId target, std::span<const Question> questions);
  Opinion answer(std::size_t number, std::size_t most);

  // Of the question that was answered last.
  const RuleTrace& trace() const { return trace_; }
  /// A kind of term, and what it has to say of an answer; none where the model lacks it.
  const Term<float>* term(std::size_t kind) const { return pass_.terms()[kind].get(); }
  std::vector<TermReason> explain(std::size_t kind, EntityId answer);

 private:
  Opinion opinion(const Question& question, std::size_t most);

  const Model& model_;
  FunctionWeights<float> function_weights_;
  Pass<float> pass_;
  Asker<float> asker_;
  RuleTrace trace_;
  std::uint32_t frontier_;
  OperatorId target_ = 0;
  std::vector<Question> questions_;
  std::vector<EntityId> starts_;
  std::size_t answered_ = 0;
  Buffer<float> scores_;
  std::vector<EntityId> order_;
};

}  // namespace lerpp
