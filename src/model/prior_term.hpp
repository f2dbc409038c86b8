#pragma once

#include "model/buffer.hpp"
#include "model/log_table.hpp"
#include "model/term.hpp"

namespace lerpp {

/// What an answer takes part in speaks for or against it, whether or not a rule reaches it:
///
///     score(y) += sum over the operators of y of  v_op + u_op log(1 + how often)
///
/// Entities that take part in the same things equally often form a class, and have one prior.
class PriorClasses {
 public:
  explicit PriorClasses(const Graph& graph);

  struct Feature {
    OperatorId op = 0;
    std::uint32_t times = 0;

    auto operator<=>(const Feature&) const = default;
  };

  std::size_t size() const { return starts_.size() - 1; }
  std::span<const std::uint32_t> of_entities() const { return of_entity_; }
  std::span<const Feature> features(std::size_t number) const {
    return {features_.data() + starts_[number], features_.data() + starts_[number + 1]};
  }

 private:
  std::vector<std::uint32_t> of_entity_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<Feature> features_;
};

/// What an answer takes part in, and what its score owes to that.
struct PriorReason {
  OperatorId op = 0;
  std::uint32_t times = 0;
  double contribution = 0;
};

template <class Real>
class PriorTerm final : public Term<Real> {
 public:
  PriorTerm(const Graph& graph, std::shared_ptr<const PriorClasses> classes, unsigned workers)
      : graph_(graph), classes_(std::move(classes)), sums_(workers) {}

  void begin(const Parameters<Real>& parameters, OperatorId target,
             const View<Real>& view) override;
  void add(unsigned worker, EntityId start, std::span<Real> scores) override;
  void learn(unsigned worker, const Lesson<Real>& lesson) override;
  void finish(Parameters<Real>& gradient, std::span<Real> function_gradient) override;

  /// What speaks for and against an answer to the target of begin(), wherever the question starts.
  std::vector<PriorReason> explain(EntityId answer) const;

 private:
  using Feature = PriorClasses::Feature;
  std::span<const Feature> features(EntityId entity, std::vector<Feature>& buffer) const;
  Real value(const Feature& feature) const {
    return weights_[2 * feature.op] +
           weights_[2 * feature.op + 1] * static_cast<Real>(log_of_count(feature.times));
  }
  Real value(std::span<const Feature> features) const;

  const Graph& graph_;
  std::shared_ptr<const PriorClasses> classes_;
  const Mask* mask_ = nullptr;
  OperatorId target_ = 0;
  std::span<const Real> weights_;
  Buffer<Real> of_class_, of_entity_;
  std::vector<std::vector<double>> sums_;  ///< of each worker, as the weights
};

}  // namespace lerpp
