// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "logic/export_logic.hpp"

/// Answer set programs, for gringo and clingo 5.
namespace lerpp {
namespace {

constexpr Connectives connectives = {", ", "", "not ", "", "#true", "#false"};

void write_text(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

/// A body is a list of literals and no more, so every "or", and every "not" of more than a fact,
/// becomes a predicate of the one variable it speaks of.
class AspWriter final : public LogicWriter<write_text> {
 public:
  AspWriter(const Clause& clause, const Names& names, std::size_t number)
      : LogicWriter(clause, names, connectives), number_(number) {}

  std::string rule() {
    const std::string literals = body(connectives.conjunction);
    return fmt::format("% {}\nweight({}, {}).\n{}derived({}, {}) :- {}.\n\n", clause().comment(),
                       number_, spelled(write_text, decimal(clause().weight)), helpers_, number_,
                       arguments(clause().head), literals);
  }

 private:
  std::string some(const Condition& condition) override {
    if (condition.parts.empty()) return fact(condition.fact);
    return fact(condition.fact) + ", " + write_all(condition.parts);
  }
  std::string differ(const ClauseTerm& left, const ClauseTerm& right) override {
    return fmt::format("{} != {}", term(left), term(right));
  }

  /// A predicate that holds where one of the alternatives does.
  std::string helper(std::uint32_t about, std::span<const Condition> alternatives) {
    const std::string head = fmt::format("h{}_{}({})", number_, ++count_, term(about));
    for (const Condition& one : alternatives) {
      const std::string body = flat(one);
      helpers_ += fmt::format("{} :- entity({}), {}.\n", head, term(about), body);
    }
    return head;
  }
  std::string any(const Condition& condition) override {
    if (condition.parts.empty()) return std::string(connectives.falsity);
    return helper(condition.about, condition.parts);
  }
  std::string no(const Condition& condition) override {
    const Condition& inner = condition.parts.front();
    std::string literal = inner.kind == Condition::Kind::fact || inner.kind == Condition::Kind::any
                              ? write(inner)
                              : helper(condition.about, condition.parts);
    return std::string(connectives.negation) + std::move(literal);
  }

  std::size_t number_;
  std::size_t count_ = 0;
  std::string helpers_;
};

std::string write_rules(std::span<const Clause> clauses, const Names& names) {
  std::string out = R"(% Rules for gringo and clingo. They need
%   fact(Relation, Subject, Object)   the known facts
%   entity(Entity)                    every entity
% and define
%   derived(Rule, Relation, Subject, Object)   what a rule derives
%   weight(Rule, "Weight")
% Run: gringo --text facts.lp rules.lp, or clingo facts.lp rules.lp
#show derived/4.

)";
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    out += AspWriter(clauses[i], names, i + 1).rule();
  }
  return out;
}

}  // namespace

const ExportWriter asp_writer = {
    .rules = write_rules,
    .facts = {.start = "% Facts for the exported rules: fact(Relation, Subject, Object).\n"
                       "#defined fact/3.\n"
                       "#defined entity/1.\n\n",
              .entity = AspWriter::write_entity,
              .between = "\n",
              .fact = AspWriter::write_fact,
              .end = ""}};

}  // namespace lerpp
