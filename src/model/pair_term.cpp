#include "model/pair_term.hpp"

#include <algorithm>
#include <cassert>

#include "model/kernels.hpp"

namespace lerpp {

template <class Real>
PairTerm<Real>::PairTerm(const ModelShape& shape, EntityId entities, unsigned workers)
    : pairs_(shape.pairs),
      functions_(shape.functions()),
      width_(kernels::padded(functions_)),
      stride_(kernels::padded(2 * pairs_)),
      values_(entities * stride_),
      workers_(workers) {
  assert(pairs_ > 0 && functions_ > 0);
}

template <class Real>
void PairTerm<Real>::begin(const Parameters<Real>& parameters, OperatorId target,
                           const View<Real>& view) {
  assert(view.functions != nullptr);
  target_ = target;
  of_entities_ = view.functions;
  weights_ = parameters.of(Part::pair, target);
  const std::span<const Real> raw = parameters.of(Part::ends, target);
  const std::size_t count = functions_ + 1;
  softmax_.resize(raw.size());
  kernels::matrix<Real>().softmax(2 * pairs_, count, raw.data(), softmax_.data());
  in_.assign(functions_ * stride_, Real{0});
  out_.assign(stride_ * width_, Real{0});
  Buffer<Real> truth(stride_);
  for (std::size_t end = 0; end < 2 * pairs_; ++end) {
    truth[end] = softmax_[end * count];
    for (std::size_t i = 0; i < functions_; ++i)
      in_[i * stride_ + end] = out_[end * width_ + i] = softmax_[end * count + i + 1];
  }
  const std::size_t entities = values_.size() / stride_;
  for (std::size_t entity = 0; entity < entities; ++entity)
    std::copy(truth.begin(), truth.end(), values_.data() + entity * stride_);
  kernels::matrix<Real>().multiply(entities, stride_, functions_, of_entities_, width_, 1,
                                   in_.data(), stride_, values_.data(), stride_, true);
  for (Worker& own : workers_) {
    own.said.resize(pairs_);
    own.weights.clear();
    own.values.clear();
  }
}

template <class Real>
void PairTerm<Real>::add(unsigned worker, EntityId start, std::span<Real> scores) {
  Buffer<Real>& said = workers_[worker].said;
  for (std::size_t l = 0; l < pairs_; ++l) said[l] = weights_[l] * on_x(start)[l];
  for (std::size_t entity = 0; entity < scores.size(); ++entity) {
    const Real* const y = on_y(static_cast<EntityId>(entity));
    Real sum = 0;
    for (std::size_t l = 0; l < pairs_; ++l) sum += said[l] * y[l];
    scores[entity] += sum;
  }
}

template <class Real>
void PairTerm<Real>::learn(unsigned worker, const Lesson<Real>& lesson) {
  Worker& own = workers_[worker];
  own.weights.resize(pairs_);
  own.values.resize(values_.size());
  Buffer<Real> heard(pairs_);  // d loss / d said
  for (std::size_t i = 0; i < lesson.entities.size(); ++i) {
    const EntityId entity = lesson.entities[i];
    const Real* const y = on_y(entity);
    Real* const y_gradient = own.values.data() + entity * stride_ + pairs_;
    for (std::size_t l = 0; l < pairs_; ++l) {
      heard[l] += lesson.gradient[i] * y[l];
      y_gradient[l] += lesson.gradient[i] * own.said[l];
    }
  }
  for (std::size_t l = 0; l < pairs_; ++l) {
    own.weights[l] += heard[l] * on_x(lesson.start)[l];
    own.values[lesson.start * stride_ + l] += heard[l] * weights_[l];
  }
}

template <class Real>
void PairTerm<Real>::finish(Parameters<Real>& gradient, std::span<Real> function_gradient) {
  const std::span<Real> weights = gradient.of(Part::pair, target_);
  Buffer<Real> values(values_.size());
  for (const Worker& own : workers_) {
    for (std::size_t l = 0; l < own.weights.size(); ++l) weights[l] += own.weights[l];
    for (std::size_t i = 0; i < own.values.size(); ++i) values[i] += own.values[i];
  }
  const std::size_t entities = values.size() / stride_;
  kernels::matrix<Real>().multiply(entities, width_, stride_, values.data(), stride_, 1,
                                   out_.data(), width_, function_gradient.data(), width_, true);
  Buffer<Real> sums(stride_ * width_);
  kernels::matrix<Real>().multiply(stride_, width_, entities, values.data(), 1, stride_,
                                   of_entities_, width_, sums.data(), width_, false);
  const std::size_t count = functions_ + 1;
  Buffer<Real> plain(softmax_.size());
  for (std::size_t end = 0; end < 2 * pairs_; ++end) {
    for (std::size_t entity = 0; entity < entities; ++entity)
      plain[end * count] += values[entity * stride_ + end];
    for (std::size_t i = 0; i < functions_; ++i)
      plain[end * count + i + 1] = sums[end * width_ + i];
  }
  kernels::matrix<Real>().softmax_backward(2 * pairs_, count, softmax_.data(), plain.data(),
                                           gradient.of(Part::ends, target_).data());
}

template <class Real>
std::vector<PairReason> PairTerm<Real>::explain(EntityId start, EntityId answer) const {
  std::vector<PairReason> reasons;
  for (std::size_t l = 0; l < pairs_; ++l) {
    const auto x = static_cast<double>(on_x(start)[l]);
    const auto y = static_cast<double>(on_y(answer)[l]);
    reasons.push_back(
        {static_cast<std::uint32_t>(l), x, y, static_cast<double>(weights_[l]) * x * y});
  }
  return reasons;
}

template class PairTerm<float>;
template class PairTerm<double>;

}  // namespace lerpp
