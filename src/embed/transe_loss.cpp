// SPDX-License-Identifier: Apache-2.0
#include "embed/transe_loss.hpp"

#include <algorithm>
#include <cmath>

#include <lerp/base/parallel.hpp>

#include "model/real.hpp"

namespace lerpp {
namespace {

template <class Real>
Real sign(Real number) {
  return static_cast<Real>((number > 0) - (number < 0));
}

}  // namespace

template <class Real>
TransELoss<Real>::TransELoss(const Graph& graph, const TransEShape& shape, const Settings& settings,
                             Team& team)
    : shape_(shape),
      settings_(settings),
      team_(team),
      table_(graph, shape, team),
      places_(graph.entities(), kernels::no_slot),
      sums_(transe_parts),
      unit_gradient_(graph.entities() * table_.stride()) {}

template <class Real>
TransELosses TransELoss<Real>::learn(const TransEParameters<Real>& parameters,
                                     std::span<const EmbeddingQuery> queries,
                                     std::span<const EntityId> candidates, const Mask* mask,
                                     TransEParameters<Real>& gradient) {
  table_.forward(parameters, mask);
  ask(parameters, queries, candidates);
  hinge();
  const double share = candidates.empty() ? 1
                                          : static_cast<double>(candidates.size()) /
                                                static_cast<double>(shape_.entities);
  TransELosses losses;
  losses.margin =
      collect(queries, candidates, 1 / (share * static_cast<double>(queries.size())), gradient);
  losses.loss = losses.margin;
  if (shape_.depth > 0) {
    losses.ratio = table_.ratio();
    losses.entropy = entropy(parameters, gradient);
    losses.loss += settings_.eta * losses.ratio + settings_.gamma * losses.entropy;
  }
  table_.backward(parameters, settings_.eta, unit_gradient_, gradient);
  return losses;
}

/// Lays out the candidates and what is asked of them.
template <class Real>
void TransELoss<Real>::ask(const TransEParameters<Real>& parameters,
                           std::span<const EmbeddingQuery> queries,
                           std::span<const EntityId> candidates) {
  const std::size_t dimension = shape_.dimension;
  const std::size_t count = candidates.empty() ? shape_.entities : candidates.size();
  panels_ = kernels::panels_of(count);
  panel_.resize(panels_ * kernels::panel_width * dimension);
  panel_gradient_.assign(panel_.size(), Real{0});
  kernels::fill_panels(
      dimension, count,
      [&](std::size_t at) { return table_.unit(candidates.empty() ? at : candidates[at]); },
      panel_.data());
  for (std::size_t at = 0; at < candidates.size(); ++at)
    places_[candidates[at]] = static_cast<std::uint32_t>(at);
  query_.resize(queries.size() * dimension);
  limits_.resize(queries.size());
  skipped_.resize(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const EmbeddingQuery& query = queries[i];
    const Real* const start = table_.unit(query.start);
    const Real* const relation = parameters.relation.data() + query.target * dimension;
    const Real* const answer = table_.unit(query.answer);
    Real* const sum = query_.data() + i * dimension;
    Real distance = 0;
    for (std::size_t k = 0; k < dimension; ++k) {
      sum[k] = start[k] + relation[k];
      distance += std::abs(sum[k] - answer[k]);
    }
    limits_[i] = distance + static_cast<Real>(settings_.margin);
    skipped_[i] = candidates.empty() ? query.answer : places_[query.answer];
  }
  for (const EntityId candidate : candidates) places_[candidate] = kernels::no_slot;
}

/// Every part has candidates of its own and all queries.
template <class Real>
void TransELoss<Real>::hinge() {
  const std::size_t dimension = shape_.dimension;
  each_transe_part(team_, [&](unsigned part) {
    Sums& sums = sums_[part];
    sums.query_gradient.assign(query_.size(), Real{0});
    sums.losses.assign(limits_.size(), Real{0});
    sums.counts.assign(limits_.size(), Real{0});
    sums.scratch.resize(kernels::hinge_scratch(dimension));
    const auto [first, last] = slice(panels_, part, transe_parts);
    const std::size_t offset = first * dimension * kernels::panel_width;
    kernels::transe<Real>().hinge({dimension, last - first, panel_.data() + offset, limits_.size(),
                                   query_.data(), limits_.data(), skipped_.data(),
                                   static_cast<std::uint32_t>(first * kernels::panel_width),
                                   panel_gradient_.data() + offset, sums.query_gradient.data(),
                                   sums.losses.data(), sums.counts.data(), sums.scratch.data()});
  });
}

/// The gradient of the units, and of the relations. Returns the mean loss.
template <class Real>
double TransELoss<Real>::collect(std::span<const EmbeddingQuery> queries,
                                 std::span<const EntityId> candidates, double weight,
                                 TransEParameters<Real>& gradient) {
  const std::size_t dimension = shape_.dimension;
  const std::size_t stride = table_.stride();
  const Real scale = static_cast<Real>(weight);
  const std::size_t count = candidates.empty() ? shape_.entities : candidates.size();
  std::fill(unit_gradient_.begin(), unit_gradient_.end(), Real{0});
  for (std::size_t at = 0; at < count; ++at) {
    const Real* const from = panel_gradient_.data() +
                             at / kernels::panel_width * dimension * kernels::panel_width +
                             at % kernels::panel_width;
    Real* const d = unit_gradient_.data() + (candidates.empty() ? at : candidates[at]) * stride;
    for (std::size_t k = 0; k < dimension; ++k) d[k] = scale * from[k * kernels::panel_width];
  }
  double loss = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const EmbeddingQuery& query = queries[i];
    Real counted = 0;
    for (const Sums& sums : sums_) {
      counted += sums.counts[i];
      loss += static_cast<double>(sums.losses[i]);
    }
    const Real* const answer = table_.unit(query.answer);
    Real* const start_gradient = unit_gradient_.data() + query.start * stride;
    Real* const answer_gradient = unit_gradient_.data() + query.answer * stride;
    Real* const relation_gradient = gradient.relation.data() + query.target * dimension;
    for (std::size_t k = 0; k < dimension; ++k) {
      const Real pull = counted * sign(query_[i * dimension + k] - answer[k]);
      Real push = 0;
      for (const Sums& sums : sums_) push += sums.query_gradient[i * dimension + k];
      start_gradient[k] += scale * (pull + push);
      relation_gradient[k] += scale * (pull + push);
      answer_gradient[k] -= scale * pull;
    }
  }
  return weight * loss;
}

/// The entropy of every softmax of the functions; adds gamma times its gradient.
template <class Real>
double TransELoss<Real>::entropy(const TransEParameters<Real>& parameters,
                                 TransEParameters<Real>& gradient) const {
  double all = 0;
  std::vector<Real> weights;
  for (std::size_t index = 0; index < parameters.functions.shared_tensors(); ++index) {
    const Tensor& tensor = parameters.functions.tensors()[index];
    const std::size_t choices = tensor.dimensions.back();
    weights.resize(tensor.size);
    kernels::matrix<Real>().softmax(tensor.size / choices, choices,
                                    parameters.functions.tensor(index).data(), weights.data());
    const std::span<Real> d = gradient.functions.tensor(index);
    for (std::size_t row = 0; row < tensor.size; row += choices) {
      const auto log_of = [&](std::size_t i) {
        return std::log(std::max(static_cast<double>(weights[row + i]), 1e-300));
      };
      double sum = 0;
      for (std::size_t i = 0; i < choices; ++i)
        sum -= static_cast<double>(weights[row + i]) * log_of(i);
      for (std::size_t i = 0; i < choices; ++i) {
        d[row + i] -= static_cast<Real>(settings_.gamma * static_cast<double>(weights[row + i]) *
                                        (log_of(i) + sum));
      }
      all += sum;
    }
  }
  return all;
}

template class TransELoss<LERP_REAL>;

}  // namespace lerpp
