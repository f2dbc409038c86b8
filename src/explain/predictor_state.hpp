// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <mutex>

#include <lerp/explain/predict.hpp>

#include "explain/candidates.hpp"
#include "explain/judge.hpp"
#include "explain/masked_model.hpp"
#include "explain/target_bodies.hpp"
#include "read/constraint_reader.hpp"

namespace lerpp {

/// What a predictor has loaded. Members refer to those before them, so it stays where it is.
struct Predictor::State {
  State(std::shared_ptr<const Model> given, KnownGraph known_graph, unsigned thread_count);

  const Dataset& dataset() const { return known.dataset(); }

  /// The other answers that a rank leaves out.
  std::span<const Edge> answers(const Query& query) const {
    return full.edges(query.start, query.target);
  }

  /// All entities as answers to what was asked last.
  Candidates candidates(const MaskedModel& asked) const {
    return {asked.scores(), answers(asked.query()), model.shape().evidence};
  }

  /// A model to ask, for one thread while it has it: `masked` itself is never asked. What is given
  /// back serves the next, so that there are as many as threads have asked at once.
  class Lease {
   public:
    Lease(State& state, std::unique_ptr<MaskedModel> asked)
        : state_(state), asked_(std::move(asked)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();

    MaskedModel& operator*() const { return *asked_; }

   private:
    State& state_;
    std::unique_ptr<MaskedModel> asked_;
  };
  Lease lease();

  // Found once, by whoever asks first; others wait for it.
  /// What the constraints of a target's rules ask for, as ConstraintReader has them.
  const std::vector<std::optional<SoftConstraint>>& constraints(OperatorId target);
  /// The bodies that speak for answers of a target.
  const std::vector<TargetBody>& bodies(OperatorId target);

  /// How likely a fact is while some are hidden, and its score as an object; asks both directions.
  struct Judgement {
    double probability = 0;
    double score = 0;
  };
  Judgement judgement(MaskedModel& asked, const Fact& fact, std::span<const Fact> hidden) const;
  /// The probability alone; none before it is learned.
  std::optional<double> probability(MaskedModel& asked, const Fact& fact,
                                    std::span<const Fact> hidden) const;
  /// The same where nothing is hidden and sides are known: of a known fact it is 1.
  double probability(const CandidateFact& candidate) const;
  /// What speaks against a fact apart from the rules.
  std::string objection(const Fact& fact, std::span<const Fact> hidden) const;

  KnownGraph known;
  std::shared_ptr<const Model> shared_model;
  const Model& model;
  unsigned threads;
  const Graph& graph;  ///< what is known
  Graph full;
  std::array<std::vector<Fact>, all_splits.size()> sorted;  ///< the splits
  const MaskedModel masked;                                 ///< to be copied
  Judge judge;
  std::optional<Likelihood> likelihood;

 private:
  std::mutex leasing_;  ///< of idle_
  std::vector<std::unique_ptr<MaskedModel>> idle_;
  std::mutex reading_;  ///< of what follows
  std::optional<ConstraintReader> reader_;
  std::map<OperatorId, std::vector<std::optional<SoftConstraint>>> constraints_;
  std::map<OperatorId, std::vector<TargetBody>> bodies_;
};

}  // namespace lerpp
