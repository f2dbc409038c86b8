// SPDX-License-Identifier: Apache-2.0
#include "base/config_text.hpp"

#include <optional>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>

namespace lerpp {
namespace {

/// A value as the text that set_option() reads.
std::optional<std::string> text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  return std::nullopt;
}

std::string line_of(const std::filesystem::path& path, const toml::source_region& source) {
  return fmt::format("{}, line {}", path.string(), source.begin.line);
}

Result<void> read_value(const std::filesystem::path& path, const std::string& name,
                        const toml::node& node, const SetValue& set) {
  const std::optional<std::string> text = text_of(node);
  if (!text) {
    return fail(fmt::format("{} is not a single value", name), line_of(path, node.source()),
                "give a number, a text or true or false");
  }
  Result<void> done = set(name, *text);
  if (!done) {
    done.error().where = line_of(path, node.source());
    done.error().kind = ErrorKind::failure;
  }
  return done;
}

}  // namespace

std::string toml_text(std::string_view text) {
  // A JSON string is a TOML basic string, but for the one control character that JSON leaves as it
  // is.
  std::string result = Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = result.find('\x7F', at)) != std::string::npos;)
    result.replace(at, 1, "\\u007F");
  return result;
}

Result<void> read_sections(const std::filesystem::path& path, const SetValue& set) {
  LERP_TRY(bytes, read_file(path));
  const toml::parse_result parsed = toml::parse(bytes.view());
  if (!parsed) {
    return fail(fmt::format("this is not TOML, {}", parsed.error().description()),
                line_of(path, parsed.error().source()), "correct the line");
  }
  for (const auto& [section, node] : parsed.table()) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      return fail(
          fmt::format("'{}' stands outside of any section", std::string_view(section.str())),
          line_of(path, node.source()), "put it below a line such as [train]");
    }
    for (const auto& [key, value] : *table) {
      LERP_CHECK(read_value(path, fmt::format("{}.{}", section.str(), key.str()), value, set));
    }
  }
  return {};
}

}  // namespace lerpp
