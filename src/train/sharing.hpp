// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include <lerp/train/train.hpp>

namespace lerpp {

/// What targets learn together. A target's weights of constants are its own plus those that all
/// targets share, one for each kind of constant: of the target's own relation, of its inverse, of
/// any other. Targets with few facts begin where those with many have come to.
///
/// The parameters hold the sums. What others have learned since a target's last batch is added when
/// it is needed, so a step costs the target's own parameters and no more.
class Sharing {
 public:
  /// Goes on where the state is, which must outlive it.
  Sharing(const ModelShape& shape, SharedState& state);

  /// What a batch says of the shared weights: lift and confidence, of each of the three kinds.
  using Slope = std::array<float, 6>;

  /// Adds what others have learned since.
  void catch_up(OperatorId target, Parameters<float>& parameters);
  /// Every target has caught up, here or in another process.
  void all_caught_up();
  Slope slope(OperatorId target, const Parameters<float>& gradient) const;
  void step(double rate, const Slope& slope);
  /// The shared weights that a target's parameters have in them.
  std::span<float> known(OperatorId target) {
    return std::span(state_.known).subspan(target * Slope().size(), Slope().size());
  }

 private:
  /// Which kind of constant an operator's are for a target.
  std::size_t kind_of(OperatorId target, OperatorId op) const;

  ModelShape shape_;
  SharedState& state_;
};

}  // namespace lerpp
