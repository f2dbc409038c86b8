// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

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

/// How a file of rules is scored. A distilled list has its own way: rules answer one of the two
/// questions about a fact, count groundings and share logarithms.
bool is_list(std::span<const Clause> clauses) {
  return std::ranges::any_of(clauses,
                             [](const Clause& one) { return one.more != 0 || one.group != 0; });
}
bool is_pair(const Clause& clause) {
  return clause.facts.empty() && clause.free.size() == 2;
}

/// Each fact is a row of the table; a variable is the column where it was first met.
class SqlWriter final : public ConditionWriter {
 public:
  SqlWriter(const Clause& clause, const Names& names)
      : ConditionWriter(clause, names, connectives), columns_(clause.variables.size()) {}

  std::string rule(std::size_t number, bool listed) const {
    const std::string_view asked = !listed                    ? "both"
                                   : clause().answers_subject ? "subject"
                                                              : "object";
    return fmt::format("-- {}\nINSERT INTO rule VALUES ({}, {}, {}, {}, {}, '{}');\n",
                       clause().comment(), number, decimal(clause().weight), text(clause().text),
                       decimal(clause().more), clause().group, asked);
  }

  /// What the rule derives, with the number of its groundings.
  std::string derive(std::size_t number) {
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
    std::string grouped;
    for (const ClauseTerm& side : {head.subject, head.object}) {
      if (side.is_variable()) grouped += (grouped.empty() ? "" : ", ") + column(side);
    }
    return statement(number, "count(*)") + "\nGROUP BY " + grouped + ";\n\n";
  }

  /// The same for a rule of a list that says something of x and of y, and nothing between them: it
  /// weighs what other rules have derived, since it holds for nearly every pair of entities.
  std::string weigh(std::size_t number) {
    const ClauseFact& head = clause().head;
    table("candidate AS c");
    condition(fmt::format("c.relation = {} AND c.asked = '{}'", text(relation(head.relation)),
                          head.subject.id == 0 ? "object" : "subject"));
    columns_[head.subject.id] = "c.subject";
    columns_[head.object.id] = "c.object";
    const std::string count = groundings_of_pair();
    for (const Condition& one : clause().conditions) condition(write(one));
    return statement(number, count) + ";\n\n";
  }

 private:
  static std::string text(std::string_view name) { return spelled(write_text, name); }

  void table(const std::string& one) { tables_ += tables_.empty() ? one : ", " + one; }
  void condition(const std::string& one) {
    where_ += where_.empty() ? "\nWHERE " : "\n  AND ";
    where_ += one;
  }
  std::string statement(std::size_t number, const std::string& count) const {
    const ClauseFact& head = clause().head;
    return fmt::format("INSERT INTO derived\nSELECT {}, {}, {}, {}, {}\nFROM {}{}", number,
                       column(head.subject), text(relation(head.relation)), column(head.object),
                       count, tables_, where_);
  }

  /// One z of an `∃z` that is all that is asked of y is one grounding.
  std::string groundings_of_pair() {
    const Condition* on_y = nullptr;
    for (const Condition& one : clause().conditions) {
      if (one.about != 1) continue;
      if (on_y != nullptr) return "1";
      on_y = &one;
    }
    if (on_y == nullptr || on_y->kind != Condition::Kind::some || !on_y->parts.empty()) return "1";
    const std::string row = next_row();
    const std::string where = match(on_y->fact, row);
    columns_[on_y->found].clear();  // it is met again where the condition itself is written
    return fmt::format("(SELECT count(*) FROM fact AS {} WHERE {})", row, where);
  }

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
  std::string tables_;
  std::string where_;
};

constexpr std::string_view start =
    R"(-- Rules in SQL, for SQLite, PostgreSQL, DuckDB and others. They need the tables
--   fact(subject, relation, object)   the known facts, each once
--   entity(name)                      every entity
-- and fill
--   derived(rule, subject, relation, object, groundings)   what a rule derives, and in how many ways
--   rule(rule, weight, text, more, rule_group, asked)
-- The views
--   score(subject, relation, object, asked, score)      all that is derived, scored as lerp apply does
--   new_fact(subject, relation, object, asked, score)   what of it is not known yet
-- Run: sqlite3 graph.db < facts.sql && sqlite3 graph.db < rules.sql
--      psql -f facts.sql -f rules.sql
--      duckdb graph.duckdb -f facts.sql -f rules.sql
BEGIN;
DROP VIEW IF EXISTS new_fact;
DROP VIEW IF EXISTS score;
DROP TABLE IF EXISTS candidate;
DROP TABLE IF EXISTS rule;
DROP TABLE IF EXISTS derived;
CREATE TABLE rule (rule INTEGER PRIMARY KEY, weight DOUBLE PRECISION, text TEXT, more DOUBLE PRECISION,
                   rule_group INTEGER, asked TEXT);
CREATE TABLE derived (rule INTEGER, subject TEXT, relation TEXT, object TEXT, groundings INTEGER);

)";

/// Distinct, so that pair rules meet each once.
constexpr std::string_view candidates =
    R"(-- What the rules above derive; those below say how far their ends fit.
CREATE TABLE candidate AS
SELECT DISTINCT d.subject, d.relation, d.object, r.asked FROM derived AS d JOIN rule AS r ON r.rule = d.rule;
CREATE INDEX candidate_relation ON candidate (relation, asked);

)";

constexpr std::string_view sum_of_rules =
    R"(CREATE VIEW score AS
SELECT d.subject, d.relation, d.object, r.asked, sum(r.weight) AS score
FROM derived AS d JOIN rule AS r ON r.rule = d.rule
GROUP BY d.subject, d.relation, d.object, r.asked;
)";

constexpr std::string_view sum_of_list =
    R"(-- n groundings of a rule add weight + more ln(1 + n); those of a group add weight ln(1 + s) together, s the sum of more n.
CREATE VIEW score AS
WITH counted AS (
  SELECT d.subject, d.relation, d.object, r.asked, r.rule_group, r.weight, r.more,
         CASE WHEN d.groundings > 65535 THEN 65535 ELSE d.groundings END AS n
  FROM derived AS d JOIN rule AS r ON r.rule = d.rule),
part AS (
  SELECT subject, relation, object, asked,
         sum(weight + more * ln(CAST(1 + n AS DOUBLE PRECISION))) AS worth
  FROM counted WHERE rule_group = 0 GROUP BY subject, relation, object, asked
  UNION ALL
  SELECT subject, relation, object, asked, weight * ln(1 + sum(more * n))
  FROM counted WHERE rule_group > 0 GROUP BY subject, relation, object, asked, rule_group, weight)
SELECT subject, relation, object, asked, sum(worth) AS score FROM part
GROUP BY subject, relation, object, asked;
)";

constexpr std::string_view end =
    R"(CREATE VIEW new_fact AS
SELECT s.subject, s.relation, s.object, s.asked, s.score FROM score AS s
WHERE NOT EXISTS (SELECT 1 FROM fact AS f
                  WHERE f.relation = s.relation AND f.subject = s.subject AND f.object = s.object);
COMMIT;
)";

std::string write_rules(std::span<const Clause> clauses, const Names& names) {
  const bool listed = is_list(clauses);
  std::string out(start);
  std::string pairs;
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    SqlWriter writer(clauses[i], names);
    out += writer.rule(i + 1, listed);
    const bool weighs = listed && is_pair(clauses[i]);
    (weighs ? pairs : out) += weighs ? writer.weigh(i + 1) : writer.derive(i + 1);
  }
  if (!pairs.empty()) out.append(candidates).append(pairs);
  return out.append(listed ? sum_of_list : sum_of_rules).append(end);
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
