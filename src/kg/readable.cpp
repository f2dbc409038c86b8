// SPDX-License-Identifier: Apache-2.0
#include "kg/readable.hpp"

#include <algorithm>
#include <cstdint>

namespace lerpp {
namespace {

unsigned byte(std::string_view text, std::size_t place) {
  return static_cast<unsigned char>(text[place]);
}

bool is_control(char character) {
  const auto value = static_cast<unsigned char>(character);
  return value < 0x20 || value == 0x7F;
}

}  // namespace

// The bounds of the second byte refuse overlong forms, surrogates and what lies beyond U+10FFFF.
std::size_t utf8_length(std::string_view text) {
  const unsigned first = byte(text, 0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  }
  if (length == 0 || text.size() < length) return 0;
  if (byte(text, 1) < low || byte(text, 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(text, i) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string readable(std::string_view text) {
  text = trim(text);
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      result += "\xEF\xBF\xBD";
    } else if (is_control(text.front())) {
      result += ' ';
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

}  // namespace lerpp
