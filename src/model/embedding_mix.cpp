#include "model/embedding_mix.hpp"

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
    double sum = 0;
    for (std::size_t i = 0; i < rules_.size(); ++i)
      sum += static_cast<double>(std::exp(rules_[i] + mix * embedding_[i] - top));
    losses.sums[place] +=
        std::log(sum) + static_cast<double>(top - rules[answer] - mix * embedding[answer]);
  }
}

void EmbeddingMix::add(const EmbeddingMix& other) {
  for (std::size_t target = 0; target < losses_.size(); ++target) {
    losses_[target].queries += other.losses_[target].queries;
    for (std::size_t place = 0; place < values; ++place)
      losses_[target].sums[place] += other.losses_[target].sums[place];
  }
}

void EmbeddingMix::store(Parameters<float>& parameters) const {
  Losses all;
  for (const Losses& losses : losses_) {
    all.queries += losses.queries;
    for (std::size_t place = 0; place < values; ++place) all.sums[place] += losses.sums[place];
  }
  if (all.queries == 0) return;
  for (std::size_t target = 0; target < losses_.size(); ++target) {
    std::array<double, values> sums = losses_[target].sums;
    for (std::size_t place = 0; place < values; ++place)
      sums[place] += borrowed / all.queries * all.sums[place];
    const auto* const least = std::min_element(sums.begin(), sums.end());
    parameters.of(Part::mix, static_cast<OperatorId>(target))[0] =
        value(static_cast<std::size_t>(least - sums.begin()));
  }
}

}  // namespace lerpp
