// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <lerp/base/error.hpp>

/// Typed options, declared once. A struct of options lists its fields in a static member template
///
///     template <class Self, class Visit>
///     static void fields(Self& self, Visit&& visit) {
///       visit(Field{"length", "hops of a rule", 1, 16}, self.length);
///       visit(Field{"report", "what to print", {"short", "long"}}, self.report);
///     }
///
/// and from that list come the flags, the configuration file, the JSON, the checks and the
/// documentation.
namespace lerpp {

/// Name, meaning and range of one option. A text option has choices instead of a range.
struct Field {
  std::string_view name;
  std::string_view help;
  double min = 0;
  double max = 0;  ///< no range where min == max
  std::array<std::string_view, 8> choices = {};
  bool basic = false;  ///< for everybody; others are for experts

  constexpr Field(std::string_view name_, std::string_view help_) : name(name_), help(help_) {}
  constexpr Field(std::string_view name_, std::string_view help_, double min_, double max_)
      : name(name_), help(help_), min(min_), max(max_) {}
  constexpr Field(std::string_view name_, std::string_view help_,
                  std::initializer_list<std::string_view> choices_)
      : name(name_), help(help_) {
    std::copy(choices_.begin(), choices_.end(), choices.begin());
  }

  bool has_range() const { return min < max; }
  bool has_choices() const { return !choices.front().empty(); }
  /// "1 to 16", "short|long", or nothing.
  std::string allowed() const;
};

/// Marks an option as one of those that everybody may want to set.
constexpr Field basic(Field field) {
  field.basic = true;
  return field;
}

/// Every option with its value and its meaning, a line each: the basic ones, then the others.
template <class Options>
std::string options_to_text(const Options& options) {
  std::string text;
  for (const bool basic : {true, false}) {
    text += basic ? "basic\n" : "\nexpert\n";
    Options::fields(options, [&](const Field& field, const auto& value) {
      if (field.basic == basic)
        text += fmt::format("  {:<25} {:<9} {}\n", field.name, value, field.help);
    });
  }
  return text;
}

/// Whether a value fits its field; the error names the option, the value and what is allowed.
Result<void> check_field(const Field& field, double value);
Result<void> check_field(const Field& field, std::string_view value);

/// "there is no option 'rule.length'", with the nearest of the names as remedy.
tl::unexpected<Error> unknown_option(std::string_view name,
                                     std::span<const std::string_view> names);

/// An option that was taken out since it gave nothing. Files that leave it idle are still read.
struct RemovedOption {
  std::string_view name;
  std::string_view idle;  ///< the value with which it did nothing
};

/// The option of this name that a struct lists as `removed`, if there is one.
template <class Options>
const RemovedOption* find_removed(std::string_view name) {
  if constexpr (requires { Options::removed; }) {
    for (const RemovedOption& option : Options::removed) {
      if (option.name == name) return &option;
    }
  }
  return nullptr;
}

/// "there is no option 'train.clip' any more, since it gave nothing: leave it out"
tl::unexpected<Error> removed_option(const RemovedOption& option);

template <class Options>
Result<void> check_options(const Options& options) {
  Result<void> result;
  Options::fields(options, [&](const Field& field, const auto& value) {
    if (!result) return;
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      result = check_field(field, std::string_view(value));
    } else if constexpr (!std::is_same_v<Value, bool>) {
      result = check_field(field, static_cast<double>(value));
    }
  });
  return result;
}

/// Reads a value from text; the error names the option and what is allowed.
Result<void> parse_field(const Field& field, std::string_view text, bool& value);
Result<void> parse_field(const Field& field, std::string_view text, double& value);
Result<void> parse_field(const Field& field, std::string_view text, std::uint32_t& value);
Result<void> parse_field(const Field& field, std::string_view text, std::uint64_t& value);
Result<void> parse_field(const Field& field, std::string_view text, std::string& value);

/// Sets the option of this name, or says which one was probably meant.
template <class Options>
Result<void> set_option(Options& options, std::string_view name, std::string_view text) {
  Result<void> result = {};
  bool found = false;
  std::vector<std::string_view> names;
  Options::fields(options, [&](const Field& field, auto& value) {
    names.push_back(field.name);
    if (field.name != name) return;
    found = true;
    result = parse_field(field, text, value);
  });
  if (found) return result;
  const RemovedOption* removed = find_removed<Options>(name);
  return removed != nullptr ? removed_option(*removed) : unknown_option(name, names);
}

/// Sets an option from "name=value".
template <class Options>
Result<void> set_option(Options& options, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos) {
    return fail(fmt::format("'{}' gives no value", setting), "", "write name=value",
                ErrorKind::usage);
  }
  return set_option(options, setting.substr(0, equals), setting.substr(equals + 1));
}

}  // namespace lerpp
