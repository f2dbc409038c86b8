// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "logic/export_writer.hpp"

/// Cypher, for Ladybug (Kùzu) and Neo4j 5.
namespace lerpp {
namespace {

constexpr Connectives connectives = {" AND ", " OR ", "NOT ", "NOT ", "true", "false"};

void write_text(std::string_view text, std::string& out) {
  out += '\'';
  for (const char c : text) {
    if (c == '\'' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '\'';
}

void write_fact(std::string_view subject, std::string_view relation, std::string_view object,
                std::string& out) {
  out += "{s: ";
  write_text(subject, out);
  out += ", r: ";
  write_text(relation, out);
  out += ", o: ";
  write_text(object, out);
  out += '}';
}

/// A MATCH for each fact: within one, Neo4j would not use a relationship twice.
class CypherWriter final : public ConditionWriter {
 public:
  CypherWriter(const Clause& clause, const Names& names)
      : ConditionWriter(clause, names, connectives), met_(clause.variables.size()) {}

  std::string rule(std::size_t number) {
    std::string out = fmt::format("// {}\n// weight {}\n", clause().comment(), clause().weight);
    for (const ClauseFact& one : clause().facts) out += match(one) + "\n";
    for (const std::uint32_t one : clause().free) {
      out += fmt::format("MATCH ({}:Entity)\n", variable(one));
      met_[one] = true;
    }
    if (!clause().conditions.empty()) {
      out += fmt::format("WHERE {}\n", write_all(clause().conditions));
    }
    const ClauseFact& head = clause().head;
    return out + fmt::format(
                     "RETURN DISTINCT {} AS rule, {} AS weight, {} AS subject, {} AS relation,"
                     " {} AS object;\n\n",
                     number, decimal(clause().weight), name(head.subject),
                     text(relation(head.relation)), name(head.object));
  }

 private:
  static std::string text(std::string_view name) { return spelled(write_text, name); }
  std::string node(const ClauseTerm& one) {
    if (!one.is_variable()) return fmt::format("(:Entity {{name: {}}})", text(entity(one.id)));
    const bool first = !met_[one.id];
    met_[one.id] = true;
    return fmt::format("({}{})", variable(one.id), first ? ":Entity" : "");
  }
  std::string name(const ClauseTerm& one) const {
    return one.is_variable() ? variable(one.id) + ".name" : text(entity(one.id));
  }
  std::string match(const ClauseFact& one) {
    const std::string subject = node(one.subject);
    return fmt::format("MATCH {}-[:Fact {{relation: {}}}]->{}", subject,
                       text(relation(one.relation)), node(one.object));
  }
  std::string fact(const ClauseFact& one) override {
    return fmt::format("EXISTS {{ {} }}", match(one));
  }
  std::string some(const Condition& condition) override {
    std::string text = match(condition.fact);
    if (!condition.parts.empty()) text += " WHERE " + write_all(condition.parts);
    return fmt::format("EXISTS {{ {} }}", text);
  }
  std::string differ(const ClauseTerm& left, const ClauseTerm& right) override {
    return fmt::format("{} <> {}", name(left), name(right));
  }

  std::vector<bool> met_;
};

std::string write_rules(std::span<const Clause> clauses, const Names& names) {
  std::string out = R"(// Rules in Cypher, for Ladybug (Kùzu) and Neo4j 5. They need
//   (:Entity {name})                     every entity
//   (s)-[:Fact {relation: name}]->(o)    the known facts
// Each statement returns what its rule derives.
// Run: lbug graph.lbug < facts.cypher && lbug graph.lbug < rules.cypher
//      cypher-shell -f rules.cypher      (of facts.cypher leave the two CREATE ... TABLE out)

)";
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    out += CypherWriter(clauses[i], names).rule(i + 1);
  }
  return out;
}

}  // namespace

const ExportWriter cypher_writer = {
    .rules = write_rules,
    .facts = {.start = "// Facts for the exported rules.\n"
                       "CREATE NODE TABLE Entity(name STRING PRIMARY KEY);\n"
                       "CREATE REL TABLE Fact(FROM Entity TO Entity, relation STRING);\n",
              .entity = write_text,
              .between = "",
              .fact = write_fact,
              .end = "",
              .group = 500,
              .open_entities = "UNWIND [\n",
              .open_facts = "UNWIND [\n",
              .separator = ",\n",
              .close_entities = "\n] AS name CREATE (:Entity {name: name});\n",
              .close_facts = "\n] AS row MATCH (s:Entity {name: row.s}), (o:Entity {name: row.o}) "
                             "CREATE (s)-[:Fact {relation: row.r}]->(o);\n"}};

}  // namespace lerpp
