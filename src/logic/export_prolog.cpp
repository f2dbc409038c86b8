// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "logic/export_logic.hpp"

/// Prolog, for SWI-Prolog 7 and later.
namespace lerpp {
namespace {

constexpr Connectives connectives = {", ", " ; ", "\\+ ", "\\+ ", "true", "fail"};

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_word(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void write_atom(std::string_view name, std::string& out) {
  if (!name.empty() && is_lower(name.front()) && std::all_of(name.begin(), name.end(), is_word)) {
    out += name;
    return;
  }
  out += '\'';
  for (const char c : name) {
    if (c == '\'' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:x}\\", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '\'';
}

class PrologWriter final : public LogicWriter<write_atom> {
 public:
  PrologWriter(const Clause& clause, const Names& names)
      : LogicWriter(clause, names, connectives) {}

  std::string rule(std::size_t number) {
    return fmt::format("% {}\nweight({}, {}).\nderived({}, {}) :-\n    {}.\n\n", clause().comment(),
                       number, decimal(clause().weight), number, arguments(clause().head),
                       body(",\n    "));
  }

 private:
  std::string some(const Condition& condition) override {
    if (condition.parts.empty()) return fact(condition.fact);
    return fmt::format("({}, {})", fact(condition.fact), write_all(condition.parts));
  }
  std::string differ(const ClauseTerm& left, const ClauseTerm& right) override {
    return fmt::format("{} \\== {}", term(left), term(right));
  }
};

std::string write_rules(std::span<const Clause> clauses, const Names& names) {
  std::string out = R"TEXT(% Rules for SWI-Prolog. They need
%   fact(Relation, Subject, Object)   the known facts
%   entity(Entity)                    every entity
% and define
%   derived(Rule, Relation, Subject, Object)   what a rule derives, once for each way it does
%   weight(Rule, Weight)
% Run: swipl -q -g "forall(distinct(derived(N,R,S,O)), (writeq(derived(N,R,S,O)), nl))" -t halt facts.pl rules.pl
:- encoding(utf8).
:- style_check(-singleton).
:- discontiguous weight/2, derived/4.

)TEXT";
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    out += PrologWriter(clauses[i], names).rule(i + 1);
  }
  return out;
}

}  // namespace

const ExportWriter prolog_writer = {
    .rules = write_rules,
    .facts = {.start = "% Facts for the exported rules: fact(Relation, Subject, Object).\n"
                       ":- encoding(utf8).\n"
                       ":- dynamic fact/3, entity/1.\n\n",
              .entity = PrologWriter::write_entity,
              .between = "\n",
              .fact = PrologWriter::write_fact,
              .end = ""}};

}  // namespace lerpp
