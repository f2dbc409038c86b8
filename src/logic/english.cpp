#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <lerp/base/text.hpp>
#include <lerp/logic/english.hpp>

namespace lerpp {
namespace {

using Kind = Formula::Kind;

/// The last piece of a path or an IRI, its words apart: /people/person/place_of_birth is "place of
/// birth".
std::string words(std::string_view name) {
  while (!name.empty() && (name.back() == '/' || name.back() == '#')) name.remove_suffix(1);
  const std::size_t cut = name.find_last_of("/#");
  std::string text(cut == std::string_view::npos ? name : name.substr(cut + 1));
  std::ranges::replace(text, '_', ' ');
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? std::string(name) : text.substr(first);
}

/// Whole names that the rules below would not read well.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> set_phrases = {
    {{"isa", "is a"},
     {"part of", "is part of"},
     {"made of", "is made of"},
     {"capable of", "is capable of"}}};
constexpr auto auxiliaries = std::to_array<std::string_view>({"has", "is", "was", "can"});
constexpr auto prepositions = std::to_array<std::string_view>(
    {"about", "after", "at", "before", "by", "for", "from", "in", "into", "of", "on", "onto", "out",
     "over", "than", "to", "under", "with"});

bool among(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// "affects" and "interacts", but not "process", "status", "analysis".
bool third_person(std::string_view word) {
  if (word.size() < 4 || word.back() != 's') return false;
  return std::string_view("sui").find(word[word.size() - 2]) == std::string_view::npos;
}

/// What stands between the two ends where a relation is read as a verb: "lives in", "is part of",
/// "is the location of". None where it is a noun.
std::optional<std::string> verb(std::string_view name, const std::string& text) {
  for (const auto& [phrase, reading] : set_phrases) {
    if (text == phrase) return std::string(reading);
  }
  const std::size_t space = text.find(' ');
  const std::string first = text.substr(0, space);
  if (among(auxiliaries, first)) return text;
  // Freebase's paths end in properties: its /music/genre/artists are a noun.
  const bool acts = third_person(first) && !name.starts_with('/');
  if (space == std::string::npos) return acts ? std::optional(text) : std::nullopt;
  const std::size_t cut = text.rfind(' ');
  const std::string_view last = std::string_view(text).substr(cut + 1);
  if (!among(prepositions, last)) return std::nullopt;
  if (acts) return text;
  const bool noun = last == "of" && !std::string_view(text).substr(0, cut).ends_with("ed");
  return (noun ? "is the " : "is ") + text;
}

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
    if (!formula.is(Kind::conjunction)) {
      out.push_back(say(formula, variable));
      return;
    }
    for (const Formula& part : formula.parts()) out.push_back(say(part, variable));
  }

  std::string say(const Formula& formula, const std::string& variable) {
    switch (formula.kind()) {
      case Kind::truth:
        return variable + " is anything";
      case Kind::falsity:
        return variable + " is nothing";
      case Kind::constant:
        return atom(formula.op(), variable, entity(formula));
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

  std::string atom(OperatorId op, const std::string& from, const std::string& to) const {
    const Reading reading = read(op);
    const std::string& left = reading.left(from, to);
    const std::string& right = reading.right(from, to);
    if (reading.verb) return fmt::format("{} {} {}", left, *reading.verb, right);
    return fmt::format("{} is {} of {}", left, with_article(reading.noun), right);
  }

  std::string head(OperatorId op) const {
    const Reading reading = read(op);
    if (reading.verb) return atom(op, "x", "y");
    return fmt::format("{} is {}'s {}", reading.left("x", "y"), reading.right("x", "y"),
                       reading.noun);
  }

 private:
  struct Reading {
    std::optional<std::string> verb;
    std::string noun;
    bool turned;  ///< what the operator leads to is named first
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
    const std::string_view name = names_.relations.name(op % relations);
    reading.noun = words(name);
    reading.verb = verb(name, reading.noun);
    reading.turned = (op >= relations) != (!reading.verb && noun_ == NounOf::object);
    return reading;
  }

  std::string entity(const Formula& formula) const {
    return std::string(names_.entities.name(formula.entity()));
  }

  std::string deny(const Formula& formula, const std::string& variable) {
    if (formula.is(Kind::exists)) return exists(formula, variable, false);
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
    if (!reading.verb && reading.turned) {
      const std::string what = holds ? with_article(reading.noun) : "no " + reading.noun;
      return fmt::format("{} has {}{}{}{}", variable, what, plain ? "" : " ", found, such);
    }
    if (!reading.verb) {
      const std::string of =
          plain ? (holds ? "something" : "anything") : (holds ? "some " : "any ") + found;
      return fmt::format("{} is {}{} of {}{}", variable, holds ? "" : "not ",
                         with_article(reading.noun), of, such);
    }
    const std::string other =
        plain ? (holds ? "something" : "nothing") : (holds ? "some " : "no ") + found;
    return fmt::format("{} {} {}{}", reading.left(variable, other), *reading.verb,
                       reading.right(variable, other), such);
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
