// SPDX-License-Identifier: Apache-2.0
#include "explain/open_answers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lerpp {
namespace {

constexpr float least = std::numeric_limits<float>::lowest();
/// Log-odds below the best answer from which on an answer has no part in the sum.
constexpr float unheard = 20;
constexpr double least_log_share = -30;

}  // namespace

void OpenAnswers::take(const Scores& scores, EntityId entities, std::span<const Edge> known) {
  if (scores.is_dense()) {
    all_ = scores.values;
  } else {
    all_.assign(entities, scores.rest);
    for (std::size_t i = 0; i < scores.entities.size(); ++i)
      all_[scores.entities[i]] = scores.values[i];
  }
  for (float& value : all_) value = value >= least ? value : least;  // not a number is not
  open_ = all_;
  for (const Edge& edge : known) open_[edge.target] = least;
  top_ = second_ = least;
  first_ = entities;
  for (EntityId entity = 0; entity < entities; ++entity) {
    const float value = open_[entity];
    if (value <= second_) continue;
    if (value > top_) {
      second_ = top_;
      top_ = value;
      first_ = entity;
    } else {
      second_ = value;
    }
  }
  sum_ = 0;
  const float floor = evidence_ ? top_ - unheard : 0;
  for (const float value : open_) {
    if (value > floor) sum_ += mass(value);
  }
}

double OpenAnswers::mass(float score) const {
  return evidence_ ? std::exp(double{score} - double{top_}) : std::max(0.0, double{score});
}

Side OpenAnswers::side(EntityId answer) const {
  const float score = all_[answer];
  const bool open = open_[answer] == score;
  const float rival = answer == first_ ? second_ : top_;
  Side side;
  side.score = double{score};
  side.margin = rival == least ? 0 : double{score} - double{rival};
  const auto above = [score](float value) { return value > score; };
  side.better = static_cast<std::uint64_t>(std::ranges::count_if(open_, above));
  const double own = mass(score);
  const double all = open ? sum_ : sum_ + own;
  side.log_share =
      own > 0 ? std::max(least_log_share, std::log(own / std::max(all, own))) : least_log_share;
  return side;
}

std::vector<EntityId> OpenAnswers::best(std::size_t count) const {
  // A heap of the best so far: most entities fail against its least without being moved.
  std::vector<EntityId> kept;
  const auto before = [this](EntityId a, EntityId b) {
    return open_[a] != open_[b] ? open_[a] > open_[b] : a < b;
  };
  for (EntityId entity = 0; entity < open_.size() && count > 0; ++entity) {
    if (open_[entity] == least) continue;
    if (kept.size() == count) {
      if (open_[entity] <= open_[kept.front()]) continue;
      std::ranges::pop_heap(kept, before);
      kept.pop_back();
    }
    kept.push_back(entity);
    std::ranges::push_heap(kept, before);
  }
  std::ranges::sort_heap(kept, before);
  return kept;
}

}  // namespace lerpp
