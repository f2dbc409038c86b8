#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/constant_counts.hpp"
#include "model/term.hpp"

namespace lerpp {

/// One rule r(x, c) => q(x, y) behind a score: of `body` others with r(x, c), `count` have y.
struct ConstantReason {
  OperatorId op = 0;      ///< r
  EntityId constant = 0;  ///< c
  std::uint32_t count = 0;
  std::uint32_t body = 0;
  double contribution = 0;  ///< what the score owes to it
};

/// Evidence of rules with constants: r(x, c) speaks for the answers that others with r(x', c) have.
/// Of `body` such others `count` have y; at large, y is the answer of a share p. For each r:
///
///     score(y) += v_r * sum over c of lift + u_r * 10 * max over c of confidence
///     lift       = log(1 + count / (d p))
///     confidence = count / (body + s)
///
/// The lift is that of naive Bayes, log((count + d p) / ((body + d) p)), without what all y share;
/// y = c is left to the rules.
///
/// The start is nobody's example and hidden facts count nowhere, exactly. Of a trait with many
/// answers only the most frequent say anything.
template <class Real>
class ConstantTerm final : public Term<Real> {
 public:
  ConstantTerm(std::shared_ptr<const ConstantTables> tables, unsigned workers);
  ~ConstantTerm() override;

  void begin(const Parameters<Real>& parameters, OperatorId target,
             const View<Real>& view) override;
  void add(unsigned worker, EntityId start, std::span<Real> scores) override;
  void learn(unsigned worker, const Lesson<Real>& lesson) override;
  void finish(Parameters<Real>& gradient, std::span<Real> function_gradient) override;

  /// What speaks for an answer to the target of begin(), the strongest first.
  std::vector<ConstantReason> explain(unsigned worker, EntityId start, EntityId answer);

 private:
  struct Worker;
  struct Said {
    Real lift = 0;
    Real confidence = 0;
    std::uint32_t count = 0;  ///< 0 where nothing is said
  };

  Said weigh(const Worker& own, const ConstantCounts::Trait& trait,
             const ConstantTables::Entry& entry) const;

  ConstantCounts counts_;
  OperatorId target_ = 0;
  std::span<const Real> weights_;
  std::vector<Worker> workers_;
};

}  // namespace lerpp
