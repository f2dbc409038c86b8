// SPDX-License-Identifier: Apache-2.0
#include "embed/embedding_loss.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <lerp/base/parallel.hpp>

#include "model/kernels.hpp"
#include "model/real.hpp"

namespace lerpp {
namespace {

constexpr std::size_t lanes = kernels::lane_multiple;
/// Scores that are held at a time: 64 MiB.
constexpr std::size_t most_held = std::size_t{1} << 24U;

}  // namespace

template <class Real>
double EmbeddingLoss<Real>::learn(const Parameters<Real>& parameters,
                                  std::span<const EmbeddingQuery> queries,
                                  Parameters<Real>& gradient) {
  const Real weight = Real{1} / static_cast<Real>(queries.size());
  const std::size_t most = std::max<std::size_t>(most_held / graph_.entities() / lanes, 1) * lanes;
  double loss = 0;
  for (std::size_t first = 0; first < queries.size(); first += most) {
    const std::size_t count = std::min(most, queries.size() - first);
    loss += learn_some(parameters, queries.subspan(first, count), weight, gradient);
  }
  return loss;
}

template <class Real>
double EmbeddingLoss<Real>::learn_some(const Parameters<Real>& parameters,
                                       std::span<const EmbeddingQuery> queries, Real weight,
                                       Parameters<Real>& gradient) {
  scores_.forward(parameters, queries);
  const std::size_t groups = scores_.columns() / lanes;
  std::vector<double> losses(groups);
  team_.run([&](unsigned worker) {
    const auto [first, last] = slice(groups, worker, team_.size());
    for (std::size_t group = first; group < last; ++group)
      losses[group] = softmax(queries, group * lanes, weight);
  });
  scores_.backward(parameters, queries, gradient);
  double loss = 0;
  for (const double part : losses) loss += part;
  if (settings_.n3 > 0) loss += regularize(parameters, queries, weight, gradient);
  return loss;
}

/// Puts the gradient of a group of columns in the place of their scores.
template <class Real>
double EmbeddingLoss<Real>::softmax(std::span<const EmbeddingQuery> queries, std::size_t first,
                                    Real weight) {
  constexpr Real nowhere = -std::numeric_limits<Real>::infinity();
  const std::size_t entities = graph_.entities();
  const std::size_t count = std::min(lanes, queries.size() - first);
  std::array<Real, lanes> answer_scores = {};
  for (std::size_t lane = 0; lane < count; ++lane) {
    const EmbeddingQuery& query = queries[first + lane];
    answer_scores[lane] = scores_.row(query.answer)[first + lane];
    if (!settings_.filtered) continue;
    for (const Edge& edge : graph_.edges(query.start, query.target)) {
      if (edge.target != query.answer) scores_.row(edge.target)[first + lane] = nowhere;
    }
  }
  std::array<Real, lanes> top;
  top.fill(nowhere);
  for (std::size_t entity = 0; entity < entities; ++entity) {
    const Real* row = scores_.row(entity) + first;
    for (std::size_t lane = 0; lane < lanes; ++lane) top[lane] = std::max(top[lane], row[lane]);
  }
  std::array<double, lanes> sum = {};
  for (std::size_t entity = 0; entity < entities; ++entity) {
    Real* row = scores_.row(entity) + first;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      row[lane] = std::exp(row[lane] - top[lane]);
      sum[lane] += static_cast<double>(row[lane]);
    }
  }
  double loss = 0;
  std::array<Real, lanes> scale = {};
  for (std::size_t lane = 0; lane < count; ++lane) {
    loss += std::log(sum[lane]) + static_cast<double>(top[lane] - answer_scores[lane]);
    scale[lane] = weight / static_cast<Real>(sum[lane]);
  }
  for (std::size_t entity = 0; entity < entities; ++entity) {
    Real* row = scores_.row(entity) + first;
    for (std::size_t lane = 0; lane < lanes; ++lane) row[lane] *= scale[lane];
  }
  for (std::size_t lane = 0; lane < count; ++lane)
    scores_.row(queries[first + lane].answer)[first + lane] -= weight;
  return loss * static_cast<double>(weight);
}

template <class Real>
double EmbeddingLoss<Real>::regularize(const Parameters<Real>& parameters,
                                       std::span<const EmbeddingQuery> queries, Real weight,
                                       Parameters<Real>& gradient) const {
  const std::size_t width = 2 * std::size_t{parameters.shape().embedding};
  const Real n3 = weight * static_cast<Real>(settings_.n3);
  double sum = 0;
  for (const EmbeddingQuery& query : queries) {
    for (const EntityId entity : {query.start, query.answer}) {
      sum += embedding_n3<Real>(parameters.entities().subspan(entity * width, width), n3,
                                gradient.entities().subspan(entity * width, width));
    }
    sum += embedding_n3<Real>(parameters.of(Part::relation, query.target), n3,
                              gradient.of(Part::relation, query.target));
  }
  return sum;
}

template class EmbeddingLoss<LERP_REAL>;

}  // namespace lerpp
