// SPDX-License-Identifier: Apache-2.0
#include "model/score_base.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace lerpp {

ScoreBase::ScoreBase(std::vector<float> scores)
    : scores_(std::move(scores)), order_(scores_.size()) {
  assert(!scores_.empty());
  constexpr float least = std::numeric_limits<float>::lowest();
  for (float& score : scores_) score = score >= least ? score : least;  // not a number is not
  std::iota(order_.begin(), order_.end(), EntityId{0});
  std::sort(order_.begin(), order_.end(), [this](EntityId a, EntityId b) {
    return scores_[a] != scores_[b] ? scores_[a] > scores_[b] : a < b;
  });
  for (std::size_t place = 0; place < order_.size(); ++place) {
    const float score = scores_[order_[place]];
    if (runs_.empty() || runs_.back().score != score) runs_.push_back({score, 0, 0});
    runs_.back().end = place + 1;
  }
  // From the least on, so that small numbers are not lost in large ones.
  double mass = 0;
  for (std::size_t run = runs_.size(); run-- > 0;) {
    const auto size = static_cast<double>(runs_[run].end - before(run));
    mass += size * std::exp(double{runs_[run].score} - double{best()});
    runs_[run].mass = mass;
  }
}

std::size_t ScoreBase::run_at(float score) const {
  const auto found = std::partition_point(runs_.begin(), runs_.end(),
                                          [score](const Run& run) { return run.score > score; });
  return static_cast<std::size_t>(found - runs_.begin());
}

double ScoreBase::mass(std::size_t first, std::size_t last) const {
  if (first >= last) return 0;
  return runs_[first].mass - (last < runs_.size() ? runs_[last].mass : 0);
}

}  // namespace lerpp
