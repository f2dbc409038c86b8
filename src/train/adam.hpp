#pragma once

#include <cstdint>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/model/parameters.hpp>

namespace lerpp {

/// Adam with decoupled weight decay. A target's parameters move only when it is learned, so the
/// moments of each target, and those of the functions, count their own steps. An embedding stays as
/// it is.
class Adam {
 public:
  struct Settings {
    double rate = 0.1;
    double weight_decay = 0;
    double clip = 0;
    double prior_pace = 1;  ///< of Part::prior: its rate as a share of the others'
    double path_pace = 1;   ///< of Part::path
  };

  explicit Adam(const ModelShape& shape);

  /// Moves the functions' parameters and those of one target against the gradient. A team shares
  /// the work.
  void step(const Settings& settings, OperatorId target, Parameters<float>& parameters,
            Parameters<float>& gradient, Team* team = nullptr);

  // The state, for checkpoints.
  Parameters<float>& first() { return first_; }
  Parameters<float>& second() { return second_; }
  std::vector<std::uint64_t>& steps() { return steps_; }

 private:
  Parameters<float> first_;
  Parameters<float> second_;
  std::vector<std::uint64_t> steps_;  ///< of each target, then of the functions
};

}  // namespace lerpp
