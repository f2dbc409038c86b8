// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <lerp/base/crew.hpp>
#include <lerp/train/train.hpp>

#include "model/engine.hpp"
#include "train/adam.hpp"
#include "train/sharing.hpp"

namespace lerpp {

/// Learns steps: gradients, their exchange with the other processes, and the optimiser. Processes
/// share out the targets: each computes the lanes of its own, and moves their parameters alone;
/// what lanes say of the functions is exchanged and summed up in the order of the lanes, so that
/// the number of processes changes nothing.
class Stepper {
 public:
  /// All must outlive it. `costs`: what each target has to learn.
  Stepper(const TrainOptions& options, std::shared_ptr<const Background> background, Team& team,
          Crew& crew, std::span<const std::uint64_t> costs, TrainState& state);

  /// What the first process wishes, which all then do.
  struct Wishes {
    bool save = false;    ///< a checkpoint
    bool enough = false;  ///< to end the epoch here
  };

  struct Outcome {
    double loss = 0;                       ///< summed over the queries
    std::optional<OperatorId> wrong = {};  ///< a target whose loss is not a number
  };

  /// Learns the lanes. Afterwards `wishes` are the first process's. A step that the settings'
  /// observer stops has not been.
  Result<Outcome> learn(std::span<const Batch> lanes, const StepSettings& settings, double rate,
                        Wishes& wishes);
  /// Makes every target's parameters known to all processes, with what targets share in them.
  Result<void> gather_parameters();
  /// The same for all that a checkpoint holds.
  Result<void> gather_state();

 private:
  Result<void> exchange(std::span<const Batch> lanes, Wishes& wishes);
  void own_blocks(Parameters<float>& parameters, std::vector<Crew::Block>& blocks) const;

  const TrainOptions& options_;
  Team& team_;
  Crew& crew_;
  TrainState& state_;
  ModelShape shape_;
  Paces paces_;
  std::shared_ptr<const Background> background_;
  Engine<float> engine_;
  std::vector<unsigned> owners_;  ///< of each target
  std::optional<Sharing> sharing_;
  Parameters<float> gradient_;
  std::vector<Batch> own_;           ///< lanes of this process, where there are others
  std::vector<OperatorId> targets_;  ///< of this process's lanes
  StepFindings<float> found_;        ///< of the same
  StepFindings<float> findings_;     ///< of all lanes
  std::vector<Sharing::Slope> slopes_;
};

}  // namespace lerpp
