// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "logic/export_writer.hpp"

/// A rule as SQL over tables of numbers: one table for each relation, `numbered` for all entities.
namespace lerpp {

void write_sql_text(std::string_view text, std::string& out);
inline std::string sql_text(std::string_view text) {
  return spelled(write_sql_text, text);
}

/// The relations that the rules name, each a table relation_K(subject, object).
class SqlRelations {
 public:
  explicit SqlRelations(const Names& names) : names_(names) {}

  std::string table(RelationId relation);
  /// Statements that fill the tables, and that drop them.
  std::string open() const;
  std::string close() const;

 private:
  const Names& names_;
  std::vector<RelationId> met_;
};

/// One step of a walk, written so that equal steps are equal texts. The table is `t`.
struct SqlHop {
  std::string table;
  bool along = true;  ///< from subject to object
  std::string where;  ///< what is asked of the entity that it reaches; of the first, of both ends
  bool operator==(const SqlHop&) const = default;

  std::string_view from() const { return along ? "t.subject" : "t.object"; }
  std::string_view to() const { return along ? "t.object" : "t.subject"; }
};

/// Whether the facts lead from one variable to the next, and every condition speaks of one
/// variable.
bool is_chain(const Clause& clause);

/// Each fact is a row of a table; a variable is the column where it was first met.
class SqlClause final : public ConditionWriter {
 public:
  SqlClause(const Clause& clause, const Names& names, SqlRelations& relations);

  /// Of a chain, its steps.
  std::vector<SqlHop> hops();
  /// `SELECT …` of what the rule derives, with the number of its groundings.
  std::string derive(std::size_t number);
  /// The same for a rule of a list that says something of x and of y, and nothing between them: it
  /// weighs what other rules have derived, since it holds for nearly every pair of entities.
  std::string weigh(std::size_t number, std::size_t question);

 private:
  void table(const std::string& one) { tables_ += tables_.empty() ? one : ", " + one; }
  void condition(const std::string& one);
  std::string select(std::size_t number, const std::string& count) const;
  std::string groundings_of_pair();
  std::string next_row() { return fmt::format("t{}", ++rows_); }
  std::string column(const ClauseTerm& one) const;
  std::string match(const ClauseFact& one, const std::string& row);
  std::string conditions_of(std::uint32_t variable);
  std::string exists(const ClauseFact& one, std::span<const Condition> parts);
  std::string fact(const ClauseFact& one) override { return exists(one, {}); }
  std::string some(const Condition& condition) override {
    return exists(condition.fact, condition.parts);
  }
  std::string differ(const ClauseTerm& left, const ClauseTerm& right) override;

  SqlRelations& relations_;
  std::vector<std::string> columns_;
  std::size_t rows_ = 0;
  std::string tables_;
  std::string where_;
};

}  // namespace lerpp
