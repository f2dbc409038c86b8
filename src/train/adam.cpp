// SPDX-License-Identifier: Apache-2.0
#include "train/adam.hpp"

#include <algorithm>

#include "base/adam_step.hpp"

namespace lerpp {
namespace {

/// Parameters that one worker moves at a time.
constexpr std::size_t piece = 1 << 14;
/// Of the functions, whose pieces are moved once for each lane.
constexpr std::size_t shared_piece = 1 << 11;

/// Some parameters of a target.
struct Piece {
  AdamStep adam;
  std::size_t offset = 0;
  std::size_t size = 0;
};

}  // namespace

void Adam::step(const Settings& settings, std::span<const OperatorId> targets,
                const Parameters<float>& gradient, const StepFindings<float>& findings,
                Parameters<float>& parameters, AdamState& state, Team& team) {
  std::vector<Piece> pieces;
  for (const OperatorId target : targets) {
    const std::uint64_t count = ++state.steps[target];
    for (std::size_t part = 0; part < part_count; ++part) {
      const auto which = static_cast<Part>(part);
      if (which == Part::relation || which == Part::mix) continue;
      const AdamStep adam{settings.rate * settings.paces[part], settings.weight_decay, count};
      const std::span<float> own = parameters.of(which, target);
      const auto offset = static_cast<std::size_t>(own.data() - parameters.values().data());
      for (std::size_t first = 0; first < own.size(); first += piece)
        pieces.push_back({adam, offset + first, std::min(piece, own.size() - first)});
    }
  }
  // Every target's batches move the functions: pulled to 0 at each, they would all be alike.
  const std::size_t shared = parameters.shared().size();
  const std::uint64_t before = state.steps.back();
  const std::size_t lanes = findings.losses.size();
  state.steps.back() += lanes;
  const std::size_t shared_pieces = (shared + shared_piece - 1) / shared_piece;
  team.each(shared_pieces + pieces.size(), [&](unsigned /*worker*/, std::size_t item) {
    const auto move = [&](const AdamStep& adam, std::size_t offset, std::size_t size,
                          std::span<const float> slope) {
      adam.move(parameters.values().subspan(offset, size), slope,
                state.first.values().subspan(offset, size),
                state.second.values().subspan(offset, size));
    };
    if (item >= shared_pieces) {
      const Piece& own = pieces[item - shared_pieces];
      move(own.adam, own.offset, own.size, gradient.values().subspan(own.offset, own.size));
      return;
    }
    const std::size_t first = item * shared_piece;
    const std::size_t size = std::min(shared_piece, shared - first);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      move({settings.rate, 0, before + lane + 1}, first, size,
           std::span(findings.shared[lane]).subspan(first, size));
    }
  });
}

}  // namespace lerpp
