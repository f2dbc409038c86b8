// SPDX-License-Identifier: Apache-2.0
#include "model/embedding_term.hpp"

#include <algorithm>
#include <array>

#include "model/kernels.hpp"
#include "model/real.hpp"

namespace lerpp {
namespace {

/// Scores that are held at a time: 64 MiB.
constexpr std::size_t most_held = std::size_t{1} << 24U;

/// Several sums side by side: the compiler may not reorder one.
template <class Real>
Real dot(const Real* a, const Real* b, std::size_t count) {
  constexpr std::size_t lanes = kernels::lane_multiple;
  std::array<Real, lanes> sums = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  Real sum = 0;
  for (const Real part : sums) sum += part;
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

template <class Real>
void EmbeddingTerm<Real>::begin(const Parameters<Real>& parameters, OperatorId target) {
  parameters_ = &parameters;
  target_ = target;
  columns_.clear();
}

template <class Real>
void EmbeddingTerm<Real>::prepare(std::span<const EntityId> starts) {
  columns_.clear();
  queries_.clear();
  const std::size_t entities = parameters_->shape().entities;
  for (const EntityId start : starts) {
    if ((queries_.size() + 1) * entities > most_held) break;
    if (columns_.emplace(start, queries_.size()).second) queries_.push_back({target_, start, 0});
  }
  scores_.forward(*parameters_, queries_);
}

template <class Real>
std::span<const Real> EmbeddingTerm<Real>::scores(unsigned worker, EntityId start) {
  Worker& own = workers_[worker];
  const std::size_t entities = parameters_->shape().entities;
  own.scores.resize(entities);
  if (const auto found = columns_.find(start); found != columns_.end()) {
    for (std::size_t entity = 0; entity < entities; ++entity)
      own.scores[entity] = scores_.row(entity)[found->second];
    return own.scores;
  }
  const std::size_t width = 2 * std::size_t{parameters_->shape().embedding};
  const std::span<const Real> table = parameters_->entities();
  own.query.resize(width);
  embedding_query(table.subspan(start * width, width), parameters_->of(Part::relation, target_),
                  own.query.data());
  for (std::size_t entity = 0; entity < entities; ++entity)
    own.scores[entity] = dot(own.query.data(), table.data() + entity * width, width);
  return own.scores;
}

template <class Real>
void EmbeddingTerm<Real>::add(unsigned worker, EntityId start, std::span<Real> sums) {
  const std::span<const Real> own = scores(worker, start);
  const Real mix = parameters_->of(Part::mix, target_)[0];
  for (std::size_t entity = 0; entity < sums.size(); ++entity) sums[entity] += mix * own[entity];
}

template class EmbeddingTerm<LERP_REAL>;

}  // namespace lerpp
