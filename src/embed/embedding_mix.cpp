// SPDX-License-Identifier: Apache-2.0
#include "embed/embedding_mix.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace lerpp {
namespace {

/// The queries of other targets count as much as this many of one's own.
constexpr double borrowed = 50;

}  // namespace

void EmbeddingMix::add(OperatorId target, std::span<const float> rules,
                       std::span<const float> embedding, EntityId answer,
                       std::span<const Edge> known) {
  assert(rules.size() == embedding.size());
  // The candidates side by side, without the known ones, which are in rising order.
  rules_.clear();
  embedding_.clear();
  auto next = known.begin();
  for (EntityId entity = 0; entity < rules.size(); ++entity) {
    while (next != known.end() && next->target < entity) ++next;
    if (next != known.end() && next->target == entity && entity != answer) continue;
    rules_.push_back(rules[entity]);
    embedding_.push_back(embedding[entity]);
  }
  Losses& losses = losses_[target];
  losses.queries += 1;
  for (std::size_t place = 0; place < values; ++place) {
    const float mix = value(place);
    float top = rules_[0] + mix * embedding_[0];
    for (std::size_t i = 1; i < rules_.size(); ++i)
      top = std::max(top, rules_[i] + mix * embedding_[i]);
    // One exponential serves all: the others are its powers.
    std::array<double, softnesses> sums = {};
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const auto first = static_cast<double>(
          std::exp((rules_[i] + mix * embedding_[i] - top) / static_cast<float>(softnesses)));
      double power = 1;
      for (double& sum : sums) sum += power *= first;
    }
    const auto short_of_top = static_cast<double>(top - rules[answer] - mix * embedding[answer]);
    for (std::size_t softness = 0; softness < softnesses; ++softness) {
      losses.sums[softness][place] +=
          std::log(sums[softness]) +
          short_of_top * static_cast<double>(softness + 1) / static_cast<double>(softnesses);
    }
  }
}

void EmbeddingMix::Losses::add(const Losses& other, double weight) {
  queries += weight * other.queries;
  for (std::size_t softness = 0; softness < softnesses; ++softness) {
    for (std::size_t place = 0; place < values; ++place)
      sums[softness][place] += weight * other.sums[softness][place];
  }
}

void EmbeddingMix::add(const EmbeddingMix& other) {
  for (std::size_t target = 0; target < losses_.size(); ++target)
    losses_[target].add(other.losses_[target], 1);
}

std::vector<float> EmbeddingMix::choose() const {
  std::vector<float> chosen(losses_.size(), 1);
  const auto least = [](const std::array<double, values>& sums) {
    return static_cast<std::size_t>(std::min_element(sums.begin(), sums.end()) - sums.begin());
  };
  Losses all;
  for (const Losses& losses : losses_) all.add(losses, 1);
  if (all.queries == 0) return chosen;
  std::size_t softness = softnesses - 1;
  for (std::size_t other = 0; other < softnesses; ++other) {
    const auto loss = [&](std::size_t at) { return all.sums[at][least(all.sums[at])]; };
    if (loss(other) < loss(softness)) softness = other;
  }
  for (std::size_t target = 0; target < losses_.size(); ++target) {
    Losses own = losses_[target];
    own.add(all, borrowed / all.queries);
    chosen[target] = value(least(own.sums[softness]));
  }
  return chosen;
}

void EmbeddingMix::store(Parameters<float>& parameters) const {
  const bool seen = std::any_of(losses_.begin(), losses_.end(),
                                [](const Losses& losses) { return losses.queries > 0; });
  if (!seen) return;
  const std::vector<float> chosen = choose();
  for (OperatorId target = 0; target < chosen.size(); ++target)
    parameters.of(Part::mix, target)[0] = chosen[target];
}

}  // namespace lerpp
