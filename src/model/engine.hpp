// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <span>
#include <vector>

#include <lerp/base/team.hpp>

#include "model/backend.hpp"
#include "model/lane.hpp"

namespace lerpp {

/// Learns steps on the CPU. The paper's model sums its rules and knows no entity that no rule
/// reaches; where rules add evidence, terms add theirs, and one softmax goes over all entities but
/// the other known answers.
///
/// All lanes go through each phase together, and the work of a phase falls into many small items
/// that whoever is free takes: so cores are busy whether a step has many small batches or few large
/// ones. Threads change nothing but the time it takes.
template <class Real>
class Engine final : public Backend<Real> {
 public:
  /// The background and the team must outlive it.
  Engine(const Background& background, Team& team, Path path = Path::automatic);

  void learn(const Parameters<Real>& parameters, std::span<const Batch> lanes,
             const StepSettings& settings, Parameters<Real>& gradient,
             StepFindings<Real>& findings) override;

  Path path() const { return path_; }
  /// Edges that queries have traversed since the start, for reports.
  std::uint64_t edges_traversed() const { return edges_; }

  // What the last step computed, for tests.
  const Functions<Real>* functions(std::size_t lane) { return lanes_[lane].pass().functions(); }

 private:
  struct Item {
    std::uint32_t lane = 0;
    std::uint32_t number = 0;
    std::uint32_t group = 0;  ///< of a part
  };

  bool stopped() const { return observer_ != nullptr && observer_->stopped(); }
  /// Calls action(worker, lane, number) for each of the count(lane) numbers of each lane.
  template <class Count, class Action>
  void phase(const Count& count, const Action& action);
  void begin(const Parameters<Real>& parameters, std::span<const Batch> lanes,
             const StepSettings& settings);
  void forward();
  void learn_parts();
  void backward();

  const Background& background_;
  Team& team_;
  Path path_;
  const Observer* observer_ = nullptr;  ///< of the step
  std::size_t copies_ = 1;
  FunctionWeights<Real> function_weights_;
  std::deque<Lane<Real>> lanes_;  ///< some of them unused
  std::size_t used_ = 0;
  std::vector<Learner<Real>> learners_;  ///< of each worker
  std::vector<Item> items_;
  std::vector<std::size_t> costs_;
  std::uint64_t edges_ = 0;
};

/// Edges of the ball of `hops` hops around an entity of the graph, on average over a fixed sample,
/// as a share of what the whole graph would cost.
double sampled_ball_share(const Graph& graph, std::uint32_t hops);

}  // namespace lerpp
