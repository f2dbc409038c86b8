// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include <lerp/logic/rule_text.hpp>

#include "logic/tokens.hpp"

namespace lerpp {
namespace {

using Kind = Formula::Kind;

struct Signs {
  std::string_view conjunction, disjunction, negation, exists, implies;
};
constexpr Signs unicode_signs = {" ∧ ", " ∨ ", "¬", "∃", " ⇒ "};
constexpr Signs ascii_signs = {" & ", " | ", "!", "exists ", " => "};

class Printer {
 public:
  Printer(const Names& names, bool ascii, std::size_t first_free)
      : names_(names), signs_(ascii ? ascii_signs : unicode_signs), next_(first_free) {}

  void print(const Rule& rule) {
    const std::size_t last = rule.constraints().size() - 1;
    const auto variable = [&](std::size_t k) -> std::string {
      if (k == 0) return "x";
      return k == last ? "y" : fmt::format("z{}", k);
    };
    for (std::size_t k = 0; k < rule.hops().size(); ++k) {
      separate();
      atom(rule.hops()[k], variable(k), variable(k + 1));
    }
    if (last == 0) out_ += "x = y";
    for (std::size_t k = 0; k <= last; ++k) {
      if (!rule.constraints()[k].is(Kind::truth)) parts(rule.constraints()[k], variable(k));
    }
    if (out_.empty()) out_ += "true";
    out_ += signs_.implies;
    atom(rule.target(), "x", "y");
  }

  /// The conjuncts, after what stands there already.
  void parts(const Formula& formula, const std::string& variable) {
    if (!formula.is(Kind::conjunction)) {
      separate();
      unary(formula, variable);
      return;
    }
    for (const Formula& part : formula.parts()) {
      separate();
      unary(part, variable);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void separate() {
    if (!out_.empty() && out_.back() != '(') out_ += signs_.conjunction;
  }

  void atom(OperatorId op, std::string_view from, std::string_view to) {
    const RelationId relations = names_.relations.size();
    assert(op < 2 * relations);
    write_name(names_.relations.name(op % relations), NamePlace::relation, out_);
    const bool forwards = op < relations;
    out_ += fmt::format("({},{})", forwards ? from : to, forwards ? to : from);
  }

  void unary(const Formula& formula, const std::string& variable) {
    switch (formula.kind()) {
      case Kind::truth:
        out_ += fmt::format("true({})", variable);
        break;
      case Kind::falsity:
        out_ += fmt::format("false({})", variable);
        break;
      case Kind::constant: {
        std::string name;
        write_name(names_.entities.name(formula.entity()), NamePlace::argument, name);
        atom(formula.op(), variable, name);
        break;
      }
      case Kind::exists:
        exists(formula, variable);
        break;
      case Kind::negation:
        out_ += signs_.negation;
        unary(formula.inner(), variable);
        break;
      case Kind::conjunction:
        out_ += '(';
        parts(formula, variable);
        out_ += ')';
        break;
      case Kind::disjunction: {
        std::string_view sign = "(";
        for (const Formula& part : formula.parts()) {
          out_ += sign;
          unary(part, variable);
          sign = signs_.disjunction;
        }
        out_ += ')';
        break;
      }
    }
  }

  void exists(const Formula& formula, const std::string& variable) {
    const std::string found = fmt::format("z{}", next_++);
    out_ += signs_.exists;
    out_ += found;
    out_ += ' ';
    const bool more = !formula.inner().is(Kind::truth);
    if (more) out_ += '(';
    atom(formula.op(), variable, found);
    if (!more) return;
    parts(formula.inner(), found);
    out_ += ')';
  }

  const Names& names_;
  const Signs& signs_;
  std::size_t next_;  ///< number of the next variable that nothing uses yet
  std::string out_;
};

}  // namespace

std::string to_text(const Rule& rule, const Names& names, const TextOptions& options) {
  Printer printer(names, options.ascii, std::max<std::size_t>(rule.hops().size(), 1));
  printer.print(rule);
  return options.weight ? fmt::format("{}  {}", rule.weight(), printer.take()) : printer.take();
}

std::string to_text(const Formula& formula, const Names& names, const TextOptions& options) {
  Printer printer(names, options.ascii, 1);
  printer.parts(formula, "x");
  return printer.take();
}

}  // namespace lerpp
