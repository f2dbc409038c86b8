// SPDX-License-Identifier: Apache-2.0
#include "logic/sql_clause.hpp"

#include <algorithm>

namespace lerpp {
namespace {

constexpr Connectives connectives = {" AND ", " OR ", "NOT ", "NOT ", "1 = 1", "1 = 0"};

}  // namespace

void write_sql_text(std::string_view text, std::string& out) {
  out += '\'';
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  out += '\'';
}

std::string SqlRelations::table(RelationId relation) {
  auto place = std::ranges::find(met_, relation);
  if (place == met_.end()) place = met_.insert(met_.end(), relation);
  return fmt::format("relation_{}", place - met_.begin() + 1);
}

std::string SqlRelations::open() const {
  std::string out;
  for (std::size_t i = 0; i < met_.size(); ++i) {
    out += fmt::format(
        R"(CREATE TEMPORARY TABLE relation_{0} (subject INTEGER, object INTEGER);
INSERT INTO relation_{0}
SELECT DISTINCT s.number, o.number
FROM fact AS f JOIN numbered AS s ON s.name = f.subject JOIN numbered AS o ON o.name = f.object
WHERE f.relation = {1};
CREATE INDEX relation_{0}_out ON relation_{0} (subject, object);
CREATE INDEX relation_{0}_in ON relation_{0} (object, subject);

)",
        i + 1, sql_text(names_.relations.name(met_[i])));
  }
  return out;
}

std::string SqlRelations::close() const {
  std::string out;
  for (std::size_t i = 1; i <= met_.size(); ++i) out += fmt::format("DROP TABLE relation_{};\n", i);
  return out;
}

bool is_chain(const Clause& clause) {
  const auto differs = [](const Condition& one) { return one.kind == Condition::Kind::differ; };
  if (clause.facts.empty() || !clause.free.empty()) return false;
  if (std::ranges::any_of(clause.conditions, differs)) return false;
  const auto last = static_cast<std::uint32_t>(clause.facts.size());
  for (std::uint32_t k = 0; k < last; ++k) {
    const ClauseTerm here = ClauseTerm::variable(k);
    const ClauseTerm next = ClauseTerm::variable(k + 1);
    const ClauseFact& one = clause.facts[k];
    const bool along = one.subject == here && one.object == next;
    if (!along && !(one.subject == next && one.object == here)) return false;
  }
  const ClauseTerm x = ClauseTerm::variable(0);
  const ClauseTerm y = ClauseTerm::variable(last);
  return (clause.head.subject == x && clause.head.object == y) ||
         (clause.head.subject == y && clause.head.object == x);
}

SqlClause::SqlClause(const Clause& clause, const Names& names, SqlRelations& relations)
    : ConditionWriter(clause, names, connectives),
      relations_(relations),
      columns_(clause.variables.size()) {}

std::vector<SqlHop> SqlClause::hops() {
  std::vector<SqlHop> out;
  for (std::uint32_t k = 0; k < clause().facts.size(); ++k) {
    const ClauseFact& one = clause().facts[k];
    SqlHop hop = {relations_.table(one.relation), one.subject == ClauseTerm::variable(k), {}};
    columns_[k] = hop.from();
    columns_[k + 1] = hop.to();
    rows_ = 0;
    if (k == 0) hop.where = conditions_of(0);
    const std::string reached = conditions_of(k + 1);
    if (!hop.where.empty() && !reached.empty()) hop.where += "\n  AND ";
    hop.where += reached;
    out.push_back(std::move(hop));
  }
  return out;
}

std::string SqlClause::conditions_of(std::uint32_t variable) {
  std::string out;
  for (const Condition& one : clause().conditions) {
    if (one.about != variable) continue;
    if (!out.empty()) out += "\n  AND ";
    out += write(one);
  }
  return out;
}

std::string SqlClause::derive(std::size_t number) {
  for (const ClauseFact& one : clause().facts) {
    const std::string row = next_row();
    table(relations_.table(one.relation) + " AS " + row);
    if (const std::string where = match(one, row); !where.empty()) condition(where);
  }
  for (const std::uint32_t one : clause().free) {
    const std::string row = next_row();
    table("numbered AS " + row);
    columns_[one] = row + ".number";
  }
  for (const Condition& one : clause().conditions) condition(write(one));
  const ClauseFact& head = clause().head;
  std::string grouped;
  for (const ClauseTerm& side : {head.subject, head.object}) {
    if (side.is_variable()) grouped += (grouped.empty() ? "" : ", ") + column(side);
  }
  return select(number, "count(*)") + "\nGROUP BY " + grouped;
}

std::string SqlClause::weigh(std::size_t number, std::size_t question) {
  const ClauseFact& head = clause().head;
  table("candidate AS c");
  condition(fmt::format("c.question = {}", question));
  columns_[head.subject.id] = "c.subject";
  columns_[head.object.id] = "c.object";
  const std::string count = groundings_of_pair();
  for (const Condition& one : clause().conditions) condition(write(one));
  return select(number, count);
}

void SqlClause::condition(const std::string& one) {
  where_ += where_.empty() ? "\nWHERE " : "\n  AND ";
  where_ += one;
}

std::string SqlClause::select(std::size_t number, const std::string& count) const {
  const ClauseFact& head = clause().head;
  return fmt::format("SELECT {}, {}, {}, {}\nFROM {}{}", number, column(head.subject),
                     column(head.object), count, tables_, where_);
}

/// One z of an `∃z` that is all that is asked of y is one grounding.
std::string SqlClause::groundings_of_pair() {
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
  return fmt::format("(SELECT count(*) FROM {} AS {} WHERE {})",
                     relations_.table(on_y->fact.relation), row, where);
}

std::string SqlClause::column(const ClauseTerm& one) const {
  if (one.is_variable()) return columns_[one.id];
  return fmt::format("(SELECT number FROM numbered WHERE name = {})", sql_text(entity(one.id)));
}

/// That a row is the fact, or nothing. Variables that have no column yet get it from the row.
std::string SqlClause::match(const ClauseFact& one, const std::string& row) {
  std::string out;
  const auto side = [&](const ClauseTerm& which, std::string_view name) {
    std::string here = fmt::format("{}.{}", row, name);
    if (which.is_variable() && columns_[which.id].empty()) {
      columns_[which.id] = std::move(here);
    } else {
      out += fmt::format("{}{} = {}", out.empty() ? "" : " AND ", here, column(which));
    }
  };
  side(one.subject, "subject");
  side(one.object, "object");
  return out;
}

std::string SqlClause::exists(const ClauseFact& one, std::span<const Condition> parts) {
  const std::string row = next_row();
  std::string where = match(one, row);
  if (!parts.empty()) where += (where.empty() ? "" : " AND ") + write_all(parts);
  if (where.empty()) where = connectives.truth;
  return fmt::format("EXISTS (SELECT 1 FROM {} AS {} WHERE {})", relations_.table(one.relation),
                     row, where);
}

std::string SqlClause::differ(const ClauseTerm& left, const ClauseTerm& right) {
  return fmt::format("{} <> {}", column(left), column(right));
}

}  // namespace lerpp
