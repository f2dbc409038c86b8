// SPDX-License-Identifier: Apache-2.0
#include "kg/lines.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>
#include <simdjson.h>

namespace lerpp::formats {

std::string_view without_bom(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string at_line(const std::string& where, std::uint64_t line) {
  return fmt::format("{}, line {}", where, line);
}

std::string at_place(const std::string& where, std::string_view text, std::size_t place) {
  const std::string_view before = text.substr(0, place);
  return at_line(where,
                 static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1);
}

std::optional<std::uint64_t> parse_number(std::string_view digits) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, code] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || code != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

std::string quoted(std::string_view name) {
  constexpr std::size_t longest = 80;
  if (name.size() <= longest) return one_line(fmt::format("'{}'", name));
  std::size_t end = longest;
  // Never cut a UTF-8 sequence in two.
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
  return one_line(fmt::format("'{}…'", name.substr(0, end)));
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  if (simdjson::validate_utf8(text.data(), text.size())) return std::nullopt;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto place = static_cast<std::size_t>(rest.data() - text.data());
    const std::string_view line = take_line(rest);
    if (!simdjson::validate_utf8(line.data(), line.size())) return place;
  }
  return 0;
}

Error invalid_utf8(std::string where) {
  return {"the line is not valid UTF-8", std::move(where), "save the file as UTF-8"};
}

Result<void> check_utf8(std::string_view text, const std::string& where) {
  const auto place = find_invalid_utf8(text);
  if (!place) return {};
  return tl::unexpected(invalid_utf8(at_place(where, text, *place)));
}

}  // namespace lerpp::formats
