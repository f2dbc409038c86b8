// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include <lerp/base/options.hpp>

namespace lerpp {

/// A text as TOML writes it, in quotation marks.
std::string toml_text(std::string_view text);

/// Every option with its meaning, in sections by the part of its name before the dot; names without
/// one stand below `section`.
template <class Options>
std::string options_to_toml(const Options& options, std::string_view section) {
  std::string text;
  std::string_view current;
  Options::fields(options, [&](const Field& field, const auto& value) {
    const std::size_t dot = field.name.find('.');
    const bool dotted = dot != std::string_view::npos;
    const std::string_view own = dotted ? field.name.substr(0, dot) : section;
    if (current != own) text += fmt::format("\n[{}]\n", own);
    current = own;
    std::string shown;
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
      shown = toml_text(value);
    } else {
      shown = fmt::format("{}", value);
    }
    text += fmt::format("{} = {}  # {}\n", dotted ? field.name.substr(dot + 1) : field.name, shown,
                        field.help);
  });
  return text;
}

/// Takes one value of a file: "train.rate", "0.1".
using SetValue = std::function<Result<void>(const std::string& name, const std::string& text)>;

/// Reads a TOML file of sections that hold single values. What `set` says against a value is told
/// with its line.
Result<void> read_sections(const std::filesystem::path& path, const SetValue& set);

}  // namespace lerpp
