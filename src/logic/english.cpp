// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/text.hpp>
#include <lerp/logic/english.hpp>

#include "logic/relation_words.hpp"

namespace lerpp {
namespace {

using Kind = Formula::Kind;

/// "a", "a and b", "a, b, and c"
std::string list(const std::vector<std::string>& items, std::string_view word) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && items.size() > 2) text += ',';
    if (i > 0) text += ' ';
    if (i > 0 && i + 1 == items.size()) text += fmt::format("{} ", word);
    text += items[i];
  }
  return text;
}

class Speaker {
 public:
  Speaker(const Names& names, NounOf noun, std::size_t first_free)
      : names_(names), noun_(noun), next_(first_free) {}

  /// What is said of a variable, as conditions to be listed.
  void conditions(const Formula& formula, const std::string& variable,
                  std::vector<std::string>& out) {
    if (formula.is(Kind::truth)) return;
    if (formula.is(Kind::conjunction)) {
      for (const Formula& part : formula.parts()) out.push_back(say(part, variable));
    } else if (formula.is(Kind::negation) && formula.inner().is(Kind::disjunction)) {
      // Neither of them.
      for (const Formula& part : formula.inner().parts()) out.push_back(deny(part, variable));
    } else {
      out.push_back(say(formula, variable));
    }
  }

  std::string say(const Formula& formula, const std::string& variable) {
    switch (formula.kind()) {
      case Kind::truth:
        return variable + " is anything";
      case Kind::falsity:
        return variable + " is nothing";
      case Kind::constant:
        return constant(formula, variable, true);
      case Kind::exists:
        return exists(formula, variable, true);
      case Kind::negation:
        return deny(formula.inner(), variable);
      case Kind::conjunction:
      case Kind::disjunction: {
        std::vector<std::string> parts;
        for (const Formula& part : formula.parts()) parts.push_back(say(part, variable));
        return fmt::format("({})", list(parts, formula.is(Kind::conjunction) ? "and" : "or"));
      }
    }
    return {};
  }

  std::string atom(OperatorId op, const std::string& from, const std::string& to,
                   bool holds = true) const {
    const Reading reading = read(op);
    const std::string& left = reading.left(from, to);
    const std::string& right = reading.right(from, to);
    if (reading.words.is_noun())
      return fmt::format("{} {} {} of {}", left, holds ? "is" : "is not", one(reading), right);
    return fmt::format("{} {} {}", left, verb(reading, holds), right);
  }

  std::string head(OperatorId op) const {
    const Reading reading = read(op);
    if (!reading.words.is_noun()) return atom(op, "x", "y");
    return fmt::format("{} is {}{}'s {}", reading.left("x", "y"),
                       reading.words.kind == RelationWords::Kind::plural ? "one of " : "",
                       reading.right("x", "y"), reading.words.phrase);
  }

 private:
  struct Reading {
    RelationWords words;
    bool turned = false;  ///< what the operator leads to is named first
    const std::string& left(const std::string& from, const std::string& to) const {
      return turned ? to : from;
    }
    const std::string& right(const std::string& from, const std::string& to) const {
      return turned ? from : to;
    }
  };

  Reading read(OperatorId op) const {
    const RelationId relations = names_.relations.size();
    Reading reading;
    reading.words = words_of(names_.relations.name(op % relations), noun_);
    reading.turned = (op >= relations) != (reading.words.is_noun() && reading.words.of_object);
    return reading;
  }

  /// "a sister", "one of the artists".
  static std::string one(const Reading& reading) {
    return reading.words.kind == RelationWords::Kind::plural ? "one of the " + reading.words.phrase
                                                             : with_article(reading.words.phrase);
  }

  static std::string verb(const Reading& reading, bool holds) {
    return holds ? reading.words.phrase : negated(reading.words.phrase);
  }

  std::string constant(const Formula& formula, const std::string& variable, bool holds) const {
    const std::string name(names_.entities.name(formula.entity()));
    const Reading reading = read(formula.op());
    if (reading.words.kind == RelationWords::Kind::kind_of && !reading.turned)
      return fmt::format("{} {} {}", variable, holds ? "is" : "is not", with_article(name));
    return atom(formula.op(), variable, name, holds);
  }

  std::string deny(const Formula& formula, const std::string& variable) {
    switch (formula.kind()) {
      case Kind::exists:
        return exists(formula, variable, false);
      case Kind::constant:
        return constant(formula, variable, false);
      case Kind::negation:
        return say(formula.inner(), variable);
      case Kind::disjunction: {
        std::vector<std::string> parts;
        for (const Formula& part : formula.parts()) parts.push_back(deny(part, variable));
        return fmt::format("({})", list(parts, "and"));
      }
      case Kind::truth:
      case Kind::falsity:
      case Kind::conjunction:
        break;
    }
    return "it is not so that " + say(formula, variable);
  }

  /// "x has a sister", "x is a sister of something", and their denials.
  std::string exists(const Formula& formula, const std::string& variable, bool holds) {
    const Reading reading = read(formula.op());
    const bool plain = formula.inner().is(Kind::truth);
    const std::string found = plain ? "" : fmt::format("z{}", next_++);
    std::string such;
    if (!plain) {
      std::vector<std::string> inner;
      conditions(formula.inner(), found, inner);
      such = fmt::format(" such that {}", list(inner, "and"));
    }
    const auto some = [&](std::string_view alone, std::string_view with) {
      return plain ? std::string(alone) : fmt::format("{} {}", with, found);
    };
    // What is denied of all stands before the verb as "nothing", and behind it as "anything".
    const std::string after = holds ? some("something", "some") : some("anything", "any");
    if (!reading.words.is_noun()) {
      if (!reading.turned)
        return fmt::format("{} {} {}{}", variable, verb(reading, holds), after, such);
      const std::string before = holds ? some("something", "some") : some("nothing", "no");
      return fmt::format("{} {} {}{}", before, reading.words.phrase, variable, such);
    }
    if (!reading.turned) {
      return fmt::format("{} {} {} of {}{}", variable, holds ? "is" : "is not", one(reading), after,
                         such);
    }
    const std::string& noun = reading.words.phrase;
    const bool plural = reading.words.kind == RelationWords::Kind::plural;
    const std::string what = !holds ? "no " + noun : plural ? noun : with_article(noun);
    return fmt::format("{} has {}{}{}{}", variable, what, plain ? "" : " ", found, such);
  }

  const Names& names_;
  NounOf noun_;
  std::size_t next_;
};

}  // namespace

std::string to_english(const Rule& rule, const Names& names, NounOf noun) {
  const std::size_t last = rule.constraints().size() - 1;
  Speaker speaker(names, noun, std::max<std::size_t>(rule.hops().size(), 1));
  const auto variable = [&](std::size_t k) -> std::string {
    if (k == 0) return "x";
    return k == last ? "y" : fmt::format("z{}", k);
  };
  std::vector<std::string> conditions;
  for (std::size_t k = 0; k < rule.hops().size(); ++k) {
    // A variable on the way is new where the chain first comes to it.
    const std::string to = (k + 1 < last ? "some " : "") + variable(k + 1);
    conditions.push_back(speaker.atom(rule.hops()[k], variable(k), to));
  }
  if (last == 0) conditions.emplace_back("x and y are the same");
  for (std::size_t k = 0; k <= last; ++k) {
    speaker.conditions(rule.constraints()[k], variable(k), conditions);
  }
  const std::string head = speaker.head(rule.target());
  if (conditions.empty()) return head + " always";
  return fmt::format("{} if {}", head, list(conditions, "and"));
}

std::string to_english(const Formula& formula, const Names& names, NounOf noun) {
  Speaker speaker(names, noun, 1);
  std::vector<std::string> conditions;
  speaker.conditions(formula, "x", conditions);
  return conditions.empty() ? speaker.say(formula, "x") : list(conditions, "and");
}

}  // namespace lerpp
