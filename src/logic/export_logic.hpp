// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "logic/export_writer.hpp"

namespace lerpp {

/// What Prolog and answer set programs share: atoms, and variables with a capital letter.
template <Spell spell>
class LogicWriter : public ConditionWriter {
 public:
  using ConditionWriter::ConditionWriter;

  static void write_fact(std::string_view subject, std::string_view relation,
                         std::string_view object, std::string& out) {
    out += "fact(";
    spell(relation, out);
    out += ", ";
    spell(subject, out);
    out += ", ";
    spell(object, out);
    out += ").\n";
  }
  static void write_entity(std::string_view name, std::string& out) {
    out += "entity(";
    spell(name, out);
    out += ").\n";
  }

 protected:
  std::string term(std::uint32_t number) const {
    std::string name = variable(number);
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
    return name;
  }
  std::string term(const ClauseTerm& one) const {
    return one.is_variable() ? term(one.id) : spelled(spell, entity(one.id));
  }
  std::string arguments(const ClauseFact& one) const {
    return fmt::format("{}, {}, {}", spelled(spell, relation(one.relation)), term(one.subject),
                       term(one.object));
  }
  std::string fact(const ClauseFact& one) final { return fmt::format("fact({})", arguments(one)); }

  /// The facts, the domains and the conditions of the clause.
  std::string body(std::string_view separator) {
    std::string out;
    const auto add = [&](const std::string& literal) {
      if (!out.empty()) out += separator;
      out += literal;
    };
    for (const ClauseFact& one : clause().facts) add(fact(one));
    for (const std::uint32_t one : clause().free) add(fmt::format("entity({})", term(one)));
    for (const Condition& one : clause().conditions) add(write(one));
    return out;
  }
};

}  // namespace lerpp
