// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <cmath>
#include <unordered_set>

#include <lerp/logic/rule.hpp>
#include <lerp/logic/simplify.hpp>

namespace lerpp {
namespace {

OperatorId inverse(OperatorId op, RelationId relations) {
  return op < relations ? op + relations : op - relations;
}

Rule rebuild(const Rule& rule, OperatorId target, std::vector<OperatorId> hops,
             std::vector<Formula> constraints) {
  return rule.is_pair() ? pair_rule(target, constraints[0], constraints[1], rule.weight())
                        : path_rule(target, std::move(hops), std::move(constraints), rule.weight());
}

/// The formula without the conjuncts that `known` implies.
Formula without(const Formula& formula, const Formula& known) {
  if (!formula.is(Formula::Kind::conjunction)) {
    return plainly_implies(known, formula) ? Formula::truth() : formula;
  }
  std::vector<Formula> kept;
  for (const Formula& part : formula.parts()) {
    if (!plainly_implies(known, part)) kept.push_back(part);
  }
  return Formula::conjunction(std::move(kept));
}

/// Formulas share parts, so a part that was seen is not looked through again.
bool uses(const Formula& formula, RelationId relation, RelationId relations,
          std::unordered_set<Formula>& seen) {
  if (!seen.insert(formula).second) return false;
  if (formula.is(Formula::Kind::exists) || formula.is(Formula::Kind::constant)) {
    if (formula.op() % relations == relation) return true;
  }
  return std::ranges::any_of(
      formula.parts(), [&](const Formula& part) { return uses(part, relation, relations, seen); });
}

}  // namespace

Rule path_rule(OperatorId target, std::vector<OperatorId> hops, std::vector<Formula> constraints,
               double weight) {
  if (constraints.empty()) constraints.resize(hops.size() + 1);
  assert(constraints.size() == hops.size() + 1);
  assert(std::isfinite(weight));
  Rule rule;
  rule.target_ = target;
  rule.hops_ = std::move(hops);
  rule.constraints_ = std::move(constraints);
  rule.weight_ = weight;
  return rule;
}

Rule pair_rule(OperatorId target, const Formula& x, const Formula& y, double weight) {
  assert(std::isfinite(weight));
  Rule rule;
  rule.target_ = target;
  rule.constraints_ = {x, y};
  rule.weight_ = weight;
  return rule;
}

Rule with_weight(const Rule& rule, double weight) {
  return rule.is_pair()
             ? pair_rule(rule.target(), rule.constraints()[0], rule.constraints()[1], weight)
             : path_rule(rule.target(), rule.hops(), rule.constraints(), weight);
}

Rule reversed(const Rule& rule, RelationId relations) {
  std::vector<OperatorId> hops;
  for (auto hop = rule.hops().rbegin(); hop != rule.hops().rend(); ++hop) {
    hops.push_back(inverse(*hop, relations));
  }
  return rebuild(rule, inverse(rule.target(), relations), std::move(hops),
                 {rule.constraints().rbegin(), rule.constraints().rend()});
}

Rule simplify(const Rule& rule, RelationId relations) {
  std::vector<Formula> constraints;
  for (const Formula& constraint : rule.constraints()) constraints.push_back(simplify(constraint));
  // One at a time, each on the ground of what the others say at that moment: two constraints that
  // imply each other do not both go.
  const auto& hops = rule.hops();
  for (std::size_t k = 0; k < hops.size(); ++k) {
    constraints[k] = without(constraints[k], Formula::exists(hops[k], constraints[k + 1]));
    constraints[k + 1] =
        without(constraints[k + 1], Formula::exists(inverse(hops[k], relations), constraints[k]));
  }
  return rebuild(rule, rule.target(), hops, std::move(constraints));
}

Rule canonical(const Rule& rule, RelationId relations) {
  return simplify(rule.target() < relations ? rule : reversed(rule, relations), relations);
}

bool same_rule(const Rule& left, const Rule& right, RelationId relations) {
  return with_weight(canonical(left, relations), 0) == with_weight(canonical(right, relations), 0);
}

bool is_recursive(const Rule& rule, RelationId relations) {
  const RelationId relation = rule.target() % relations;
  const auto& hops = rule.hops();
  if (std::ranges::any_of(hops, [&](OperatorId hop) { return hop % relations == relation; })) {
    return true;
  }
  std::unordered_set<Formula> seen;
  return std::ranges::any_of(rule.constraints(), [&](const Formula& constraint) {
    return uses(constraint, relation, relations, seen);
  });
}

}  // namespace lerpp
