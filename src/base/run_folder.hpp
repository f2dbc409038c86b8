// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>

#include "base/config_text.hpp"

/// What all runs have in common, whatever they learn: a folder that one process holds at a time and
/// in which every file is whole.
///
///     config.toml          what is learned, from which data, with every option
///     log.txt              what was printed
///     trace.jsonl          one line an epoch
///     model.safetensors    the model, once it is done
///     checkpoint/          enough to go on exactly
///     metrics.json         the final ranks
namespace lerpp {

inline constexpr const char* config_file = "config.toml";
inline constexpr const char* log_file = "log.txt";
inline constexpr const char* model_file = "model.safetensors";
inline constexpr const char* metrics_file = "metrics.json";
inline constexpr const char* trace_file = "trace.jsonl";
inline constexpr const char* checkpoint_folder = "checkpoint";

/// What is learned. config.toml tells it by the section that the options stand in.
enum class RunKind : std::uint8_t { rules, embedding, events };

/// "lerp train", "lerp embed" or "lerp events train".
std::string_view verb_of(RunKind kind);

/// What a run learns from.
struct RunSource {
  std::filesystem::path data;
  std::string fingerprint = {};  ///< a run goes on with the same data or not at all
  /// How the data is read, by name: "columns" is "s,o,r". Whoever reads it knows what that means.
  std::map<std::string, std::string> choices = {};
};

/// The kind of run that a folder holds; of a folder that is none, an error that names the verb to
/// start one with.
Result<RunKind> run_kind(const std::filesystem::path& folder, RunKind wanted = RunKind::rules);
/// Fails where the folder holds no run, or one of another kind.
Result<void> require_kind(const std::filesystem::path& folder, RunKind kind);
/// The model file of a run that is done.
Result<std::filesystem::path> finished_model(const std::filesystem::path& folder, RunKind kind);

/// What metrics.json says of the model: its name and the sum of its bytes.
Result<void> write_metrics(const std::filesystem::path& folder, Json metrics);
/// Fails where the model is not the one that write_metrics() saw: one that was copied here from
/// another run answers with the wrong relations and entities. Older runs do not say.
Result<void> require_own_model(const std::filesystem::path& folder);

/// "the data has changed since this run began"
tl::unexpected<Error> changed_data(
    const std::filesystem::path& data,
    std::string remedy = "put it back as it was, or start a new run");
/// Of a folder that is none.
tl::unexpected<Error> no_run_folder(const std::filesystem::path& folder,
                                    RunKind wanted = RunKind::rules);

/// Fails where config.toml does not say what data the run learns from.
Result<void> require_data(const std::filesystem::path& folder, const std::filesystem::path& data);
/// Fails where data cannot be read a second time, as a run that goes on does.
Result<void> require_lasting(const std::filesystem::path& data);

/// "[data]" and what stands below it.
std::string source_to_toml(const RunSource& source);
/// What of the choices is not as it would be by itself.
template <class Options>
std::map<std::string, std::string> choices_of(const Options& options) {
  std::map<std::string, std::string> choices;
  std::map<std::string_view, std::string> usual;
  const Options untouched;
  Options::fields(untouched, [&](const Field& field, const auto& value) {
    usual[field.name] = fmt::format("{}", value);
  });
  Options::fields(options, [&](const Field& field, const auto& value) {
    std::string text = fmt::format("{}", value);
    if (text != usual[field.name]) choices[std::string(field.name)] = std::move(text);
  });
  return choices;
}
/// The other way.
template <class Options>
Result<Options> options_of(const RunSource& source) {
  Options options;
  for (const auto& [name, text] : source.choices) LERP_CHECK(set_option(options, name, text));
  return options;
}

/// Takes a value that source_to_toml() writes; false where it is none.
bool read_source(std::string_view name, const std::string& text, RunSource& source);
/// Where options stand that have no section in their name.
std::string_view section_of(RunKind kind);
/// The name of an option without that section.
std::string_view option_name(RunKind kind, std::string_view name);

/// The text of config.toml.
template <class Options>
std::string config_to_toml(RunKind kind, const RunSource& source, const Options& options) {
  return source_to_toml(source) + options_to_toml(options, section_of(kind));
}

/// Reads such a file over the options given; only what it mentions changes.
template <class Options>
Result<RunSource> read_config(const std::filesystem::path& path, RunKind kind, Options& options) {
  RunSource source;
  const auto set = [&](const std::string& name, const std::string& text) -> Result<void> {
    if (read_source(name, text, source)) return {};
    // A run from before an option was removed names it all the same, mostly to say that it is idle.
    const RemovedOption* removed = find_removed<Options>(name);
    if (removed != nullptr && text == removed->idle) return {};
    return set_option(options, option_name(kind, name), text);
  };
  LERP_CHECK(read_sections(path, set));
  return source;
}

class RunFolder {
 public:
  using Say = std::function<void(const std::string&)>;

  /// Nothing is touched yet. `say` hears what is logged.
  explicit RunFolder(std::filesystem::path path, Say say = {})
      : path_(std::move(path)), say_(std::move(say)) {}

  /// Makes a new run and holds it; fails where there is a run already.
  Result<void> start(const std::string& config);
  /// Holds a run that goes on, and removes what a killed process was writing when it died. Fails
  /// where the model is not its own.
  Result<void> take();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const char* file) const { return path_ / file; }
  std::filesystem::path checkpoint() const;
  bool has_checkpoint() const;

  /// Says and logs a line.
  Result<void> tell(const std::string& line) const;
  /// Adds the line of an epoch to the trace.
  Result<void> trace(const std::string& line) const;
  /// Drops the lines of epochs that the checkpoint does not know of: they will come again. The
  /// lines that stay.
  Result<std::vector<std::string>> shorten_trace(std::uint32_t epochs) const;

  /// An interruption says how to go on; other errors stay as they are.
  tl::unexpected<Error> with_remedy(Error error) const;

 private:
  std::filesystem::path path_;
  Say say_;
  std::optional<FileLock> lock_;
};

}  // namespace lerpp
