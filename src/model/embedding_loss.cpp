#include "model/embedding_loss.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <lerp/base/parallel.hpp>

#include "model/kernels.hpp"

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
  std::size_t answers = 0;
  for (const EmbeddingQuery& query : queries)
    answers += graph_.edges(query.start, query.target).size();
  if (answers == 0) return 0;
  const Real weight = Real{1} / static_cast<Real>(answers);
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
  if (n3_ > 0) loss += regularize(parameters, queries, weight, gradient);
  return loss;
}

/// Puts the gradient of a group of columns in the place of their scores. With S the sum of exp over
/// the entities that are no answers, an answer a loses log(1 + S / exp(a)): all answers of a query
/// share one pass.
template <class Real>
double EmbeddingLoss<Real>::softmax(std::span<const EmbeddingQuery> queries, std::size_t first,
                                    Real weight) {
  constexpr Real nowhere = -std::numeric_limits<Real>::infinity();
  const std::size_t entities = graph_.entities();
  const std::size_t count = std::min(lanes, queries.size() - first);
  std::array<std::vector<Real>, lanes> answers;
  for (std::size_t lane = 0; lane < count; ++lane) {
    const EmbeddingQuery& query = queries[first + lane];
    for (const Edge& edge : graph_.edges(query.start, query.target)) {
      Real& score = scores_.row(edge.target)[first + lane];
      answers[lane].push_back(score);
      score = nowhere;
    }
  }
  std::array<Real, lanes> top;
  top.fill(nowhere);
  for (std::size_t entity = 0; entity < entities; ++entity) {
    const Real* row = scores_.row(entity) + first;
    for (std::size_t lane = 0; lane < lanes; ++lane) top[lane] = std::max(top[lane], row[lane]);
  }
  // Where every entity is an answer.
  for (Real& value : top) {
    if (value == nowhere) value = 0;
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
    const double others = static_cast<double>(top[lane]) + std::log(sum[lane]);
    double missing = 0;
    for (Real& score : answers[lane]) {
      const double margin = static_cast<double>(score) - others;
      loss += margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin;
      const double wrong = 1 / (1 + std::exp(margin));
      missing += wrong;
      score = static_cast<Real>(-wrong) * weight;
    }
    if (sum[lane] > 0) scale[lane] = static_cast<Real>(missing / sum[lane]) * weight;
  }
  for (std::size_t entity = 0; entity < entities; ++entity) {
    Real* row = scores_.row(entity) + first;
    for (std::size_t lane = 0; lane < lanes; ++lane) row[lane] *= scale[lane];
  }
  for (std::size_t lane = 0; lane < count; ++lane) {
    const EmbeddingQuery& query = queries[first + lane];
    std::size_t place = 0;
    for (const Edge& edge : graph_.edges(query.start, query.target))
      scores_.row(edge.target)[first + lane] = answers[lane][place++];
  }
  return loss * static_cast<double>(weight);
}

template <class Real>
double EmbeddingLoss<Real>::regularize(const Parameters<Real>& parameters,
                                       std::span<const EmbeddingQuery> queries, Real weight,
                                       Parameters<Real>& gradient) const {
  const std::size_t width = 2 * std::size_t{parameters.shape().embedding};
  const Real one = weight * static_cast<Real>(n3_);
  const auto entity = [&](EntityId id, Real times) {
    return embedding_n3<Real>(parameters.entities().subspan(id * width, width), times,
                              gradient.entities().subspan(id * width, width));
  };
  double sum = 0;
  for (const EmbeddingQuery& query : queries) {
    const std::span<const Edge> answers = graph_.edges(query.start, query.target);
    if (answers.empty()) continue;
    const Real all = one * static_cast<Real>(answers.size());
    sum += entity(query.start, all);
    sum += embedding_n3<Real>(parameters.of(Part::relation, query.target), all,
                              gradient.of(Part::relation, query.target));
    for (const Edge& edge : answers) sum += entity(edge.target, one);
  }
  return sum;
}

template class EmbeddingLoss<float>;
template class EmbeddingLoss<double>;

}  // namespace lerpp
