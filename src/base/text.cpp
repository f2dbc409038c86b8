// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <lerp/base/text.hpp>

namespace lerpp {

std::string thousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3;) digits.insert(place -= 3, 1, ',');
  return digits;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::max(0.0, std::round(seconds)));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string with_article(std::string_view noun) {
  const bool vowel =
      !noun.empty() && std::string_view("aeiouAEIOU").find(noun[0]) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

std::string alternatives(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = row[0]++;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t changed = corner + (a[i] == b[k] ? 0 : 1);
      corner = row[k + 1];
      row[k + 1] = std::min({changed, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row.back();
}

std::string_view nearest_word(std::string_view word, std::span<const std::string> words) {
  std::string_view best;
  // Two letters that changed places are two changes.
  std::size_t least = std::min(word.size(), std::max<std::size_t>(2, word.size() / 3) + 1);
  for (const std::string& known : words) {
    const std::size_t distance = edit_distance(word, known);
    // A word of which the beginning was typed is near, however much is missing.
    const bool begun = word.size() >= 3 && std::string_view(known).starts_with(word);
    if (distance >= least && !(begun && best.empty())) continue;
    best = known;
    least = std::min(least, distance);
  }
  return best;
}

namespace {

/// The characters that turn the direction of what follows, so that a line reads as another: U+200E,
/// U+200F, U+202A to U+202E, U+2066 to U+2069. 0 where a text begins with none.
unsigned turning_mark(std::string_view text) {
  if (!text.starts_with("\xE2\x80") && !text.starts_with("\xE2\x81")) return 0;
  if (text.size() < 3) return 0;
  const unsigned mark = 0x2000U + (static_cast<unsigned char>(text[1]) - 0x80U) * 64U +
                        (static_cast<unsigned char>(text[2]) & 0x3FU);
  const bool turns = mark == 0x200E || mark == 0x200F || (mark >= 0x202A && mark <= 0x202E) ||
                     (mark >= 0x2066 && mark <= 0x2069);
  return turns ? mark : 0;
}

/// Control characters of one byte, those that UTF-8 spells as C2 80 to C2 9F, and turning marks.
std::string escape_controls(std::string_view text, std::string_view kept) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      result += fmt::format("\\x{:02X}", next);
      ++i;
    } else if (const unsigned mark = turning_mark(text.substr(i)); mark != 0) {
      result += fmt::format("\\u{:04X}", mark);
      i += 2;
    } else if ((byte >= 0x20 && byte != 0x7F) || kept.find(text[i]) != std::string_view::npos) {
      result += text[i];
    } else if (text[i] == '\n') {
      result += "\\n";
    } else if (text[i] == '\t') {
      result += "\\t";
    } else if (text[i] == '\r') {
      result += "\\r";
    } else {
      result += fmt::format("\\x{:02X}", byte);
    }
  }
  return result;
}

}  // namespace

std::string visible(std::string_view text) {
  return escape_controls(text, "");
}

std::string visible_lines(std::string_view text) {
  return escape_controls(text, "\n\t");
}

Result<std::uint64_t> parse_size(std::string_view text) {
  const auto wrong = [&] {
    return fail(fmt::format("'{}' is no size", text), "", "give one such as 500M, 64G or 1T",
                ErrorKind::usage);
  };
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number > 0 && number < 1e18)) return wrong();
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.ends_with('B')) unit.remove_suffix(1);
  if (unit.ends_with('i')) unit.remove_suffix(1);
  constexpr std::string_view units = "KMGT";
  double bytes = number;
  if (!unit.empty()) {
    const char letter = unit.front() == 'k' ? 'K' : unit.front();
    const std::size_t power = units.find(letter);
    if (unit.size() != 1 || power == std::string_view::npos) return wrong();
    bytes *= std::pow(1024.0, static_cast<double>(power + 1));
  }
  constexpr double most = 1e18;
  if (bytes < 1 || bytes > most) return wrong();
  return static_cast<std::uint64_t>(bytes);
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> units = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  if (value == std::floor(value)) return fmt::format("{:.0f} {}", value, units[unit]);
  return fmt::format("{:.1f} {}", value, units[unit]);
}

Result<double> parse_duration(std::string_view text) {
  const auto wrong = [&] {
    return fail(fmt::format("'{}' is no time", text), "", "give one such as 90s, 10m or 2h30m",
                ErrorKind::usage);
  };
  if (text.empty()) return wrong();
  double total = 0;
  for (std::string_view rest = text; !rest.empty();) {
    double number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc() || !(number >= 0 && number < 1e9)) return wrong();
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const char unit = rest.empty() ? 's' : rest.front();
    const double seconds = unit == 's' ? 1 : unit == 'm' ? 60 : unit == 'h' ? 3600 : 0;
    if (seconds == 0) return wrong();
    total += number * seconds;
    if (!rest.empty()) rest.remove_prefix(1);
  }
  return total > 0 ? Result<double>(total) : wrong();
}

}  // namespace lerpp
