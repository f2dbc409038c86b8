#pragma once

#include "model/buffer.hpp"
#include "model/term.hpp"

namespace lerpp {

/// What a rule without a path adds to a score, and how far it holds of x and of y.
struct PairReason {
  std::uint32_t rule = 0;
  double x = 0;
  double y = 0;
  double contribution = 0;
};

/// Rules without a path, L(x) ∧ M(y) ⇒ q(x,y):
///
///     score(y) += sum over l of  w_l a_l(x) b_l(y)
///     a_l = sum over i of softmax(alpha_l)_i L_i    L_0 = true; b_l likewise, of beta_l
///
/// What x and y are is no count of walks, which has to saturate: there is no logarithm, and all
/// answers to a query cost one multiplication a rule.
template <class Real>
class PairTerm final : public Term<Real> {
 public:
  PairTerm(const ModelShape& shape, EntityId entities, unsigned workers);

  void begin(const Parameters<Real>& parameters, OperatorId target,
             const View<Real>& view) override;
  void add(unsigned worker, EntityId start, std::span<Real> scores) override;
  void learn(unsigned worker, const Lesson<Real>& lesson) override;
  void finish(Parameters<Real>& gradient, std::span<Real> function_gradient) override;
  /// For each x they are a prior of y.
  bool joins() const override { return true; }

  /// What each rule says of an answer to the target of begin().
  std::vector<PairReason> explain(EntityId start, EntityId answer) const;

 private:
  struct Worker {
    Buffer<Real> said;             ///< of the last query: w_l a_l(x)
    Buffer<Real> weights, values;  ///< gradients, as weights_ and values_; none before a lesson
  };

  const Real* on_x(EntityId entity) const { return values_.data() + entity * stride_; }
  const Real* on_y(EntityId entity) const { return on_x(entity) + pairs_; }

  std::size_t pairs_;
  std::size_t functions_;
  std::size_t width_;   ///< of a row of functions
  std::size_t stride_;  ///< of a row of values
  OperatorId target_ = 0;
  std::span<const Real> weights_;
  const Real* of_entities_ = nullptr;  ///< the functions
  Buffer<Real> softmax_;               ///< 2P x (m+1), plain
  Buffer<Real> in_, out_;              ///< the same without L_0: m x stride, and stride x width
  Buffer<Real> values_;                ///< n x stride: a_1..a_P, b_1..b_P
  std::vector<Worker> workers_;
};

}  // namespace lerpp
