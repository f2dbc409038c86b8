// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/background.hpp"
#include "model/ball_rules.hpp"
#include "model/functions.hpp"
#include "model/score_loss.hpp"
#include "model/terms.hpp"

namespace lerpp {

/// How rules are evaluated. `balls` finds what each query reaches and works on that alone; `whole`
/// works on all entities, without looking. `automatic` takes balls, and the whole graph where a
/// ball would hold most of it.
enum class Path { automatic, balls, whole };

template <class Real>
class Pass;

/// What one thread needs to run passes: it serves all those of one background.
template <class Real>
struct Asker {
  explicit Asker(const Pass<Real>& pass);

  BallFinder finder;
  BallRules<Real> rules;
  std::vector<std::uint32_t> slots;   ///< of the nodes that the rules were last followed over
  std::vector<std::uint32_t> starts;  ///< nodes of the queries that were followed together
  Buffer<Real> functions;             ///< scratch
  std::vector<std::unique_ptr<typename Term<Real>::Scratch>> terms;
};

/// The model's one way from questions to scores: finds what each query reaches, computes functions
/// and constraints there, follows the rules, and adds what the terms say. For the questions of one
/// target, while some facts are hidden.
///
/// The steps come in the order in which they are declared. Those with a number can be run at the
/// same time for different numbers; run() runs all of them but the last two, by one thread.
template <class Real>
class Pass {
 public:
  /// What decides how far a pass looks.
  struct Reach {
    std::uint32_t length = 0;    ///< hops of the rules in use
    std::uint32_t frontier = 0;  ///< entities of a query that pass anything on; 0 is all
    Path path = Path::automatic;
  };

  /// The background must outlive it. `copies`: see RuleWeights.
  explicit Pass(const Background& background, std::size_t copies = 1);

  /// What functions to use: weights, from which they are computed where they are needed, with all
  /// that the way back asks for; or, where nothing is learned, their values at all entities while
  /// nothing is hidden, and the weights for where something is.
  struct FunctionSource {
    const FunctionWeights<Real>* weights = nullptr;
    const Buffer<Real>* plain = nullptr;
    std::span<const EntityId> changed = {};  ///< whose edges are not those of `plain`
  };

  /// Takes the parameters of a target, and hides facts.
  void begin(const Parameters<Real>& parameters, OperatorId target,
             std::span<const EntityId> starts, std::span<const Fact> hidden, const Reach& reach);
  /// Other questions of the same target and parameters, with the same facts hidden.
  void ask(std::span<const EntityId> starts);
  void find_ball(Asker<Real>& asker, std::size_t query);
  /// Finds where functions are needed, and makes room for them.
  void collect(const FunctionSource& source);
  /// Functions are to be computed then; there may be none.
  Functions<Real>* functions() { return computes_ ? &*functions_ : nullptr; }
  std::size_t constraint_blocks() const;
  void constrain(std::size_t block);
  /// All of that.
  void run(Asker<Real>& asker, const FunctionSource& source);

  /// The rules, for `count` queries from `first` on: as many as there are copies, at most.
  void follow(Asker<Real>& asker, std::size_t first, std::size_t count = 1) const;
  /// Scores of all entities for one query that was followed alone, of rules and terms.
  void score(Asker<Real>& asker, std::size_t query, std::span<Real> scores) const;

  const Background& background() const { return background_; }
  const Graph& graph() const { return background_.graph(); }
  OperatorId target() const { return target_; }
  std::span<const EntityId> starts() const { return starts_; }
  const Mask& mask() const { return mask_; }
  const RuleWeights<Real>& weights() const { return weights_; }
  bool is_whole(std::size_t query) const { return whole_[query] != 0; }
  const Ball& ball(std::size_t query) const { return is_whole(query) ? all_ : balls_[query]; }
  /// Kinds that the model does not have are empty places.
  std::span<const std::unique_ptr<Term<Real>>> terms() const { return terms_; }

  /// The entities that have functions, and their rows.
  const RowSet& needed() const { return needed_; }
  const Real* function_rows() const;
  std::size_t function_width() const { return kernels::padded(weights_.shape().functions()); }
  /// A row for each of needed(); none where the model has no functions.
  const Real* constraints() const { return constrained_ ? constraints_.data() : nullptr; }

 private:
  void find_stale(const FunctionSource& source);
  void collect_plain(const FunctionSource& source);

  const Background& background_;
  Mask mask_;
  RuleWeights<Real> weights_;
  std::vector<std::unique_ptr<Term<Real>>> terms_;
  std::optional<Functions<Real>> functions_;
  OperatorId target_ = 0;
  std::span<const EntityId> starts_;
  Reach reach_;
  std::vector<Ball> balls_;          ///< of each query
  std::vector<std::uint8_t> whole_;  ///< whether a query goes over the whole graph instead
  Ball all_;
  bool constrained_ = false;  ///< whether the model has functions
  bool computes_ = false;     ///< whether some of them are to be computed
  RowSet needed_;
  RowSet stale_;  ///< entities whose functions hidden facts may change
  const Buffer<Real>* plain_ = nullptr;
  Buffer<Real> rows_;  ///< functions of needed(), where they are not computed
  Buffer<Real> constraints_;
};

}  // namespace lerpp
