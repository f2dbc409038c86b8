// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include <lerp/base/options.hpp>
#include <lerp/base/text.hpp>

namespace lerpp {
namespace {

template <class Number>
Result<void> parse_number(const Field& field, std::string_view text, Number& value) {
  Number parsed = {};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (code == std::errc() && end == text.data() + text.size()) {
    value = parsed;
    return check_field(field, static_cast<double>(value));
  }
  const std::string allowed = field.allowed();
  return fail(fmt::format("{} is '{}'", field.name, text), "",
              "give a number" + (allowed.empty() ? "" : " from " + allowed), ErrorKind::usage);
}

}  // namespace

std::string Field::allowed() const {
  if (has_range()) return fmt::format("{} to {}", min, max);
  std::string text;
  for (std::string_view choice : choices) {
    if (choice.empty()) break;
    if (!text.empty()) text += '|';
    text += choice;
  }
  return text;
}

Result<void> check_field(const Field& field, double value) {
  if (!field.has_range() || (value >= field.min && value <= field.max)) return {};
  return fail(fmt::format("{} is {}", field.name, value), "",
              "give a value from " + field.allowed(), ErrorKind::usage);
}

Result<void> check_field(const Field& field, std::string_view value) {
  if (!field.has_choices()) return {};
  if (std::find(field.choices.begin(), field.choices.end(), value) != field.choices.end() &&
      !value.empty()) {
    return {};
  }
  return fail(fmt::format("{} is '{}'", field.name, value), "", "give one of " + field.allowed(),
              ErrorKind::usage);
}

tl::unexpected<Error> unknown_option(std::string_view name,
                                     std::span<const std::string_view> names) {
  const auto nearest =
      std::min_element(names.begin(), names.end(), [&](std::string_view a, std::string_view b) {
        return edit_distance(name, a) < edit_distance(name, b);
      });
  return fail(fmt::format("there is no option '{}'", name), "",
              nearest == names.end() ? "" : fmt::format("did you mean {}?", *nearest),
              ErrorKind::usage);
}

tl::unexpected<Error> removed_option(const RemovedOption& option) {
  return fail(fmt::format("there is no option '{}' any more, since it gave nothing", option.name),
              "", "leave it out", ErrorKind::usage);
}

Result<void> parse_field(const Field& field, std::string_view text, bool& value) {
  if (text != "true" && text != "false") {
    return fail(fmt::format("{} is '{}'", field.name, text), "", "give true or false",
                ErrorKind::usage);
  }
  value = text == "true";
  return {};
}

Result<void> parse_field(const Field& field, std::string_view text, double& value) {
  return parse_number(field, text, value);
}

Result<void> parse_field(const Field& field, std::string_view text, std::uint32_t& value) {
  return parse_number(field, text, value);
}

Result<void> parse_field(const Field& field, std::string_view text, std::uint64_t& value) {
  return parse_number(field, text, value);
}

Result<void> parse_field(const Field& field, std::string_view text, std::string& value) {
  value = text;
  return check_field(field, std::string_view(value));
}

}  // namespace lerpp
