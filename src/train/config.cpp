#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <fmt/format.h>
#include <toml++/toml.h>

#include <lerp/base/files.hpp>
#include <lerp/train/run.hpp>

#include "base/config_text.hpp"

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
                        const toml::node& node, RunConfig& config) {
  const std::optional<std::string> text = text_of(node);
  if (!text) {
    return fail(fmt::format("{} is not a single value", name), line_of(path, node.source()),
                "give a number, a text or true or false");
  }
  if (name == "data.path") {
    config.data = *text;
    return {};
  }
  if (name == "data.fingerprint") {
    config.fingerprint = *text;
    return {};
  }
  // A run from before an option was removed names it all the same, mostly to say that it is idle.
  const RemovedOption* removed = find_removed<TrainOptions>(name);
  if (removed != nullptr && *text == removed->idle) return {};
  Result<void> set = set_option(config.options, name, *text);
  if (!set) {
    set.error().where = line_of(path, node.source());
    set.error().kind = ErrorKind::failure;
  }
  return set;
}

}  // namespace

Result<void> save_config(const RunConfig& config, const std::filesystem::path& path) {
  const std::string text =
      fmt::format("[data]\npath = {}\nfingerprint = {}\n", toml_text(config.data.string()),
                  toml_text(config.fingerprint));
  return write_file(path, text + options_to_toml(config.options, "train"));
}

Result<RunConfig> load_config(const std::filesystem::path& path, const TrainOptions& defaults) {
  LERP_TRY(bytes, read_file(path));
  const toml::parse_result parsed = toml::parse(bytes.view());
  if (!parsed) {
    return fail(fmt::format("this is not TOML, {}", parsed.error().description()),
                line_of(path, parsed.error().source()), "correct the line");
  }
  RunConfig config;
  config.options = defaults;
  for (const auto& [section, node] : parsed.table()) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      return fail(
          fmt::format("'{}' stands outside of any section", std::string_view(section.str())),
          line_of(path, node.source()), "put it below a line such as [train]");
    }
    for (const auto& [key, value] : *table) {
      LERP_CHECK(read_value(path, fmt::format("{}.{}", section.str(), key.str()), value, config));
    }
  }
  return config;
}

}  // namespace lerpp
