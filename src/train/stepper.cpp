// SPDX-License-Identifier: Apache-2.0
#include "train/stepper.hpp"

#include <cmath>

#include <fmt/format.h>

#include "model/terms.hpp"
#include "train/owners.hpp"

namespace lerpp {
namespace {

/// Kinds of evidence may learn slower than the rest: evidence.NAME_pace, where there is one.
Paces paces_of(const TrainOptions& options) {
  Paces paces = even_paces;
  for (const TermKind& kind : term_kinds()) {
    const std::string name = fmt::format("evidence.{}_pace", kind.name);
    TrainOptions::fields(options, [&](const Field& field, const auto& value) {
      if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>) {
        if (field.name == name) paces[static_cast<std::size_t>(kind.part)] = value;
      }
    });
  }
  return paces;
}

}  // namespace

Stepper::Stepper(const TrainOptions& options, std::shared_ptr<const Background> background,
                 Team& team, Crew& crew, std::span<const std::uint64_t> costs, TrainState& state)
    : options_(options),
      team_(team),
      crew_(crew),
      state_(state),
      shape_(background->shape()),
      paces_(paces_of(options)),
      background_(std::move(background)),
      engine_(*background_, team),
      owners_(owners(costs, crew.size())),
      gradient_(shape_) {
  if (!options.train.share || shape_.constants == 0) return;
  if (!state_.shared) state_.shared.emplace(shape_);
  sharing_.emplace(shape_, *state_.shared);
}

Result<Stepper::Outcome> Stepper::learn(std::span<const Batch> lanes, const StepSettings& settings,
                                        double rate, Wishes& wishes) {
  own_.clear();
  targets_.clear();
  for (const Batch& lane : lanes) {
    if (owners_[lane.target] != crew_.rank()) continue;
    if (sharing_) sharing_->catch_up(lane.target, state_.parameters);
    if (!crew_.alone()) own_.push_back(lane);
    targets_.push_back(lane.target);
  }
  if (!targets_.empty()) {
    engine_.learn(state_.parameters, crew_.alone() ? lanes : std::span<const Batch>(own_), settings,
                  gradient_, found_);
  }
  if (settings.observer != nullptr && settings.observer->stopped()) return fail_stopped("learning");
  LERP_CHECK(exchange(lanes, wishes));
  Outcome outcome;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (!std::isfinite(findings_.losses[lane])) return Outcome{0, lanes[lane].target};
    outcome.loss += findings_.losses[lane] * static_cast<double>(lanes[lane].starts.size());
  }
  Adam::step({rate, options_.train.weight_decay, paces_}, targets_, gradient_, findings_,
             state_.parameters, state_.adam, team_);
  for (const Sharing::Slope& slope : slopes_) sharing_->step(rate, slope);
  return outcome;
}

Result<void> Stepper::exchange(std::span<const Batch> lanes, Wishes& wishes) {
  findings_.losses.resize(lanes.size());
  if (findings_.shared.size() < lanes.size()) findings_.shared.resize(lanes.size());
  slopes_.resize(sharing_ ? lanes.size() : 0);
  std::size_t own = 0;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    findings_.shared[lane].resize(state_.parameters.shared().size());
    if (owners_[lanes[lane].target] != crew_.rank()) continue;
    findings_.losses[lane] = found_.losses[own];
    findings_.shared[lane].swap(found_.shared[own]);
    if (sharing_) slopes_[lane] = sharing_->slope(lanes[lane].target, gradient_);
    ++own;
  }
  if (crew_.alone()) return {};
  std::vector<Crew::Block> blocks = {block(0, std::span(&wishes, 1))};
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const unsigned owner = owners_[lanes[lane].target];
    blocks.push_back(block(owner, std::span(&findings_.losses[lane], 1)));
    if (!findings_.shared[lane].empty())
      blocks.push_back(block(owner, std::span<float>(findings_.shared[lane])));
    if (sharing_) blocks.push_back(block(owner, std::span(&slopes_[lane], 1)));
  }
  return crew_.exchange(blocks);
}

void Stepper::own_blocks(Parameters<float>& parameters, std::vector<Crew::Block>& blocks) const {
  for (OperatorId target = 0; target < owners_.size(); ++target) {
    for (std::size_t part = 0; part < part_count; ++part) {
      const std::span<float> own = parameters.of(static_cast<Part>(part), target);
      if (!own.empty()) blocks.push_back(block(owners_[target], own));
    }
  }
}

Result<void> Stepper::gather_parameters() {
  if (sharing_) {
    for (OperatorId target = 0; target < owners_.size(); ++target) {
      if (owners_[target] == crew_.rank()) sharing_->catch_up(target, state_.parameters);
    }
    sharing_->all_caught_up();
  }
  if (crew_.alone()) return {};
  std::vector<Crew::Block> blocks;
  own_blocks(state_.parameters, blocks);
  return crew_.exchange(blocks);
}

Result<void> Stepper::gather_state() {
  if (crew_.alone()) return {};
  std::vector<Crew::Block> blocks;
  own_blocks(state_.parameters, blocks);
  own_blocks(state_.adam.first, blocks);
  own_blocks(state_.adam.second, blocks);
  for (OperatorId target = 0; target < owners_.size(); ++target)
    blocks.push_back(block(owners_[target], std::span(&state_.adam.steps[target], 1)));
  if (sharing_) {
    for (OperatorId target = 0; target < owners_.size(); ++target)
      blocks.push_back(block(owners_[target], sharing_->known(target)));
  }
  return crew_.exchange(blocks);
}

}  // namespace lerpp
