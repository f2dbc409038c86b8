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
/// For each r the log-lifts of an answer, where they are positive, add up over c, and the best
/// confidence counts besides:
///
///     score(y) += sum over r of v_r sum over c of max(0, lift(r, c, y))
///                             + u_r max over c of log(1 + 100 confidence(r, c, y))
///     confidence = count / (body + s)
///     lift       = log((count + s p) / ((body + s) p))         p: the share of y at large
///
/// The start itself is nobody's example, nor is a hidden fact: all counts are those of the graph
/// without them, exactly. Where a trait has many answers, those of a single example say nothing.
template <class Real>
class ConstantTerm final : public Term<Real> {
 public:
  ConstantTerm(std::shared_ptr<const ConstantTables> tables, unsigned workers);
  ~ConstantTerm() override;

  void begin(const Parameters<Real>& parameters, OperatorId target, const Mask* mask) override;
  void add(unsigned worker, EntityId start, std::span<Real> scores) override;
  void learn(unsigned worker, const Lesson<Real>& lesson) override;
  void finish(Parameters<Real>& gradient) override;

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
