// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kg/terms.hpp"
#include "logic/export_writer.hpp"

/// SPARQL 1.1, on facts in N-Triples.
namespace lerpp {
namespace {

constexpr Connectives connectives = {" ", "", "", "", "", "FILTER(1 = 0)"};

/// An entity may be subject here and object there, so neither is ever a literal or a blank node.
void write_iri(std::string_view name, std::string& out) {
  formats::write_term(name, formats::TermPlace::predicate, out);
}

std::string iri(std::string_view name) {
  return spelled(write_iri, name);
}

void write_fact(std::string_view subject, std::string_view relation, std::string_view object,
                std::string& out) {
  write_iri(subject, out);
  out += ' ';
  write_iri(relation, out);
  out += ' ';
  write_iri(object, out);
  out += " .\n";
}

constexpr std::string_view entity_mark = " <urn:lerp-export:is> <urn:lerp-export:entity> .";

void write_entity(std::string_view name, std::string& out) {
  write_iri(name, out);
  out += entity_mark;
  out += '\n';
}

/// "Or" is UNION and "not" is MINUS: engines disagree about EXISTS inside EXISTS. A condition
/// speaks of one variable, so that is all that the two sides of a MINUS share.
class SparqlWriter final : public ConditionWriter {
 public:
  SparqlWriter(const Clause& clause, const Names& names)
      : ConditionWriter(clause, names, connectives) {}

  std::string rule(std::size_t number) {
    std::string pattern;
    for (const ClauseFact& one : clause().facts) pattern += "      " + triple(one) + "\n";
    for (const std::uint32_t one : clause().free) pattern += "      " + domain(one) + "\n";
    for (const Condition& one : clause().conditions) pattern += "      " + write(one) + "\n";
    const ClauseFact& head = clause().head;
    return fmt::format(
        "    # {}\n"
        "    SELECT DISTINCT ({} AS ?rule) ({} AS ?weight) ({} AS ?subject) ({} AS ?relation)"
        " ({} AS ?object) WHERE {{\n{}    }}\n",
        clause().comment(), number, decimal(clause().weight), term(head.subject),
        iri(relation(head.relation)), term(head.object), pattern);
  }

 private:
  std::string term(const ClauseTerm& one) const {
    return one.is_variable() ? "?" + variable(one.id) : iri(entity(one.id));
  }
  std::string triple(const ClauseFact& one) const {
    return fmt::format("{} {} {} .", term(one.subject), iri(relation(one.relation)),
                       term(one.object));
  }
  std::string domain(std::uint32_t number) const {
    return fmt::format("?{}{}", variable(number), entity_mark);
  }
  /// A condition that stands alone, so that it must bind its variable itself.
  std::string group(const Condition& one) {
    const bool binds = one.kind == Condition::Kind::fact || one.kind == Condition::Kind::some;
    return fmt::format("{{ {}{} }}", binds ? "" : domain(one.about) + " ", flat(one));
  }
  std::string fact(const ClauseFact& one) override { return triple(one); }
  std::string some(const Condition& condition) override {
    if (condition.parts.empty()) return triple(condition.fact);
    return triple(condition.fact) + " " + write_all(condition.parts);
  }
  std::string any(const Condition& condition) override {
    std::string out;
    for (const Condition& part : condition.parts) {
      if (!out.empty()) out += " UNION ";
      out += group(part);
    }
    return out.empty() ? std::string(connectives.falsity) : out;
  }
  std::string no(const Condition& condition) override {
    return "MINUS " + group(condition.parts.front());
  }
  std::string differ(const ClauseTerm& left, const ClauseTerm& right) override {
    return fmt::format("FILTER({} != {})", term(left), term(right));
  }
};

std::string write_rules(std::span<const Clause> clauses, const Names& names) {
  std::string out =
      R"(# Rules in SPARQL 1.1. The data: a name that is an IRI is that IRI, any other NAME is
# <urn:lerp:NAME>, percent-encoded. Where a rule asks for any entity at all, it asks for
#   ?x <urn:lerp-export:is> <urn:lerp-export:entity> .
# which the exported facts say of each. The result has a row for each fact that a rule derives.
# Run: oxigraph load --location graph --file facts.nt
#      oxigraph query --location graph --query-file rules.rq --results-format tsv
# or:  arq --data facts.nt --query rules.rq
SELECT ?rule ?weight ?subject ?relation ?object WHERE {
)";
  std::string_view before = "  {\n";
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    out += before;
    out += SparqlWriter(clauses[i], names).rule(i + 1);
    before = "  } UNION {\n";
  }
  out += clauses.empty() ? "  FILTER(1 = 0)\n}\n" : "  }\n}\n";
  return out;
}

}  // namespace

const ExportWriter sparql_writer = {
    .rules = write_rules,
    .facts = {.start = "", .entity = write_entity, .between = "", .fact = write_fact, .end = ""}};

}  // namespace lerpp
