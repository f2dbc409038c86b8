// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include <lerp/base/text.hpp>
#include <lerp/events/induce.hpp>

#include "events/equation_words.hpp"

namespace lerpp {
namespace {

using Kind = Formula::Kind;

class Writer {
 public:
  explicit Writer(const EquationNames& names) : words_(names) {}

  std::string formula(const Formula& formula, const std::string& variable, bool inside = false) {
    switch (formula.kind()) {
      case Kind::truth:
        return fmt::format("true({})", variable);
      case Kind::falsity:
        return fmt::format("false({})", variable);
      case Kind::constant:
        return fmt::format("{}({})", words_.type(formula.entity()), variable);
      case Kind::negation:
        return "¬" + this->formula(formula.inner(), variable, true);
      case Kind::exists:
        return exists(formula, variable);
      case Kind::conjunction:
        return joined(formula, " ∧ ", variable, inside);
      case Kind::disjunction:
        // Always in parentheses: it binds less than what may stand around it.
        return joined(formula, " ∨ ", variable, true);
    }
    return {};
  }

 private:
  std::string exists(const Formula& formula, const std::string& variable) {
    const std::string other = next_++ == 0 ? "y" : fmt::format("z{}", next_ - 1);
    const Step step = words_.step(formula.op());
    std::string link = step.backwards ? fmt::format("{}({},{})", step.name, other, variable)
                                      : fmt::format("{}({},{})", step.name, variable, other);
    if (formula.inner().is(Kind::truth)) return fmt::format("∃{} {}", other, link);
    return fmt::format("∃{} ({} ∧ {})", other, link, this->formula(formula.inner(), other));
  }

  std::string joined(const Formula& formula, const char* sign, const std::string& variable,
                     bool inside) {
    std::string text;
    for (const Formula& part : formula.parts()) {
      if (!text.empty()) text += sign;
      text += this->formula(part, variable, true);
    }
    return inside ? "(" + text + ")" : text;
  }

  EquationWords words_;
  int next_ = 0;
};

class Speaker {
 public:
  explicit Speaker(const EquationNames& names) : words_(names) {}

  /// Of what a pronoun stands for: "comes after some Attack".
  std::string predicate(const Formula& formula, bool negated = false) {
    switch (formula.kind()) {
      case Kind::truth:
        return negated ? "does not exist" : "exists";
      case Kind::falsity:
        return negated ? "exists" : "does not exist";
      case Kind::constant:
        return "is " + (negated ? "no " + words_.noun(formula.entity())
                                : with_article(words_.noun(formula.entity())));
      case Kind::negation:
        return predicate(formula.inner(), !negated);
      case Kind::exists:
        return link(words_.step(formula.op()), formula.inner(), negated);
      case Kind::conjunction:
      case Kind::disjunction:
        return joined(formula, negated);
    }
    return {};
  }

 private:
  /// "some Attack", "something that comes after some Attack"
  std::string object(const Formula& formula, const char* any, bool negated) {
    const char* const article = negated ? "any" : "some";
    if (formula.is(Kind::truth)) return negated ? "anything" : any;
    if (formula.is(Kind::constant))
      return fmt::format("{} {}", article, words_.noun(formula.entity()));
    return fmt::format("{} that {}", negated ? "anything" : any, predicate(formula));
  }

  std::string link(const Step& step, const Formula& inner, bool negated) {
    const std::string other = object(inner, "something", negated);
    if (step.order) {
      return fmt::format("{} {} {}", negated ? "does not come" : "comes",
                         step.backwards ? "after" : "before", other);
    }
    if (step.role && !step.backwards) {
      return fmt::format("{} {} as its {}", negated ? "does not have" : "has", other, step.name);
    }
    if (step.role) {
      return fmt::format("{} the {} of {}", negated ? "is not" : "is", step.name, other);
    }
    return fmt::format("{} {} by {}{}", negated ? "is not linked to" : "is linked to", other,
                       step.name, step.backwards ? ", seen from there" : "");
  }

  std::string joined(const Formula& formula, bool negated) {
    // Not (a and b) is not a or not b.
    const bool both = formula.is(Kind::conjunction) != negated;
    std::string text;
    for (const Formula& part : formula.parts()) {
      if (!text.empty()) text += both ? " and " : " or ";
      text += predicate(part, negated);
    }
    return text;
  }

  EquationWords words_;
};

/// Never all or nothing: what is less than all must not read as all.
std::string percent(double share) {
  if (share < 0.01) return "less than 1 %";
  if (share > 0.99) return "more than 99 %";
  return fmt::format("{:.0f} %", 100 * share);
}

}  // namespace

std::string to_text(const Formula& body, const EquationNames& names) {
  return Writer(names).formula(body, "x");
}

std::string to_text(const Equation& equation, const EquationNames& names) {
  return fmt::format("{}(x) ⇒ {}", EquationWords(names).type(equation.type),
                     Writer(names).formula(equation.body, "x"));
}

std::string to_english(const Equation& equation, const EquationNames& names, double share) {
  const std::string noun = EquationWords(names).noun(equation.type);
  return fmt::format("{} {}.",
                     share >= 1
                         ? "Every " + noun
                         : fmt::format("In {} of cases {}", percent(share), with_article(noun)),
                     Speaker(names).predicate(equation.body));
}

}  // namespace lerpp
