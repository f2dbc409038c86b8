// SPDX-License-Identifier: Apache-2.0
#include "explain/proofs.hpp"

#include <algorithm>

namespace lerpp {

using Kind = Formula::Kind;

void Prover::prove(Explanation::Reason& reason) const {
  if (!reason.rule || most_ == 0) return;
  if (reason.others) {
    compare_others(reason);
  } else if (reason.rule->is_pair()) {
    look(reason);
  } else {
    follow(reason);
  }
}

/// A chain: the walks that soft rules found are there, those of paths are not.
void Prover::follow(Explanation::Reason& reason) const {
  const Rule& rule = *reason.rule;
  std::vector<Explanation::Grounding>& groundings = reason.groundings;
  if (groundings.size() < std::min<std::uint64_t>(most_, reason.count)) {
    graph_.walks(rule.hops(), query_.start, answer_, [&](const std::vector<EntityId>& walk) {
      const bool told = std::any_of(groundings.begin(), groundings.end(),
                                    [&](const auto& other) { return other.entities == walk; });
      if (!told && fulfils(rule, walk)) groundings.push_back({walk, {}, {}});
      return groundings.size() >= most_;
    });
  }
  for (Explanation::Grounding& grounding : groundings) complete(rule, grounding);
}

bool Prover::fulfils(const Rule& rule, const std::vector<EntityId>& entities) const {
  for (std::size_t k = 0; k < entities.size(); ++k) {
    if (!graph_.holds(rule.constraints()[k], entities[k])) return false;
  }
  return true;
}

void Prover::complete(const Rule& rule, Explanation::Grounding& grounding) const {
  const RelationId relations = graph_.graph().relations();
  const std::vector<EntityId>& z = grounding.entities;
  for (std::size_t k = 0; k < rule.hops().size(); ++k)
    grounding.facts.push_back(step_fact(z[k], rule.hops()[k], z[k + 1], relations));
  for (std::size_t k = 0; k < z.size(); ++k) {
    const Formula& formula = rule.constraints()[k];
    if (formula.is(Kind::truth)) continue;
    const std::vector<Formula> parts =
        formula.is(Kind::conjunction) ? formula.parts() : std::vector<Formula>{formula};
    for (const Formula& part : parts)
      grounding.checks.push_back({part, z[k], graph_.witness(part, z[k])});
  }
}

/// "y takes part in op": each fact in which it does is a proof. Other pairs have one.
void Prover::look(Explanation::Reason& reason) const {
  const Formula& formula = reason.rule->constraints()[1];
  const bool takes_part = reason.rule->constraints()[0].is(Kind::truth) &&
                          formula.is(Kind::exists) && formula.inner().is(Kind::truth);
  if (!takes_part) {
    complete(*reason.rule, reason.groundings.emplace_back(
                               Explanation::Grounding{{query_.start, answer_}, {}, {}}));
    return;
  }
  graph_.any(answer_, formula.op(), [&](EntityId z) {
    const Fact fact = step_fact(answer_, formula.op(), z, graph_.graph().relations());
    reason.groundings.push_back({{query_.start, answer_}, {}, {{formula, answer_, {fact}}}});
    return reason.groundings.size() >= most_;
  });
}

/// r(x, c): others with the same constant have this answer.
void Prover::compare_others(Explanation::Reason& reason) const {
  const Graph& graph = graph_.graph();
  const RelationId relations = graph.relations();
  const OperatorId op = reason.rule->constraints()[0].op();
  const EntityId constant = reason.rule->constraints()[0].entity();
  const Fact own = step_fact(query_.start, op, constant, relations);
  graph_.any(constant, graph.inverse(op), [&](EntityId other) {
    if (other == query_.start || !graph_.contains(other, query_.target, answer_)) return false;
    reason.groundings.push_back({{query_.start, answer_},
                                 {own, step_fact(other, op, constant, relations),
                                  step_fact(other, query_.target, answer_, relations)},
                                 {}});
    return reason.groundings.size() >= most_;
  });
}

}  // namespace lerpp
