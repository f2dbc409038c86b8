// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "logic/export_writer.hpp"
#include "logic/sql_walks.hpp"

/// SQL that SQLite, PostgreSQL and DuckDB all run as it is.
namespace lerpp {
namespace {

void write_entity(std::string_view name, std::string& out) {
  out += '(';
  write_sql_text(name, out);
  out += ')';
}

void write_fact(std::string_view subject, std::string_view relation, std::string_view object,
                std::string& out) {
  out += '(';
  write_sql_text(subject, out);
  out += ',';
  write_sql_text(relation, out);
  out += ',';
  write_sql_text(object, out);
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

/// The questions that rules answer, numbered as they are met: a relation, and which end is asked
/// for.
class Questions {
 public:
  explicit Questions(bool listed) : listed_(listed) {}

  std::size_t number(const Clause& clause) {
    const Question one = {clause.head.relation, !listed_                 ? "both"
                                                : clause.answers_subject ? "subject"
                                                                         : "object"};
    auto place = std::ranges::find(all_, one);
    if (place == all_.end()) place = all_.insert(all_.end(), one);
    return static_cast<std::size_t>(place - all_.begin()) + 1;
  }

  std::string statements(const Names& names) const {
    std::string out;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      out += fmt::format("INSERT INTO question VALUES ({}, {}, '{}');\n", i + 1,
                         sql_text(names.relations.name(all_[i].first)), all_[i].second);
    }
    return out + "\n";
  }

 private:
  using Question = std::pair<RelationId, std::string_view>;
  bool listed_;
  std::vector<Question> all_;
};

std::string rule_row(const Clause& clause, std::size_t number, std::size_t question) {
  return fmt::format("-- {}\nINSERT INTO rule VALUES ({}, {}, {}, {}, {}, {});\n", clause.comment(),
                     number, decimal(clause.weight), sql_text(clause.text), decimal(clause.more),
                     clause.group, question);
}

constexpr std::string_view start =
    R"(-- Rules in SQL, for SQLite, PostgreSQL, DuckDB and others. They need the tables
--   fact(subject, relation, object)   the known facts
--   entity(name)                      every entity
-- and make the views
--   derived(rule, subject, relation, object, groundings)   what a rule derives, and in how many ways
--   score(subject, relation, object, asked, score)         all that is derived, scored as lerp apply does
--   new_fact(subject, relation, object, asked, score)      what of it is not known yet
-- of the tables
--   rule(rule, weight, text, more, rule_group, question), question(question, relation, asked)
--   found(rule, subject, object, groundings), points(question, subject, object, score), where entities are
--   numbers, numbered(number, name)
-- Run: sqlite3 graph.db < facts.sql && sqlite3 graph.db < rules.sql
--      psql -f facts.sql -f rules.sql
--      duckdb graph.duckdb -f facts.sql -f rules.sql
BEGIN;
DROP VIEW IF EXISTS new_fact;
DROP VIEW IF EXISTS score;
DROP VIEW IF EXISTS derived;
DROP TABLE IF EXISTS points;
DROP TABLE IF EXISTS found;
DROP TABLE IF EXISTS rule;
DROP TABLE IF EXISTS question;
DROP TABLE IF EXISTS numbered;
CREATE TABLE numbered (number INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE question (question INTEGER PRIMARY KEY, relation TEXT, asked TEXT);
CREATE TABLE rule (rule INTEGER PRIMARY KEY, weight DOUBLE PRECISION, text TEXT, more DOUBLE PRECISION,
                   rule_group INTEGER, question INTEGER);
CREATE TABLE found (rule INTEGER, subject INTEGER, object INTEGER, groundings BIGINT);

-- Numbers are compared faster than names.
INSERT INTO numbered
SELECT row_number() OVER (ORDER BY name), name
FROM (SELECT name FROM entity UNION SELECT subject FROM fact UNION SELECT object FROM fact) AS every;
CREATE UNIQUE INDEX numbered_name ON numbered (name);

)";

constexpr std::string_view walks =
    "-- Walks that several rules begin with are counted once: n walks lead from start to stop.\n";

/// Distinct, so that pair rules meet each once.
constexpr std::string_view candidates =
    R"(-- What the rules above derive; those below say how far their ends fit.
CREATE TEMPORARY TABLE candidate (question INTEGER, subject INTEGER, object INTEGER);
INSERT INTO candidate
SELECT DISTINCT r.question, f.subject, f.object FROM found AS f JOIN rule AS r ON r.rule = f.rule;
CREATE INDEX candidate_question ON candidate (question, subject, object);

)";

constexpr std::string_view points =
    "CREATE TABLE points (question INTEGER, subject INTEGER, object INTEGER, score DOUBLE "
    "PRECISION);\n"
    "INSERT INTO points\n";

constexpr std::string_view sum_of_rules =
    R"(SELECT r.question, f.subject, f.object, sum(r.weight)
FROM found AS f JOIN rule AS r ON r.rule = f.rule
GROUP BY r.question, f.subject, f.object;
)";

constexpr std::string_view sum_of_list =
    R"(-- n groundings of a rule add weight + more ln(1 + n); those of a group add weight ln(1 + s) together, s the sum of more n.
WITH counted AS (
  SELECT r.question, f.subject, f.object, r.rule_group, r.weight, r.more,
         CASE WHEN f.groundings > 65535 THEN 65535 ELSE f.groundings END AS n
  FROM found AS f JOIN rule AS r ON r.rule = f.rule),
part AS (
  SELECT question, subject, object,
         sum(weight + more * ln(CAST(1 + n AS DOUBLE PRECISION))) AS worth
  FROM counted WHERE rule_group = 0 GROUP BY question, subject, object
  UNION ALL
  SELECT question, subject, object, weight * ln(1 + sum(more * n))
  FROM counted WHERE rule_group > 0 GROUP BY question, subject, object, rule_group, weight)
SELECT question, subject, object, sum(worth) FROM part GROUP BY question, subject, object;
)";

constexpr std::string_view end =
    R"(CREATE VIEW derived AS
SELECT f.rule, s.name AS subject, q.relation, o.name AS object, f.groundings
FROM found AS f JOIN rule AS r ON r.rule = f.rule JOIN question AS q ON q.question = r.question
JOIN numbered AS s ON s.number = f.subject JOIN numbered AS o ON o.number = f.object;
CREATE VIEW score AS
SELECT s.name AS subject, q.relation, o.name AS object, q.asked, p.score
FROM points AS p JOIN question AS q ON q.question = p.question
JOIN numbered AS s ON s.number = p.subject JOIN numbered AS o ON o.number = p.object;
CREATE VIEW new_fact AS
SELECT s.subject, s.relation, s.object, s.asked, s.score FROM score AS s
WHERE NOT EXISTS (SELECT 1 FROM fact AS f
                  WHERE f.relation = s.relation AND f.subject = s.subject AND f.object = s.object);
COMMIT;
)";

/// Rules that are no chains; those of a pair weigh what all others have found.
struct Others {
  std::string derive;
  std::string weigh;
};

std::string write_rules(std::span<const Clause> clauses, const Names& names) {
  const bool listed = is_list(clauses);
  SqlRelations relations(names);
  Questions questions(listed);
  SqlWalks chains;
  Others others;
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const Clause& clause = clauses[i];
    const std::size_t question = questions.number(clause);
    SqlClause writer(clause, names, relations);
    std::string row = rule_row(clause, i + 1, question);
    if (is_chain(clause)) {
      const bool from_subject = clause.head.subject == ClauseTerm::variable(0);
      chains.add(writer.hops(), {i + 1, from_subject, std::move(row)});
    } else if (listed && is_pair(clause)) {
      others.weigh += row + "INSERT INTO found\n" + writer.weigh(i + 1, question) + ";\n\n";
    } else {
      others.derive += row + "INSERT INTO found\n" + writer.derive(i + 1) + ";\n\n";
    }
  }
  std::string out(start);
  out += questions.statements(names) + relations.open();
  out.append(walks).append(chains.statements()).append(others.derive);
  if (!others.weigh.empty()) out.append(candidates).append(others.weigh);
  if (!others.weigh.empty()) out += "DROP TABLE candidate;\n";
  out.append(relations.close()).append(points).append(listed ? sum_of_list : sum_of_rules);
  return out.append(end);
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
