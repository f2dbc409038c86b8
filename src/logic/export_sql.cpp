#include <fmt/format.h>

#include "logic/export_writer.hpp"

/// SQL that SQLite, PostgreSQL and DuckDB all run as it is.
namespace lerpp {
namespace {

constexpr Connectives connectives = {" AND ", " OR ", "NOT ", "NOT ", "1 = 1", "1 = 0"};

void write_text(std::string_view text, std::string& out) {
  out += '\'';
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  out += '\'';
}

void write_entity(std::string_view name, std::string& out) {
  out += '(';
  write_text(name, out);
  out += ')';
}

void write_fact(std::string_view subject, std::string_view relation, std::string_view object,
                std::string& out) {
  out += '(';
  write_text(subject, out);
  out += ',';
  write_text(relation, out);
  out += ',';
  write_text(object, out);
  out += ')';
}

/// Each fact is a row of the table; a variable is the column where it was first met.
class SqlWriter final : public ConditionWriter {
 public:
  SqlWriter(const Clause& clause, const Names& names)
      : ConditionWriter(clause, names, connectives), columns_(clause.variables.size()) {}

  std::string rule(std::size_t number) {
    std::string tables;
    std::string where;
    const auto table = [&](const std::string& text) {
      tables += tables.empty() ? text : ", " + text;
    };
    const auto condition = [&](const std::string& text) {
      where += where.empty() ? "WHERE " : "\n  AND ";
      where += text;
    };
    for (const ClauseFact& one : clause().facts) {
      const std::string row = next_row();
      table("fact AS " + row);
      condition(match(one, row));
    }
    for (const std::uint32_t one : clause().free) {
      const std::string row = next_row();
      table("entity AS " + row);
      columns_[one] = row + ".name";
    }
    for (const Condition& one : clause().conditions) condition(write(one));
    const ClauseFact& head = clause().head;
    return fmt::format(
        "-- {}\n"
        "INSERT INTO rule VALUES ({}, {}, {});\n"
        "INSERT INTO derived\n"
        "SELECT DISTINCT {}, {}, {}, {}\nFROM {}{}{};\n\n",
        clause().comment(), number, decimal(clause().weight), text(clause().text), number,
        column(head.subject), text(relation(head.relation)), column(head.object), tables,
        where.empty() ? "" : "\n", where);
  }

 private:
  static std::string text(std::string_view name) { return spelled(write_text, name); }
  std::string next_row() { return fmt::format("t{}", ++rows_); }

  std::string column(const ClauseTerm& one) const {
    return one.is_variable() ? columns_[one.id] : text(entity(one.id));
  }

  /// That a row is the fact. Variables that have no column yet get it from the row.
  std::string match(const ClauseFact& one, const std::string& row) {
    std::string out = fmt::format("{}.relation = {}", row, text(relation(one.relation)));
    const auto side = [&](const ClauseTerm& which, std::string_view name) {
      std::string here = fmt::format("{}.{}", row, name);
      if (which.is_variable() && columns_[which.id].empty()) {
        columns_[which.id] = std::move(here);
      } else {
        out += fmt::format(" AND {} = {}", here, column(which));
      }
    };
    side(one.subject, "subject");
    side(one.object, "object");
    return out;
  }

  std::string exists(const ClauseFact& one, std::span<const Condition> parts) {
    const std::string row = next_row();
    std::string where = match(one, row);
    if (!parts.empty()) where += connectives.conjunction;
    if (!parts.empty()) where += write_all(parts);
    return fmt::format("EXISTS (SELECT 1 FROM fact AS {} WHERE {})", row, where);
  }
  std::string fact(const ClauseFact& one) override { return exists(one, {}); }
  std::string some(const Condition& condition) override {
    return exists(condition.fact, condition.parts);
  }
  std::string differ(const ClauseTerm& left, const ClauseTerm& right) override {
    return fmt::format("{} <> {}", column(left), column(right));
  }

  std::vector<std::string> columns_;
  std::size_t rows_ = 0;
};

std::string write_rules(std::span<const Clause> clauses, const Names& names) {
  std::string out =
      R"(-- Rules in SQL, for SQLite, PostgreSQL, DuckDB and others. They need the tables
--   fact(subject, relation, object)   the known facts
--   entity(name)                      every entity
-- and fill
--   derived(rule, subject, relation, object)   what a rule derives
--   rule(rule, weight, text)
-- Run: sqlite3 graph.db < facts.sql && sqlite3 graph.db < rules.sql
--      psql -f facts.sql -f rules.sql
--      duckdb graph.duckdb -f facts.sql -f rules.sql
BEGIN;
DROP TABLE IF EXISTS rule;
DROP TABLE IF EXISTS derived;
CREATE TABLE rule (rule INTEGER, weight DOUBLE PRECISION, text TEXT);
CREATE TABLE derived (rule INTEGER, subject TEXT, relation TEXT, object TEXT);

)";
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    out += SqlWriter(clauses[i], names).rule(i + 1);
  }
  return out + "COMMIT;\n";
}

}  // namespace

const ExportWriter sql_writer = {
    .rules = write_rules,
    .facts = {.start = "-- Facts for the exported rules.\n"
                       "BEGIN;\n"
                       "CREATE TABLE entity (name TEXT PRIMARY KEY);\n"
                       "CREATE TABLE fact (subject TEXT, relation TEXT, object TEXT);\n",
              .entity = write_entity,
              .between = "",
              .fact = write_fact,
              .end = "CREATE INDEX fact_subject ON fact (relation, subject, object);\n"
                     "CREATE INDEX fact_object ON fact (relation, object, subject);\n"
                     "COMMIT;\n",
              .group = 500,
              .open_entities = "INSERT INTO entity VALUES\n",
              .open_facts = "INSERT INTO fact VALUES\n",
              .separator = ",\n",
              .close_entities = ";\n",
              .close_facts = ";\n"}};

}  // namespace lerpp
