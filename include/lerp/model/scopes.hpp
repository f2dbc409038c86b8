// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lerp/kg/fact.hpp>

namespace lerpp {

/// What each target has weights for: some operators, and a number of paths. Where there are many
/// relations a target meets few of them, and what it never meets has no weight: memory follows what
/// the data holds. Cheap to copy.
class Scopes {
 public:
  /// None are known: whoever asks has to take all.
  Scopes() = default;
  /// Every target has all operators; one number of paths for each.
  static Scopes all(std::span<const std::uint32_t> paths);
  /// One list of operators and one number of paths for each target; the lists are sorted.
  Scopes(std::span<const std::vector<OperatorId>> operators, std::span<const std::uint32_t> paths);

  bool known() const { return state_ != nullptr; }
  OperatorId targets() const { return static_cast<OperatorId>(state_->rows.size() - 1); }
  /// In rising order. An operator's place among them is its place among the parameters.
  std::span<const OperatorId> operators(OperatorId target) const {
    return {state_->operators.data() + state_->starts[target], operator_count(target)};
  }
  /// Operators, and paths, of all targets before this one, which may be one past the last.
  std::size_t operators_before(OperatorId target) const { return state_->rows[target].operators; }
  std::size_t paths_before(OperatorId target) const { return state_->rows[target].paths; }
  std::size_t operator_count(OperatorId target) const {
    return operators_before(target + 1) - operators_before(target);
  }
  std::uint32_t path_count(OperatorId target) const {
    return static_cast<std::uint32_t>(paths_before(target + 1) - paths_before(target));
  }
  /// Whether some target lacks an operator.
  bool lacks_operators() const;

  bool operator==(const Scopes& other) const;

 private:
  /// What the targets before one have.
  struct Before {
    std::size_t operators = 0;
    std::size_t paths = 0;

    bool operator==(const Before&) const = default;
  };
  struct State {
    std::vector<Before> rows;           ///< one more than targets
    std::vector<std::size_t> starts;    ///< of each target's list
    std::vector<OperatorId> operators;  ///< the lists; targets that have all share one

    bool operator==(const State&) const = default;
  };

  std::shared_ptr<const State> state_;
};

}  // namespace lerpp
