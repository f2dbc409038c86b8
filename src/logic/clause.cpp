// SPDX-License-Identifier: Apache-2.0
#include "logic/clause.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lerpp {
namespace {

constexpr std::uint64_t most_nodes = 20'000;

class Lowering {
 public:
  explicit Lowering(const Names& names) : relations_(names.relations.size()) {}

  Clause operator()(const Rule& rule) {
    clause_.weight = rule.weight();
    const auto variables = static_cast<std::uint32_t>(rule.constraints().size());
    for (std::uint32_t k = 0; k < variables; ++k) {
      const bool last = k + 1 == variables;
      clause_.variables.push_back(k == 0 ? "x" : last ? "y" : fmt::format("z{}", k));
    }
    next_name_ = std::max(variables - 1, 1U);
    const auto hops = static_cast<std::uint32_t>(rule.hops().size());
    for (std::uint32_t k = 0; k < hops; ++k) {
      clause_.facts.push_back(
          fact(rule.hops()[k], ClauseTerm::variable(k), ClauseTerm::variable(k + 1)));
    }
    if (hops == 0) clause_.free = rule.is_pair() ? std::vector{0U, 1U} : std::vector{0U};
    for (std::uint32_t k = 0; k < variables; ++k) {
      append(rule.constraints()[k], k, clause_.conditions);
    }
    clause_.answers_subject = rule.target() >= relations_;
    clause_.head =
        fact(rule.target(), ClauseTerm::variable(0), ClauseTerm::variable(variables - 1));
    return std::move(clause_);
  }

 private:
  ClauseFact fact(OperatorId op, ClauseTerm from, ClauseTerm to) const {
    return clause_fact(op, from, to, relations_);
  }

  /// The conjuncts of a formula of the variable.
  void append(const Formula& formula, std::uint32_t about, std::vector<Condition>& out) {
    if (formula.is(Formula::Kind::conjunction)) {
      for (const Formula& part : formula.parts()) append(part, about, out);
    } else if (!formula.is(Formula::Kind::truth)) {
      out.push_back(condition(formula, about));
    }
  }

  Condition condition(const Formula& formula, std::uint32_t about) {
    Condition result = {.about = about};
    switch (formula.kind()) {
      case Formula::Kind::truth:
      case Formula::Kind::conjunction:
        result.kind = Condition::Kind::all;
        append(formula, about, result.parts);
        if (result.parts.size() == 1) return Condition(std::move(result.parts.front()));
        break;
      case Formula::Kind::falsity:
      case Formula::Kind::disjunction:
        result.kind = Condition::Kind::any;
        for (const Formula& part : formula.parts()) result.parts.push_back(condition(part, about));
        break;
      case Formula::Kind::negation:
        result.kind = Condition::Kind::no;
        result.parts.push_back(condition(formula.inner(), about));
        break;
      case Formula::Kind::constant:
        result.kind = Condition::Kind::fact;
        result.fact =
            fact(formula.op(), ClauseTerm::variable(about), ClauseTerm::entity(formula.entity()));
        break;
      case Formula::Kind::exists:
        result.kind = Condition::Kind::some;
        result.found = static_cast<std::uint32_t>(clause_.variables.size());
        clause_.variables.push_back(fmt::format("z{}", next_name_++));
        result.fact =
            fact(formula.op(), ClauseTerm::variable(about), ClauseTerm::variable(result.found));
        append(formula.inner(), result.found, result.parts);
        break;
    }
    return result;
  }

  RelationId relations_;
  std::uint32_t next_name_ = 1;
  Clause clause_;
};

}  // namespace

std::string Clause::comment() const {
  if (more == 0) return text;
  if (group != 0) {
    return fmt::format("{}   (group {} weighs {} log(1 + s), n groundings add {} n to s)", text,
                       group, weight, more);
  }
  return fmt::format("{}   (n groundings weigh {} {} {} log(1 + n))", text, weight,
                     more < 0 ? '-' : '+', std::abs(more));
}

Result<Clause> lower(const Rule& rule, const Names& names) {
  std::uint64_t nodes = 0;
  for (const Formula& constraint : rule.constraints()) {
    nodes = std::max(nodes, constraint.size());
  }
  if (nodes > most_nodes) {
    return fail(fmt::format("a rule has {} parts when written out", nodes), "",
                fmt::format("export rules of at most {}", most_nodes));
  }
  Clause clause = Lowering(names)(rule);
  clause.text = to_text(rule, names);
  return clause;
}

}  // namespace lerpp
