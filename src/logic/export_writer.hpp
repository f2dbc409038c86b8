// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/logic/export.hpp>

#include "logic/clause.hpp"

/// What the languages share: one walk through conditions, numbers, and the table of writers.
namespace lerpp {

/// How a language joins conditions.
struct Connectives {
  std::string_view conjunction;  ///< between parts: " AND "
  std::string_view disjunction;
  std::string_view negation;        ///< before a single fact
  std::string_view negation_group;  ///< before a parenthesis
  std::string_view truth;
  std::string_view falsity;
};

/// Writes conditions as expressions. Languages say how facts and names look.
class ConditionWriter {
 public:
  ConditionWriter(const Clause& clause, const Names& names, const Connectives& connectives)
      : clause_(clause), names_(names), connectives_(connectives) {}
  virtual ~ConditionWriter() = default;

  std::string write(const Condition& condition);
  /// The parts, joined; the sign of truth where there is none.
  std::string write_all(std::span<const Condition> parts);

 protected:
  virtual std::string fact(const ClauseFact& fact) = 0;
  virtual std::string some(const Condition& condition) = 0;
  virtual std::string differ(const ClauseTerm& left, const ClauseTerm& right) = 0;
  virtual std::string any(const Condition& condition);
  virtual std::string no(const Condition& condition);
  /// For languages whose groups need no parentheses: the parts of an `all`, or the condition.
  std::string flat(const Condition& condition) {
    return condition.kind == Condition::Kind::all ? write_all(condition.parts) : write(condition);
  }

  const Clause& clause() const { return clause_; }
  const Names& names() const { return names_; }
  const std::string& variable(std::uint32_t number) const { return clause_.variables[number]; }
  std::string_view entity(EntityId id) const { return names_.entities.name(id); }
  std::string_view relation(RelationId id) const { return names_.relations.name(id); }

 private:
  const Clause& clause_;
  const Names& names_;
  const Connectives& connectives_;
};

/// How a language spells a name, at the end of a text.
using Spell = void (*)(std::string_view name, std::string& out);
inline std::string spelled(Spell spell, std::string_view name) {
  std::string out;
  spell(name, out);
  return out;
}

/// A number with a point or an exponent in it, as all of the languages read it: 1.0, -1.0e-12.
std::string decimal(double number);

/// What a format writes.
struct ExportWriter {
  std::string (*rules)(std::span<const Clause> clauses, const Names& names);
  /// What comes before the facts, each entity, what comes between, each fact, and what ends it.
  struct Facts {
    std::string_view start;
    /// Null where the format knows entities by their facts alone.
    Spell entity;
    std::string_view between;
    void (*fact)(std::string_view subject, std::string_view relation, std::string_view object,
                 std::string& out);
    std::string_view end;
    /// Entries are gathered into statements of so many, where a language has statements.
    std::size_t group = 1;
    std::string_view open_entities = "";
    std::string_view open_facts = "";
    std::string_view separator = "";
    std::string_view close_entities = "";
    std::string_view close_facts = "";
  } facts;
};

extern const ExportWriter::Facts separated_facts;
extern const ExportWriter text_writer;
extern const ExportWriter json_writer;
extern const ExportWriter prolog_writer;
extern const ExportWriter asp_writer;
extern const ExportWriter sql_writer;
extern const ExportWriter sparql_writer;
extern const ExportWriter cypher_writer;
/// What the writers of text and JSON write, of a distilled list: with what its header says.
std::string write_text_list(std::span<const Clause> clauses, std::optional<std::uint32_t> frontier);
std::string write_json_list(std::span<const Clause> clauses, const Names& names,
                            std::optional<std::uint32_t> frontier);
const ExportWriter& writer_of(ExportFormat format);

/// Every rule with its numbers.
Result<std::vector<Clause>> lower(std::span<const ListedRule> rules, const Names& names);

/// Refuses names that the format cannot hold, in its facts or in its rules.
Result<void> check_fact_names(const Dataset& dataset, ExportFormat format);
Result<void> check_rule_names(const Dataset& dataset, ExportFormat format);

/// The rules that AnyBURL can say, with their figures on the known facts.
Exported export_anyburl(std::span<const ListedRule> rules, const Dataset& dataset);

}  // namespace lerpp
