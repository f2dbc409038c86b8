// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <numeric>

#include <lerp/model/scopes.hpp>

namespace lerpp {

Scopes::Scopes(std::span<const std::vector<OperatorId>> operators,
               std::span<const std::uint32_t> paths) {
  assert(operators.size() == paths.size());
  const std::size_t targets = operators.size();
  auto state = std::make_shared<State>();
  state->rows.reserve(targets + 1);
  state->starts.reserve(targets);
  // The list of those that have all comes first.
  std::vector<OperatorId>& lists = state->operators;
  lists.resize(targets);
  std::iota(lists.begin(), lists.end(), OperatorId{0});
  Before before;
  for (std::size_t target = 0; target < targets; ++target) {
    const std::vector<OperatorId>& own = operators[target];
    assert(std::ranges::is_sorted(own));
    state->rows.push_back(before);
    state->starts.push_back(own.size() == targets ? 0 : lists.size());
    if (own.size() < targets) lists.insert(lists.end(), own.begin(), own.end());
    before.operators += own.size();
    before.paths += paths[target];
  }
  state->rows.push_back(before);
  state_ = std::move(state);
}

Scopes Scopes::all(std::span<const std::uint32_t> paths) {
  auto state = std::make_shared<State>();
  state->operators.resize(paths.size());
  std::iota(state->operators.begin(), state->operators.end(), OperatorId{0});
  state->starts.assign(paths.size(), 0);
  state->rows.resize(1);
  for (const std::uint32_t count : paths) {
    const Before& last = state->rows.back();
    state->rows.push_back({last.operators + paths.size(), last.paths + count});
  }
  Scopes scopes;
  scopes.state_ = std::move(state);
  return scopes;
}

bool Scopes::lacks_operators() const {
  return known() && operators_before(targets()) < std::size_t{targets()} * targets();
}

bool Scopes::operator==(const Scopes& other) const {
  if (state_ == nullptr || other.state_ == nullptr) return state_ == other.state_;
  return *state_ == *other.state_;
}

}  // namespace lerpp
