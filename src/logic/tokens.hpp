// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <lerp/base/error.hpp>

namespace lerpp {

enum class TokenKind : std::uint8_t {
  name,    ///< bare
  quoted,  ///< a name in quotation marks
  open,
  close,
  comma,
  equals,
  conjunction,
  disjunction,
  negation,
  exists,
  implies,
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;      ///< of a name, without quotation marks and escapes
  std::size_t at = 0;    ///< the byte where it starts
  std::size_t past = 0;  ///< the byte after it

  bool is(TokenKind kind_) const { return kind == kind_; }
  bool is_name() const { return is(TokenKind::name) || is(TokenKind::quoted); }
  /// One small letter, perhaps with digits after it.
  bool is_variable() const;
};

/// The token that starts at a byte of a rule, or behind blanks there.
Result<Token> read_token(std::string_view text, std::size_t at);

/// "column 12", counted in characters from 1.
std::string column(std::string_view text, std::size_t at);

enum class NamePlace { relation, argument };
/// Adds a name as read_token reads it, in quotation marks only where it needs them.
void write_name(std::string_view name, NamePlace place, std::string& out);

}  // namespace lerpp
