// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/logic/rule_text.hpp>

#include "logic/tokens.hpp"

namespace lerpp {

/// A conjunct: something said of one variable or of two.
struct Conjunct {
  enum class Kind { constraint, link, same } kind = Kind::constraint;
  std::string first;   ///< the variable
  std::string second;  ///< of a link (the relation's object) or of "x = y"
  RelationId relation = 0;
  Formula formula;     ///< of a constraint
  std::size_t at = 0;  ///< where it starts in the text

  bool is(Kind kind_) const { return kind == kind_; }
};
using Conjuncts = std::vector<Conjunct>;

/// Recursive descent over the text of a rule:
///
///     rule        [number] body ⇒ atom           body         true | disjunction
///     disjunction conjunction { ∨ conjunction }  conjunction  unary { ∧ unary }
///     unary       ¬ unary | ∃ variable unary | ( disjunction ) | atom
///     atom        relation(argument,argument) | true(variable) | false(variable) | variable =
///     variable
class Parser {
 public:
  /// Begins at a byte of the text; columns in errors count from its start.
  Parser(std::string_view text, const Names& names, std::size_t from = 0)
      : text_(text), names_(names) {
    token_.past = from;
  }

  Result<void> start() { return advance(); }
  /// The weight, where there is one; else 1.
  Result<double> weight();
  /// `true` alone is no conjunct at all.
  Result<Conjuncts> body();
  Result<Conjunct> head();
  Result<void> end();
  /// Several constraints on the same variable made one.
  Result<Conjunct> merge(Conjuncts conjuncts);

  tl::unexpected<Error> error(std::string what, std::size_t at, std::string remedy) const {
    return fail(std::move(what), column(text_, at), std::move(remedy));
  }

 private:
  Result<void> advance();
  Result<void> expect(TokenKind kind, std::string_view symbol);
  Result<Conjuncts> disjunction();
  Result<Conjuncts> conjunction();
  Result<Conjuncts> unary();
  Result<Conjuncts> nested();
  Result<Conjunct> exists();
  Result<Conjunct> bind(const Token& variable, Conjuncts inner);
  Result<Conjunct> atom();
  Result<Conjunct> binary(const Token& name, const Token& left, const Token& right);
  Result<std::string> variable();
  Result<Token> argument();

  std::string_view text_;
  const Names& names_;
  Token token_;  ///< the one to look at
  int nesting_ = 0;
};

/// parse_rule() of what stands behind the first bytes of a text.
Result<Rule> parse_rule_from(std::string_view text, std::size_t from, const Names& names);

}  // namespace lerpp
