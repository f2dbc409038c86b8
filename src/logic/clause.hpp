// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/logic/rule_text.hpp>

/// Rules with every variable named, ready to be written in other languages.
namespace lerpp {

/// A variable of a clause or an entity.
struct ClauseTerm {
  enum class Kind : std::uint8_t { variable, entity } kind = Kind::variable;
  std::uint32_t id = 0;

  static ClauseTerm variable(std::uint32_t number) { return {Kind::variable, number}; }
  static ClauseTerm entity(EntityId entity) { return {Kind::entity, entity}; }
  bool is_variable() const { return kind == Kind::variable; }
  bool operator==(const ClauseTerm&) const = default;
};

struct ClauseFact {
  RelationId relation = 0;
  ClauseTerm subject;
  ClauseTerm object;
};

/// A step from one term to the other by an operator.
inline ClauseFact clause_fact(OperatorId op, ClauseTerm from, ClauseTerm to, RelationId relations) {
  return op < relations ? ClauseFact{op, from, to} : ClauseFact{op - relations, to, from};
}

/// What is asked of the variables: a tree in which every part but `differ` speaks of one variable,
/// and of those that it introduces itself.
struct Condition {
  enum class Kind : std::uint8_t {
    fact,    ///< of `about` and an entity
    some,    ///< there is a `found` with the fact, of which all parts hold
    all,     ///< parts; of none it is true
    any,     ///< parts; of none it is false
    no,      ///< the one part does not hold
    differ,  ///< fact.subject and fact.object are not the same entity
  };

  Kind kind = Kind::all;
  std::uint32_t about = 0;
  std::uint32_t found = 0;
  ClauseFact fact = {};
  std::vector<Condition> parts = {};
};

/// `facts ∧ conditions ⇒ head`. The facts bind the variables they name; `free` are the variables
/// that only the set of all entities binds.
struct Clause {
  double weight = 1;
  double more = 0;          ///< see ListedRule
  std::uint32_t group = 0;  ///< see ListedRule
  /// Of AnyBURL's rules: what they predicted, how much of it was correct, and whether they answer
  /// the question from x to y alone.
  struct Figures {
    std::uint64_t predicted = 0;
    std::uint64_t correct = 0;
    bool directed = false;
  };
  std::optional<Figures> figures;
  std::string text;  ///< for people, one line
  ClauseFact head;
  /// Which end of the head is y, the answer; the head does not say so where x and y are one.
  bool answers_subject = false;
  std::vector<ClauseFact> facts;
  std::vector<std::uint32_t> free;
  std::vector<Condition> conditions;
  std::vector<std::string> variables;  ///< their names: x, z1, y

  /// The text, and what a program has no place for.
  std::string comment() const;
};

/// Fails where the rule, written out, would be too large to be of use: formulas share parts,
/// programs do not.
Result<Clause> lower(const Rule& rule, const Names& names);

}  // namespace lerpp
