// SPDX-License-Identifier: Apache-2.0
#include "logic/parser.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace lerpp {
namespace {

std::string shown(std::string_view name) {
  std::string text;
  write_name(name, NamePlace::relation, text);
  return text;
}

}  // namespace

Result<void> Parser::advance() {
  LERP_TRY(next, read_token(text_, token_.past));
  token_ = std::move(next);
  return {};
}

Result<void> Parser::expect(TokenKind kind, std::string_view symbol) {
  if (token_.is(kind)) return advance();
  return error("no " + std::string(symbol) + " where one should stand", token_.at,
               "see docs/logic.md for how rules are written");
}

Result<double> Parser::weight() {
  double value = 1;
  const std::string& name = token_.text;
  const char* last = name.data() + name.size();
  const auto read = std::from_chars(name.data(), last, value);
  const bool apart = token_.past < text_.size() &&
                     std::string_view(" \t").find(text_[token_.past]) != std::string_view::npos;
  if (!token_.is(TokenKind::name) || !apart || read.ptr != last) return 1;
  if (read.ec != std::errc() || !std::isfinite(value)) {
    return error("a weight that is not finite", token_.at, "write a number");
  }
  LERP_CHECK(advance());
  return value;
}

Result<Conjuncts> Parser::body() {
  if (token_.is(TokenKind::name) && token_.text == "true") {
    LERP_TRY(next, read_token(text_, token_.past));
    if (!next.is(TokenKind::open)) {
      LERP_CHECK(advance());
      return Conjuncts();
    }
  }
  return disjunction();
}

Result<Conjunct> Parser::head() {
  LERP_CHECK(expect(TokenKind::implies, "⇒"));
  LERP_TRY(head, atom());
  if (!head.is(Conjunct::Kind::link)) {
    return error("a head that is no relation of two variables", head.at,
                 "write it as brother(x,y)");
  }
  return head;
}

Result<void> Parser::end() {
  if (token_.is(TokenKind::end)) return {};
  return error("something stands after the end", token_.at, "write one rule or formula a line");
}

Result<Conjunct> Parser::merge(Conjuncts conjuncts) {
  const std::string variable = conjuncts.front().first;
  std::vector<Formula> formulas;
  for (const Conjunct& conjunct : conjuncts) {
    if (!conjunct.is(Conjunct::Kind::constraint)) {
      return error(
          "two variables where one is spoken of", conjunct.at,
          "only what is said of one variable can stand in parentheses, after ¬ or beside ∨");
    }
    if (conjunct.first != variable) {
      return error(variable + " and " + conjunct.first + " in what should speak of one variable",
                   conjunct.at,
                   "a constraint is a tree: from each variable to the next by one relation");
    }
    formulas.push_back(conjunct.formula);
  }
  Conjunct merged = std::move(conjuncts.front());
  merged.formula = Formula::conjunction(std::move(formulas));
  return merged;
}

Result<Conjuncts> Parser::disjunction() {
  LERP_TRY(first, conjunction());
  if (!token_.is(TokenKind::disjunction)) return std::move(first);
  LERP_TRY(whole, merge(std::move(first)));
  Conjuncts disjuncts = {std::move(whole)};
  while (token_.is(TokenKind::disjunction)) {
    LERP_CHECK(advance());
    LERP_TRY(next, conjunction());
    LERP_TRY(merged, merge(std::move(next)));
    disjuncts.push_back(std::move(merged));
  }
  std::vector<Formula> formulas;
  for (const Conjunct& disjunct : disjuncts) formulas.push_back(disjunct.formula);
  // Merging checks that all speak of the same variable.
  LERP_TRY(result, merge(std::move(disjuncts)));
  result.formula = Formula::disjunction(std::move(formulas));
  return Conjuncts{std::move(result)};
}

Result<Conjuncts> Parser::conjunction() {
  LERP_TRY(all, unary());
  bool alone = true;
  while (token_.is(TokenKind::conjunction)) {
    // What stood in parentheses is one conjunct among others; alone, it is what it was.
    if (std::exchange(alone, false) && all.size() > 1) {
      LERP_TRY(merged, merge(std::move(all)));
      all = {std::move(merged)};
    }
    LERP_CHECK(advance());
    LERP_TRY(next, unary());
    if (next.size() > 1) {
      LERP_TRY(merged, merge(std::move(next)));
      all.push_back(std::move(merged));
    } else {
      all.push_back(std::move(next.front()));
    }
  }
  return std::move(all);
}

Result<Conjuncts> Parser::unary() {
  if (nesting_ == max_nesting) {
    return error("nested deeper than " + std::to_string(max_nesting), token_.at,
                 "write a simpler formula");
  }
  // Errors end the parse, so that the count need not be set back for them.
  ++nesting_;
  LERP_TRY(result, nested());
  --nesting_;
  return std::move(result);
}

Result<Conjuncts> Parser::nested() {
  const std::size_t at = token_.at;
  if (token_.is(TokenKind::open)) {
    LERP_CHECK(advance());
    LERP_TRY(inner, disjunction());
    LERP_CHECK(expect(TokenKind::close, ")"));
    return std::move(inner);
  }
  Conjunct one;
  if (token_.is(TokenKind::negation)) {
    LERP_CHECK(advance());
    LERP_TRY(parts, unary());
    LERP_TRY(inner, merge(std::move(parts)));
    one = std::move(inner);
    one.formula = Formula::negation(one.formula);
  } else if (token_.is(TokenKind::exists)) {
    LERP_TRY(found, exists());
    one = std::move(found);
  } else {
    LERP_TRY(found, atom());
    one = std::move(found);
  }
  one.at = at;
  return Conjuncts{std::move(one)};
}

Result<Conjunct> Parser::exists() {
  LERP_CHECK(advance());
  const Token bound = token_;
  LERP_CHECK(variable());
  LERP_TRY(inner, unary());
  return bind(bound, std::move(inner));
}

Result<Conjunct> Parser::bind(const Token& bound, Conjuncts inner) {
  const auto links = [&](const Conjunct& conjunct) { return conjunct.is(Conjunct::Kind::link); };
  const auto link = std::ranges::find_if(inner, links);
  if (link == inner.end() || std::ranges::count_if(inner, links) > 1 ||
      (link->first == bound.text) == (link->second == bound.text)) {
    return error("∃" + bound.text + " that is not tied to one other variable", bound.at,
                 "tie it by one relation, as in ∃z sister(z,x)");
  }
  Conjunct result;
  const bool forwards = link->second == bound.text;
  result.first = forwards ? link->first : link->second;
  const OperatorId op = forwards ? link->relation : link->relation + names_.relations.size();
  inner.erase(link);
  if (inner.empty()) {
    result.formula = Formula::exists(op);
    return result;
  }
  LERP_TRY(rest, merge(std::move(inner)));
  if (rest.first != bound.text) {
    return error("a part that does not speak of " + bound.text, rest.at,
                 "a constraint is a tree: write what is said of another variable apart");
  }
  result.formula = Formula::exists(op, rest.formula);
  return result;
}

Result<std::string> Parser::variable() {
  if (!token_.is_variable()) {
    return error("something else where a variable should stand", token_.at,
                 "variables are one small letter, perhaps with a number: x, z1");
  }
  std::string name = token_.text;
  LERP_CHECK(advance());
  return name;
}

Result<Token> Parser::argument() {
  if (!token_.is_name()) {
    return error("something else where a variable or an entity should stand", token_.at,
                 "put names with unusual characters in quotation marks");
  }
  Token token = token_;
  LERP_CHECK(advance());
  return token;
}

Result<Conjunct> Parser::atom() {
  const Token name = token_;
  if (!name.is_name()) {
    return error("something else where a relation should stand", name.at,
                 "see docs/logic.md for how rules are written");
  }
  LERP_CHECK(advance());
  Conjunct result;
  result.at = name.at;
  if (token_.is(TokenKind::equals) && name.is_variable()) {
    LERP_CHECK(advance());
    LERP_TRY(second, variable());
    result.kind = Conjunct::Kind::same;
    result.first = name.text;
    result.second = second;
    return result;
  }
  LERP_CHECK(expect(TokenKind::open, "("));
  LERP_TRY(left, argument());
  if (token_.is(TokenKind::comma)) {
    LERP_CHECK(advance());
    LERP_TRY(right, argument());
    LERP_CHECK(expect(TokenKind::close, ")"));
    return binary(name, left, right);
  }
  LERP_CHECK(expect(TokenKind::close, ", or )"));
  const bool truth = name.text == "true";
  if (!name.is(TokenKind::name) || (!truth && name.text != "false") || !left.is_variable()) {
    return error("a relation with one argument", name.at,
                 "relations have two; of one variable there are only true(x) and false(x)");
  }
  result.first = left.text;
  result.formula = truth ? Formula::truth() : Formula::falsity();
  return result;
}

Result<Conjunct> Parser::binary(const Token& name, const Token& left, const Token& right) {
  const auto relation = names_.relations.find(name.text);
  if (!relation) {
    return error("a relation that is not known, " + shown(name.text), name.at,
                 "check its spelling against the relations of the data");
  }
  Conjunct result;
  result.at = name.at;
  if (left.is_variable() && right.is_variable()) {
    if (left.text == right.text) {
      return error("a relation of a variable with itself", name.at, "name two variables");
    }
    result.kind = Conjunct::Kind::link;
    result.first = left.text;
    result.second = right.text;
    result.relation = *relation;
    return result;
  }
  if (!left.is_variable() && !right.is_variable()) {
    return error("a relation without a variable", name.at,
                 "variables are one small letter, perhaps with a number: x, z1");
  }
  const Token& named = left.is_variable() ? right : left;
  const auto entity = names_.entities.find(named.text);
  if (!entity) {
    return error("an entity that is not known, " + shown(named.text), named.at,
                 "check its spelling; variables are one small letter, perhaps with a number");
  }
  const OperatorId inverse = left.is_variable() ? 0 : names_.relations.size();
  result.first = left.is_variable() ? left.text : right.text;
  result.formula = Formula::constant(*relation + inverse, *entity);
  return result;
}

}  // namespace lerpp
