#include <algorithm>

#include <fmt/format.h>

#include "logic/export_writer.hpp"

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

void write_fact(std::string_view subject, std::string_view relation, std::string_view object,
                std::string& out) {
  out += "fact(";
  write_atom(relation, out);
  out += ',';
  write_atom(subject, out);
  out += ',';
  write_atom(object, out);
  out += ").\n";
}

void write_entity(std::string_view name, std::string& out) {
  out += "entity(";
  write_atom(name, out);
  out += ").\n";
}

class PrologWriter final : public ConditionWriter {
 public:
  PrologWriter(const Clause& clause, const Names& names)
      : ConditionWriter(clause, names, connectives) {}

  std::string rule(std::size_t number) {
    std::string out = fmt::format("% {}\nweight({}, {}).\nderived({}, ", clause().text, number,
                                  decimal(clause().weight), number);
    out += arguments(clause().head);
    out += ") :-";
    std::string_view separator = "\n    ";
    const auto add = [&](const std::string& literal) {
      out += separator;
      out += literal;
      separator = ",\n    ";
    };
    for (const ClauseFact& one : clause().facts) add(fact(one));
    for (const std::uint32_t one : clause().free) add(fmt::format("entity({})", term(one)));
    for (const Condition& one : clause().conditions) add(write(one));
    return out + ".\n\n";
  }

 private:
  std::string term(std::uint32_t number) const {
    std::string name = variable(number);
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
    return name;
  }
  std::string term(const ClauseTerm& one) const {
    if (one.is_variable()) return term(one.id);
    std::string out;
    write_atom(entity(one.id), out);
    return out;
  }
  std::string arguments(const ClauseFact& one) const {
    std::string out;
    write_atom(relation(one.relation), out);
    return fmt::format("{}, {}, {}", out, term(one.subject), term(one.object));
  }
  std::string fact(const ClauseFact& one) override {
    return fmt::format("fact({})", arguments(one));
  }
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
              .entity = write_entity,
              .between = "\n",
              .fact = write_fact,
              .end = ""}};

}  // namespace lerpp
