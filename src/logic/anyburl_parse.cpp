// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <lerp/logic/anyburl.hpp>

#include "kg/lines.hpp"
#include "logic/anyburl_walk.hpp"

namespace lerpp {
namespace {

constexpr std::string_view arrow = " <=";
constexpr std::string_view myself = "me_myself_i";

/// A variable, an entity, or the old sign for "the same as the other".
struct Argument {
  char variable = 0;  ///< a capital letter
  std::optional<EntityId> entity;
  bool same = false;

  bool is(char name) const { return variable == name; }
};

struct Atom {
  RelationId relation = 0;
  Argument subject;
  Argument object;

  bool has(char variable) const { return subject.is(variable) || object.is(variable); }
};

bool is_variable(std::string_view text) {
  return text.size() == 1 && text[0] >= 'A' && text[0] <= 'Z';
}

std::optional<Argument> read_argument(std::string_view text, const Names& names) {
  Argument result;
  if (is_variable(text)) {
    result.variable = text[0];
  } else if (text == myself && !names.entities.find(text)) {
    result.same = true;
  } else {
    result.entity = names.entities.find(text);
    if (!result.entity) return std::nullopt;
  }
  return result;
}

/// Nothing is escaped, and names may hold commas and parentheses: the split whose parts are all
/// known is the one that was meant.
Result<Atom> read_atom(std::string_view text, const Names& names) {
  if (!text.ends_with(')')) {
    return fail(fmt::format("{} is no atom", formats::quoted(text)), "",
                "write relation(first,second)");
  }
  bool relation_known = false;
  for (std::size_t open = text.find('('); open != std::string_view::npos;
       open = text.find('(', open + 1)) {
    const auto relation = names.relations.find(text.substr(0, open));
    if (!relation) continue;
    relation_known = true;
    const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    for (std::size_t comma = inside.find(','); comma != std::string_view::npos;
         comma = inside.find(',', comma + 1)) {
      const auto subject = read_argument(inside.substr(0, comma), names);
      if (!subject) continue;
      const auto object = read_argument(inside.substr(comma + 1), names);
      if (object) return Atom{*relation, *subject, *object};
    }
  }
  return fail(fmt::format("{} names {} that the data does not have", formats::quoted(text),
                          relation_known ? "an entity" : "a relation"),
              "", "apply the rules to the data that they were learned from");
}

Result<std::vector<Atom>> read_body(std::string_view text, const Names& names) {
  std::vector<Atom> atoms;
  while (!text.empty()) {
    // A name may hold what parts two atoms: then the next place is tried.
    std::size_t end = text.find("), ");
    Result<Atom> atom =
        read_atom(text.substr(0, end == std::string_view::npos ? end : end + 1), names);
    while (!atom && end != std::string_view::npos) {
      end = text.find("), ", end + 1);
      Result<Atom> longer =
          read_atom(text.substr(0, end == std::string_view::npos ? end : end + 1), names);
      if (longer) atom = std::move(longer);
    }
    if (!atom) return forward_error(atom);
    atoms.push_back(*atom);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 3);
  }
  return atoms;
}

tl::unexpected<Error> no_chain(std::string_view what) {
  return fail(std::string(what), "",
              "write a chain: h(X,Y) <= b(X,A), c(A,Y), or h(X,c) <= b(X,A), or h(c,Y) <= b(Y,d)");
}

class Chain {
 public:
  explicit Chain(RelationId relations) : relations_(relations) {}

  Result<AnyburlRule> read(const Atom& head, std::vector<Atom> body) {
    LERP_CHECK(read_head(head));
    if (!body.empty() && !body.front().has(start_)) std::ranges::reverse(body);
    rule_.directed |= body.empty();
    if (body.empty() && !rule_.answer)
      return no_chain("a rule without a body has no entity in its head");
    if (body.size() > most_anyburl_hops) return no_chain("the body is too long");
    char at = start_;
    std::string met(1, start_);
    for (std::size_t k = 0; k < body.size(); ++k) {
      if (at == 0 || !body[k].has(at)) return no_chain("the body is no chain");
      const bool forwards = body[k].subject.is(at);
      rule_.hops.push_back(forwards ? body[k].relation : body[k].relation + relations_);
      const Argument& next = forwards ? body[k].object : body[k].subject;
      const bool last = k + 1 == body.size();
      if (last && rule_.leads_to_answer()) {
        if (!next.is(goal_)) return no_chain("the body does not lead from X to Y");
      } else if (last && next.entity) {
        rule_.end = next.entity;
      } else if (next.variable == 0 || next.is(goal_) ||
                 met.find(next.variable) != std::string::npos) {
        return no_chain("the body is no chain");
      }
      at = next.variable;
      met += at;
    }
    return std::move(rule_);
  }

 private:
  Result<void> read_head(const Atom& head) {
    const bool forwards = head.subject.variable != 0;
    const Argument& from = forwards ? head.subject : head.object;
    const Argument& to = forwards ? head.object : head.subject;
    if (from.variable == 0) return no_chain("the head has no variable");
    start_ = from.variable;
    rule_.target = forwards ? head.relation : head.relation + relations_;
    rule_.answer = to.entity;
    rule_.same = to.same || to.is(start_);
    rule_.directed = to.same;
    if (rule_.leads_to_answer()) goal_ = to.variable;
    return {};
  }

  RelationId relations_;
  AnyburlRule rule_;
  char start_ = 0;
  char goal_ = 1;  ///< no variable where the head has one only
};

template <class Number>
bool take_column(std::string_view& line, Number& number) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return false;
  const auto [end, error] = std::from_chars(line.data(), line.data() + tab, number);
  if (error != std::errc() || end != line.data() + tab) return false;
  line.remove_prefix(tab + 1);
  return true;
}

Result<void> read_line(std::string_view line, const Names& names, AnyburlRule& out) {
  std::uint64_t predicted = 0;
  std::uint64_t correct = 0;
  double confidence = 0;
  if (!take_column(line, predicted) || !take_column(line, correct) ||
      !take_column(line, confidence) || !(confidence >= 0 && confidence <= 1) ||
      correct > predicted) {
    return fail("the line does not begin with its figures", "",
                "write predicted, correct, confidence and rule, separated by tabs");
  }
  LERP_TRY(parsed, parse_anyburl_rule(line, names));
  out = std::move(parsed);
  out.predicted = predicted;
  out.correct = correct;
  out.confidence = confidence;
  return {};
}

}  // namespace

Result<AnyburlRule> parse_anyburl_rule(std::string_view text, const Names& names) {
  const std::size_t at = text.find(arrow);
  if (at == std::string_view::npos) return no_chain("the rule has no <=");
  std::string_view body = text.substr(at + arrow.size());
  body.remove_prefix(std::min(body.size(), body.find_first_not_of(' ')));
  LERP_TRY(head, read_atom(text.substr(0, at), names));
  LERP_TRY(atoms, read_body(body, names));
  return Chain(names.relations.size()).read(head, std::move(atoms));
}

Result<std::vector<AnyburlRule>> parse_anyburl(std::string_view text, const Names& names,
                                               const std::string& where) {
  std::vector<AnyburlRule> rules;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = formats::take_line(text);
    if (line.empty()) continue;
    if (Result<void> read = read_line(line, names, rules.emplace_back()); !read) {
      read.error().where = formats::at_line(where, number);
      return forward_error(read);
    }
  }
  return rules;
}

bool looks_like_anyburl(std::string_view text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of("\r\n")));
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.find('\t') != std::string_view::npos && line.find(arrow) != std::string_view::npos;
}

}  // namespace lerpp
