#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>

#include "model/ball_rules.hpp"
#include "model/functions.hpp"
#include "model/term.hpp"

namespace lerpp {

/// Queries of one target, with their answers, and the facts that are hidden while they are learned.
struct Batch {
  OperatorId target = 0;
  std::vector<EntityId> starts;
  std::vector<EntityId> answers;
  std::vector<Fact> hidden;
  std::uint64_t seed = 0;  ///< of what is drawn while it is learned
};

/// How rules are evaluated. `balls` finds what each query reaches and works on that alone; `whole`
/// works on all entities, without looking. `automatic` counts, on a sample of entities, what either
/// costs.
enum class Path { automatic, balls, whole };

/// What learns under a softmax of its own, as if alone, and is added up in the end. Kinds that lean
/// on each other err together; apart, one makes up for the other. The loss is the sum of all.
enum class Softmax : std::uint8_t {
  one,   ///< rules and terms share one
  two,   ///< rules; all terms
  each,  ///< rules; each of the terms, but for those that join another
};

/// Loss and gradient of a batch. The paper's model sums its rules and knows no entity that no rule
/// reaches; where rules add evidence, terms add theirs, and one softmax goes over all entities but
/// the other known answers.
template <class Real>
class Engine {
 public:
  /// For `thin` see ScoreLoss.
  Engine(const Graph& graph, const ModelShape& shape, Team& team, Path path = Path::automatic,
         double thin = 0);
  ~Engine();

  /// Adds evidence besides the rules; for as many workers as the team has.
  void add(std::unique_ptr<Term<Real>> term) { terms_.push_back(std::move(term)); }
  /// Rules learn with so many of their hops, at most K, which is what they begin with.
  void set_length(std::uint32_t length) { length_ = length; }
  void set_softmax(Softmax softmax) { softmax_ = softmax; }

  /// The mean loss of the batch. Sets the gradient of the functions' parameters and of the
  /// target's; other targets' are left as they are.
  double learn(const Parameters<Real>& parameters, const Batch& batch, Parameters<Real>& gradient);

  Path path() const { return path_; }
  /// Edges that queries have traversed since the start, for reports.
  std::uint64_t edges_traversed() const { return edges_; }

  // What the last batch computed, for tests.
  const Functions<Real>* functions() const { return functions_ ? &*functions_ : nullptr; }

 private:
  struct Worker;

  void find_balls(const Batch& batch);
  void evaluate_constraints();
  double evaluate_rules(const Batch& batch);
  void learn_sum(Worker& worker, const Batch& batch, std::size_t first, std::size_t count);
  void learn_evidence(unsigned number, const Batch& batch, std::size_t query);
  /// What the terms say, and only they.
  void learn_terms(unsigned number, const Batch& batch, std::size_t query,
                   std::span<const std::unique_ptr<Term<Real>>> terms);
  /// The loss of the worker's scores, which it uses up, and what is to be learned from it.
  Lesson<Real> draw_lesson(Worker& worker, const Batch& batch, std::size_t query) const;
  void backward(const Batch& batch, Parameters<Real>& gradient);

  const Graph& graph_;
  ModelShape shape_;
  Team& team_;
  Path path_;
  double thin_;
  std::uint32_t length_;
  Softmax softmax_ = Softmax::one;
  Mask mask_;
  std::optional<Functions<Real>> functions_;
  RuleWeights<Real> weights_;
  std::vector<std::unique_ptr<Term<Real>>> terms_;
  std::vector<Worker> workers_;
  std::vector<Ball> balls_;          ///< of each query
  std::vector<std::uint8_t> whole_;  ///< whether a query goes over the whole graph instead
  Ball all_;
  RowSet needed_;
  Buffer<Real> constraints_;
  Buffer<Real> value_gradient_;
  std::uint64_t edges_ = 0;
};

/// Edges of the ball of `hops` hops around an entity of the graph, on average over a fixed sample,
/// as a share of what the whole graph would cost.
double sampled_ball_share(const Graph& graph, std::uint32_t hops);

}  // namespace lerpp
