// SPDX-License-Identifier: Apache-2.0
#include "explain/open_answers.hpp"

#include <algorithm>
#include <cmath>

namespace lerpp {
namespace {

constexpr double least_log_share = -30;

float at_least(float value, float least) {
  return value >= least ? value : least;  // not a number is not
}

}  // namespace

void OpenAnswers::begin_comparing() {
  top_ = second_ = least;
  first_ = Vocabulary::none;
}

void OpenAnswers::compare(EntityId entity, float value) {
  if (value <= second_) return;
  if (value > top_) {
    second_ = top_;
    top_ = value;
    first_ = entity;
  } else {
    second_ = value;
  }
}

double OpenAnswers::mass(float score) const {
  return evidence_ ? std::exp(double{score} - double{top_}) : std::max(0.0, double{score});
}

double OpenAnswers::share(EntityId answer) const {
  const double own = mass(value(answer));
  const double all = is_open(answer) ? sum_ : sum_ + own;
  return own > 0 ? own / std::max(all, own) : 0;
}

Rank OpenAnswers::rank(EntityId answer) const {
  const float score = value(answer);
  return {above(score), level(score) - (is_open(answer) ? 1 : 0)};
}

Side OpenAnswers::side(EntityId answer) const {
  const float score = value(answer);
  const float rival = answer == first_ ? second_ : top_;
  Side side;
  side.score = double{score};
  side.margin = rival == least ? 0 : double{score} - double{rival};
  side.better = above(score);
  const double part = share(answer);
  side.log_share = part > 0 ? std::max(least_log_share, std::log(part)) : least_log_share;
  return side;
}

void DenseAnswers::take(const Scores& scores, EntityId entities) {
  if (scores.is_dense()) {
    all_ = scores.values;
  } else {
    all_.assign(entities, scores.rest);
    for (std::size_t i = 0; i < scores.entities.size(); ++i)
      all_[scores.entities[i]] = scores.values[i];
  }
  for (float& value : all_) value = at_least(value, least);
}

void DenseAnswers::know(std::span<const Edge> known) {
  open_ = all_;
  for (const Edge& edge : known) open_[edge.target] = least;
  begin_comparing();
  for (EntityId entity = 0; entity < open_.size(); ++entity) compare(entity, open_[entity]);
  sum_ = 0;
  for (const float value : open_) {
    if (value > floor()) sum_ += mass(value);
  }
}

std::uint64_t DenseAnswers::above(float score) const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(open_, [score](float value) { return value > score; }));
}

std::uint64_t DenseAnswers::level(float score) const {
  return static_cast<std::uint64_t>(std::ranges::count(open_, score));
}

std::vector<EntityId> DenseAnswers::best(std::size_t count) const {
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

void ListAnswers::take(const ScoreBase& base, std::span<const Change> changes) {
  base_ = &base;
  changes_ = changes;
}

float ListAnswers::value(EntityId answer) const {
  const auto change = std::ranges::lower_bound(changes_, answer, {}, &Change::entity);
  const bool changed = change != changes_.end() && change->entity == answer;
  return at_least(changed ? change->score : base_->scores()[answer], least);
}

bool ListAnswers::is_open(EntityId answer) const {
  const auto edge = std::ranges::lower_bound(known_, answer, {}, &Edge::target);
  return edge == known_.end() || edge->target != answer;
}

bool ListAnswers::is_plain(EntityId entity) const {
  const auto change = std::ranges::lower_bound(changes_, entity, {}, &Change::entity);
  return (change == changes_.end() || change->entity != entity) && is_open(entity);
}

void ListAnswers::know(std::span<const Edge> known) {
  known_ = known;
  const std::span<const float> scores = base_->scores();
  open_changes_.clear();
  taken_.clear();
  for (const Edge& edge : known) taken_.push_back(scores[edge.target]);
  auto next = known.begin();
  for (const Change& change : changes_) {
    next = std::lower_bound(next, known.end(), change.entity,
                            [](const Edge& edge, EntityId entity) { return edge.target < entity; });
    if (next != known.end() && next->target == change.entity) continue;  // is taken already
    taken_.push_back(scores[change.entity]);
    open_changes_.push_back({change.entity, at_least(change.score, least)});
  }
  std::ranges::sort(taken_, std::greater<>());
  std::ranges::sort(open_changes_, [](const Change& a, const Change& b) {
    return a.score != b.score ? a.score > b.score : a.entity < b.entity;
  });
  begin_comparing();
  for (std::size_t i = 0; i < std::min<std::size_t>(2, open_changes_.size()); ++i)
    compare(open_changes_[i].entity, open_changes_[i].score);
  std::size_t found = 0;
  for (const EntityId entity : base_->order()) {
    if (found == 2 || scores[entity] <= second_) break;
    if (!is_plain(entity)) continue;
    compare(entity, scores[entity]);
    ++found;
  }
  sum_ = plain_mass();
  for (const Change& change : open_changes_) {
    if (change.score <= floor()) break;
    sum_ += mass(change.score);
  }
}

/// Of the open entities that the question does not lead to. Runs from which something is taken are
/// summed anew, the others lie between them: nothing is found by taking much from much.
double ListAnswers::plain_mass() const {
  const std::size_t last = base_->run_at(floor());
  const std::span<const ScoreBase::Run> runs = base_->runs();
  double sum = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < taken_.size();) {
    const std::size_t run = base_->run_at(taken_[i]);
    if (run >= last) break;
    std::size_t left = runs[run].end - base_->before(run);
    for (; i < taken_.size() && taken_[i] == runs[run].score; ++i) --left;
    sum += base_->mass(next, run);
    sum += static_cast<double>(left) * std::exp(double{runs[run].score} - double{base_->best()});
    next = run + 1;
  }
  sum += base_->mass(next, last);
  return sum > 0 ? sum * std::exp(double{base_->best()} - double{top_}) : 0;
}

std::uint64_t ListAnswers::above(float score) const {
  const auto greater = [score](float value) { return value > score; };
  const auto taken = std::partition_point(taken_.begin(), taken_.end(), greater) - taken_.begin();
  const auto changed = std::partition_point(open_changes_.begin(), open_changes_.end(),
                                            [&](const Change& one) { return greater(one.score); }) -
                       open_changes_.begin();
  return base_->before(base_->run_at(score)) - static_cast<std::size_t>(taken) +
         static_cast<std::size_t>(changed);
}

std::uint64_t ListAnswers::level(float score) const {
  const std::size_t run = base_->run_at(score);
  const bool is_run = run < base_->runs().size() && base_->runs()[run].score == score;
  const std::size_t plain = is_run ? base_->runs()[run].end - base_->before(run) : 0;
  const auto [first, last] =
      std::equal_range(taken_.begin(), taken_.end(), score, std::greater<>());
  const auto changed = std::ranges::count(open_changes_, score, &Change::score);
  return plain - static_cast<std::size_t>(last - first) + static_cast<std::size_t>(changed);
}

std::vector<EntityId> ListAnswers::best(std::size_t count) const {
  const std::span<const EntityId> order = base_->order();
  const std::span<const float> scores = base_->scores();
  std::vector<EntityId> kept;
  auto change = open_changes_.begin();
  for (auto plain = order.begin(); kept.size() < count;) {
    while (plain != order.end() && !is_plain(*plain)) ++plain;
    const bool no_plain = plain == order.end();
    const bool no_change = change == open_changes_.end();
    if (no_plain && no_change) break;
    const bool takes_change =
        no_plain || (!no_change && (change->score != scores[*plain] ? change->score > scores[*plain]
                                                                    : change->entity < *plain));
    kept.push_back(takes_change ? (change++)->entity : *plain++);
  }
  return kept;
}

}  // namespace lerpp
