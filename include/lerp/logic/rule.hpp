// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/logic/formula.hpp>

namespace lerpp {

/// A weighted rule for one target q, `body ⇒ q(x,y)`: x is where a query starts, y its answer.
///
/// A path rule leads from x to y by hops, x = z0 -op1- z1 ... -opK- zK = y, with a constraint on
/// every variable; without hops it says that x and y are the same. A pair rule asks only for a
/// constraint on x and one on y.
class Rule {
 public:
  OperatorId target() const { return target_; }
  const std::vector<OperatorId>& hops() const { return hops_; }
  /// One for each variable, x first and y last.
  const std::vector<Formula>& constraints() const { return constraints_; }
  double weight() const { return weight_; }
  bool is_pair() const { return hops_.empty() && constraints_.size() == 2; }

  bool operator==(const Rule&) const = default;

 private:
  friend Rule path_rule(OperatorId target, std::vector<OperatorId> hops,
                        std::vector<Formula> constraints, double weight);
  friend Rule pair_rule(OperatorId target, const Formula& x, const Formula& y, double weight);
  Rule() = default;

  OperatorId target_ = 0;
  std::vector<OperatorId> hops_;
  std::vector<Formula> constraints_;
  double weight_ = 1;
};

/// Constraints are one more than the hops, or none for no constraint at all.
Rule path_rule(OperatorId target, std::vector<OperatorId> hops,
               std::vector<Formula> constraints = {}, double weight = 1);
Rule pair_rule(OperatorId target, const Formula& x, const Formula& y, double weight = 1);
/// The same statement with another weight.
Rule with_weight(const Rule& rule, double weight);

/// The functions below need the number of relations R, since op and its inverse are R apart.

/// The same statement read from y to x: `q(x,y)` becomes the inverse of q of (y, x).
Rule reversed(const Rule& rule, RelationId relations);
/// The same statement with simplified constraints, less what the hops say already.
Rule simplify(const Rule& rule, RelationId relations);
/// Simplified, and read from the subject of the head to its object.
Rule canonical(const Rule& rule, RelationId relations);
/// Whether both say the same up to names of variables, direction of reading and what simplify
/// sees. Weights are no part of that.
bool same_rule(const Rule& left, const Rule& right, RelationId relations);
/// Whether the body uses the relation of the head: only then can a fact prove itself.
bool is_recursive(const Rule& rule, RelationId relations);

}  // namespace lerpp
