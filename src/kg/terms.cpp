// SPDX-License-Identifier: Apache-2.0
#include "kg/terms.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <simdjson.h>

namespace lerpp::formats {
namespace {

constexpr std::string_view own_scheme = "urn:lerp:";
constexpr std::string_view xsd_string = "http://www.w3.org/2001/XMLSchema#string";
constexpr std::string_view skos_label = "http://www.w3.org/2004/02/skos/core#prefLabel";

bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_label_character(char c) {
  return is_alpha(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// False where the code point is none: a surrogate, or beyond Unicode.
bool append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | code >> 6U);
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    if (code >= 0xD800 && code < 0xE000) return false;
    put(0xE0U | code >> 12U);
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    if (code > 0x10FFFF) return false;
    put(0xF0U | code >> 18U);
    put(0x80U | (code >> 12U & 0x3FU));
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
  return true;
}

/// Decodes \u and \U, and in literals the escapes of one character. False where one is wrong.
bool unescape(std::string_view text, bool literal, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size()) return false;
    const char mark = text[i];
    if (mark == 'u' || mark == 'U') {
      const std::size_t digits = mark == 'u' ? 4 : 8;
      if (text.size() - i <= digits) return false;
      std::uint32_t code = 0;
      for (std::size_t d = 0; d < digits; ++d) {
        const int value = hex_value(text[++i]);
        if (value < 0) return false;
        code = code << 4U | static_cast<std::uint32_t>(value);
      }
      if (!append_utf8(code, out)) return false;
      continue;
    }
    constexpr std::string_view marks = "tbnrf\"'\\";
    constexpr std::string_view meant = "\t\b\n\r\f\"'\\";
    const std::size_t which = marks.find(mark);
    if (!literal || which == std::string_view::npos) return false;
    out += meant[which];
  }
  return true;
}

/// The escapes of the canonical spelling. It never holds a tab or a line end.
void escape(std::string_view value, std::string& out) {
  constexpr std::string_view meant = "\t\b\n\r\f\"\\";
  constexpr std::string_view marks = "tbnrf\"\\";
  for (const char c : value) {
    const std::size_t which = meant.find(c);
    if (which == std::string_view::npos) {
      out += c;
    } else {
      out += '\\';
      out += marks[which];
    }
  }
}

Term bad(std::string_view problem) {
  Term term;
  term.problem = problem;
  return term;
}

/// Takes `<iri>` off the front; the characters between the brackets, unescaped.
Term take_iri(std::string_view& rest, Scratch& scratch) {
  const std::size_t end = rest.find('>');
  if (end == std::string_view::npos) return bad("an IRI is not closed by '>'");
  std::string_view iri = rest.substr(1, end - 1);
  const auto forbidden = [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || c == '<' || c == '"';
  };
  if (std::any_of(iri.begin(), iri.end(), forbidden)) {
    return bad("an IRI holds a blank, a quote or '<'");
  }
  if (iri.find('\\') != std::string_view::npos) {
    std::string& plain = scratch.next();
    if (!unescape(iri, false, plain)) return bad("an IRI holds a wrong escape");
    iri = plain;
  }
  rest.remove_prefix(end + 1);
  Term term;
  term.kind = TermKind::iri;
  term.iri = iri;
  term.name = iri;
  return term;
}

/// Where the closing quote of a literal stands, or npos.
std::size_t closing_quote(std::string_view rest) {
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '\\') {
      ++i;
    } else if (rest[i] == '"') {
      return i;
    }
  }
  return std::string_view::npos;
}

std::string_view take_language(std::string_view& rest) {
  std::size_t end = 1;
  while (end < rest.size() && (is_alpha(rest[end]) || is_digit(rest[end]) || rest[end] == '-')) {
    ++end;
  }
  const std::string_view language = rest.substr(1, end - 1);
  rest.remove_prefix(end);
  return language;
}

Term take_literal(std::string_view& rest, Scratch& scratch) {
  const std::string_view whole = rest;
  const std::size_t end = closing_quote(rest);
  if (end == std::string_view::npos) return bad("a literal is not closed by '\"'");
  Term term;
  term.kind = TermKind::literal;
  term.value = rest.substr(1, end - 1);
  const bool plain = term.value.find_first_of("\\\t\b\r\f") == std::string_view::npos;
  if (!plain) {
    std::string& value = scratch.next();
    if (!unescape(term.value, true, value)) return bad("a literal holds a wrong escape");
    term.value = value;
  }
  rest.remove_prefix(end + 1);
  std::string_view datatype;
  if (rest.starts_with('@')) {
    term.language = take_language(rest);
    if (term.language.empty() || !is_alpha(term.language.front())) {
      return bad("a literal has no language after '@'");
    }
  } else if (rest.starts_with("^^")) {
    rest.remove_prefix(2);
    if (!rest.starts_with('<')) return bad("a literal has no datatype after '^^'");
    const Term type = take_iri(rest, scratch);
    if (type.kind == TermKind::bad) return type;
    datatype = type.iri;
  }
  const std::string_view spelling = whole.substr(0, whole.size() - rest.size());
  const bool canonical =
      plain && datatype != xsd_string && spelling.find('\\') == std::string_view::npos;
  term.name = canonical ? spelling : literal_name(term.value, term.language, datatype, scratch);
  return term;
}

/// Decodes %XX. False where an escape is wrong or the result is no UTF-8.
bool percent_decode(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (text.size() - i < 3) return false;
    const int high = hex_value(text[i + 1]);
    const int low = hex_value(text[i + 2]);
    if (high < 0 || low < 0) return false;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return simdjson::validate_utf8(out.data(), out.size());
}

bool is_absolute_iri(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos || colon == 0 || !is_alpha(name.front())) return false;
  const std::string_view scheme = name.substr(0, colon);
  const auto scheme_character = [](char c) {
    return is_alpha(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
  };
  const auto forbidden = [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 ||
           std::string_view("<>\"{}|^`\\\x7F").find(c) != std::string_view::npos;
  };
  return std::all_of(scheme.begin(), scheme.end(), scheme_character) &&
         std::none_of(name.begin(), name.end(), forbidden) && !name.starts_with(own_scheme);
}

}  // namespace

std::string_view iri_name(std::string_view iri, Scratch& scratch) {
  if (!iri.starts_with(own_scheme)) return iri;
  std::string& name = scratch.next();
  // What we did not write ourselves stays as it is.
  return percent_decode(iri.substr(own_scheme.size()), name) ? std::string_view(name) : iri;
}

std::string_view literal_name(std::string_view value, std::string_view language,
                              std::string_view datatype, Scratch& scratch) {
  std::string& name = scratch.next();
  name = '"';
  escape(value, name);
  name += '"';
  if (!language.empty()) {
    name += '@';
    name += language;
  } else if (!datatype.empty() && datatype != xsd_string) {
    name += "^^<";
    name += datatype;
    name += '>';
  }
  return name;
}

Term take_term(std::string_view& rest, Scratch& scratch) {
  if (rest.starts_with('<')) {
    Term term = take_iri(rest, scratch);
    if (term.kind == TermKind::iri) term.name = iri_name(term.iri, scratch);
    return term;
  }
  if (rest.starts_with('"')) return take_literal(rest, scratch);
  if (!rest.starts_with("_:")) return bad("a term is no IRI, blank node or literal");
  std::size_t end = 2;
  while (end < rest.size() && is_label_character(rest[end])) ++end;
  // A full stop at the end closes the statement.
  while (end > 2 && rest[end - 1] == '.') --end;
  if (end == 2) return bad("a blank node has no label");
  Term term;
  term.kind = TermKind::blank;
  term.name = rest.substr(0, end);
  rest.remove_prefix(end);
  return term;
}

bool is_label(std::string_view iri) {
  return iri == rdfs_label || iri == skos_label;
}

Label make_label(std::string_view name, std::string_view value, std::string_view language) {
  const bool preferred = language.empty() || language == "en" || language.starts_with("en-");
  return {std::string(name), std::string(value), preferred};
}

void write_literal(std::string_view value, std::string& out) {
  out += '"';
  escape(value, out);
  out += '"';
}

void write_term(std::string_view name, TermPlace place, std::string& out) {
  // A relation called like rdfs:label is encoded too: it would be read as a text.
  if (is_absolute_iri(name) && !(place == TermPlace::predicate && is_label(name))) {
    out += '<';
    out += name;
    out += '>';
    return;
  }
  const bool blank = name.starts_with("_:") && place != TermPlace::predicate;
  const bool literal = name.starts_with('"') && place == TermPlace::object;
  if (blank || literal) {
    Scratch scratch;
    std::string_view rest = name;
    const Term term = take_term(rest, scratch);
    if (term.kind != TermKind::bad && rest.empty() && term.name == name) {
      out += name;
      return;
    }
  }
  out += '<';
  out += own_scheme;
  for (const char c : name) {
    if (is_alpha(c) || is_digit(c) ||
        std::string_view("-._~/:").find(c) != std::string_view::npos) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  out += '>';
}

}  // namespace lerpp::formats
