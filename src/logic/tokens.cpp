// SPDX-License-Identifier: Apache-2.0
#include "logic/tokens.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "kg/readable.hpp"

namespace lerpp {
namespace {

constexpr std::string_view blanks = " \t\r\n";

// The longer of two that start alike comes first.
constexpr std::array<std::pair<std::string_view, TokenKind>, 14> symbols = {{
    {"(", TokenKind::open},
    {")", TokenKind::close},
    {",", TokenKind::comma},
    {"=>", TokenKind::implies},
    {"=", TokenKind::equals},
    {"&", TokenKind::conjunction},
    {"|", TokenKind::disjunction},
    {"!", TokenKind::negation},
    {"~", TokenKind::negation},
    {"∧", TokenKind::conjunction},
    {"∨", TokenKind::disjunction},
    {"¬", TokenKind::negation},
    {"∃", TokenKind::exists},
    {"⇒", TokenKind::implies},
}};

bool looks_like_variable(std::string_view name) {
  return !name.empty() && name[0] >= 'a' && name[0] <= 'z' &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

/// The length of the character in front, where it can be part of a bare name, else 0.
std::size_t bare_length(std::string_view text) {
  const char first = text[0];
  if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
      (first >= '0' && first <= '9')) {
    return 1;
  }
  if (static_cast<unsigned char>(first) < 0x80) {
    return std::string_view("_-+./:#@%$*?'").find(first) == std::string_view::npos ? 0 : 1;
  }
  // Letters of all scripts, but no blanks, symbols or punctuation that could be taken for ours:
  // U+0080 to U+00BF, U+2000 to U+2BFF, U+3000 to U+303F and U+FEFF are left out.
  const std::size_t length = utf8_length(text);
  if (length == 0 || first == '\xC2') return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  if ((first == '\xE2' && second < 0xB0) || (first == '\xE3' && second == 0x80)) return 0;
  return text.substr(0, 3) == "\xEF\xBB\xBF" ? 0 : length;
}

bool is_bare(std::string_view name) {
  if (name.empty()) return false;
  while (!name.empty()) {
    const std::size_t length = bare_length(name);
    if (length == 0) return false;
    name.remove_prefix(length);
  }
  return true;
}

void write_escaped(std::string_view name, std::string& out) {
  while (!name.empty()) {
    const auto first = static_cast<unsigned char>(name[0]);
    const std::size_t length = utf8_length(name);
    if (length == 0 || first < 0x20 || first == 0x7F) {
      constexpr std::string_view digits = "0123456789abcdef";
      out += "\\x";
      out += digits[first / 16];
      out += digits[first % 16];
    } else {
      if (first == '"' || first == '\\') out += '\\';
      out += name.substr(0, length);
    }
    name.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

tl::unexpected<Error> bad_escape(std::string_view text, std::size_t at) {
  return fail("an escape that is not known", column(text, at),
              "write \\\", \\\\ or \\x and two digits");
}

Result<Token> read_quoted(std::string_view text, std::size_t start) {
  Token token = {TokenKind::quoted, "", start, start + 1};
  std::size_t& at = token.past;
  while (at < text.size() && text[at] != '"') {
    if (text[at] != '\\') {
      token.text += text[at++];
      continue;
    }
    const std::string_view escape = text.substr(at + 1, 3);
    if (escape.substr(0, 1) == "\"" || escape.substr(0, 1) == "\\") {
      token.text += escape[0];
      at += 2;
      continue;
    }
    unsigned value = 0;
    if (escape.size() < 3 || escape[0] != 'x') return bad_escape(text, at);
    const auto read = std::from_chars(escape.data() + 1, escape.data() + 3, value, 16);
    if (read.ptr != escape.data() + 3) return bad_escape(text, at);
    token.text += static_cast<char>(value);
    at += 4;
  }
  if (at == text.size()) {
    return fail("a quotation mark that is not closed", column(text, start),
                "close it, or write \\\" for one in a name");
  }
  ++at;
  return token;
}

}  // namespace

bool Token::is_variable() const {
  return is(TokenKind::name) && looks_like_variable(text);
}

std::string column(std::string_view text, std::size_t at) {
  const auto starts = std::ranges::count_if(
      text.substr(0, at), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return "column " + std::to_string(starts + 1);
}

Result<Token> read_token(std::string_view text, std::size_t at) {
  at = std::min(text.find_first_not_of(blanks, at), text.size());
  const std::string_view rest = text.substr(at);
  if (rest.empty()) return Token{TokenKind::end, "", at, at};
  for (const auto& [symbol, kind] : symbols) {
    if (rest.substr(0, symbol.size()) == symbol) return Token{kind, "", at, at + symbol.size()};
  }
  if (rest[0] == '"') return read_quoted(text, at);
  std::size_t length = 0;
  while (length < rest.size()) {
    const std::size_t next = bare_length(rest.substr(length));
    if (next == 0) break;
    length += next;
  }
  if (length == 0) {
    return fail("a character that has no meaning here", column(text, at),
                "put names with unusual characters in quotation marks");
  }
  const std::string_view name = rest.substr(0, length);
  return Token{name == "exists" ? TokenKind::exists : TokenKind::name, std::string(name), at,
               at + length};
}

void write_name(std::string_view name, NamePlace place, std::string& out) {
  const bool taken = name == "exists" || name == "true" || name == "false" ||
                     (place == NamePlace::argument && looks_like_variable(name));
  if (is_bare(name) && !taken) {
    out += name;
    return;
  }
  out += '"';
  write_escaped(name, out);
  out += '"';
}

}  // namespace lerpp
