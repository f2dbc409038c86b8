// SPDX-License-Identifier: Apache-2.0
#include "base/run_folder.hpp"

#include <array>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <lerp/base/version.hpp>

#include "base/checksum.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

struct KindNames {
  RunKind kind;
  std::string_view section;
  std::string_view verb;
};

constexpr std::array kinds = {KindNames{RunKind::rules, "train", "lerp train"},
                              KindNames{RunKind::embedding, "embed", "lerp embed"},
                              KindNames{RunKind::events, "events", "lerp events train"}};

const KindNames& names_of(RunKind kind) {
  return kinds[static_cast<std::size_t>(kind)];
}

bool is_below(std::string_view name, std::string_view section) {
  return name.starts_with(section) && name.substr(section.size()).starts_with('.');
}

Result<void> make_run_folder(const fs::path& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (!code) return {};
  return fail("the run folder cannot be made, " + code.message(), path.string(),
              "choose a place that can be written to");
}

/// Adds a line to a file and waits until it is on disk.
Result<void> append_line(const fs::path& path, const std::string& line) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    return fail_errno("the file cannot be written", path.string(), "make the run folder writable");
  }
  const std::string text = line + "\n";
  const bool written =
      ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fsync(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  if (written) return {};
  errno = error;
  return fail_errno("the file cannot be written", path.string(),
                    "free some space; the last checkpoint is intact, lerp resume goes on from it");
}

/// Of metrics.json.
constexpr const char* sum_key = "model_checksum";

Result<std::string> sum_of(const fs::path& path) {
  LERP_TRY(bytes, read_file(path));
  Checksum sum;
  sum.add(bytes.view());
  return sum.text();
}

}  // namespace

std::string_view verb_of(RunKind kind) {
  return names_of(kind).verb;
}

std::string_view section_of(RunKind kind) {
  return names_of(kind).section;
}

std::string_view option_name(RunKind kind, std::string_view name) {
  // Those of rules are called by their section too.
  const bool strip = kind != RunKind::rules && is_below(name, section_of(kind));
  return strip ? name.substr(section_of(kind).size() + 1) : name;
}

Result<void> require_data(const fs::path& folder, const fs::path& data) {
  if (!data.empty()) return {};
  return fail("the file does not name the data that the run learns from",
              (folder / config_file).string(), "put it back as it was, or start a new run");
}

Result<void> require_lasting(const fs::path& data) {
  if (data != "-") return {};
  return fail("a run reads its data again, and standard input comes but once", "",
              "save it to a file and name that", ErrorKind::usage);
}

std::string source_to_toml(const RunSource& source) {
  std::string text =
      fmt::format("# lerp {}\n[data]\npath = {}\nfingerprint = {}\n", program_version,
                  toml_text(source.data.string()), toml_text(source.fingerprint));
  for (const auto& [name, value] : source.choices)
    text += fmt::format("{} = {}\n", name, toml_text(value));
  return text;
}

bool read_source(std::string_view name, const std::string& text, RunSource& source) {
  if (name == "data.path") {
    source.data = text;
  } else if (name == "data.fingerprint") {
    source.fingerprint = text;
  } else if (is_below(name, "data")) {
    source.choices[std::string(name.substr(std::string_view("data.").size()))] = text;
  } else {
    return false;
  }
  return true;
}

Result<RunKind> run_kind(const fs::path& folder, RunKind wanted) {
  std::error_code ignored;
  if (!fs::exists(folder / config_file, ignored)) return no_run_folder(folder, wanted);
  RunKind kind = RunKind::rules;
  const auto look = [&](const std::string& name, const std::string&) -> Result<void> {
    for (const KindNames& known : kinds) {
      if (is_below(name, known.section)) kind = known.kind;
    }
    return {};
  };
  LERP_CHECK(read_sections(folder / config_file, look));
  return kind;
}

Result<void> require_kind(const fs::path& folder, RunKind kind) {
  LERP_TRY(found, run_kind(folder, kind));
  if (found == kind) return {};
  return fail(fmt::format("this is a run of {}", verb_of(found)), folder.string(),
              fmt::format("give one of {}", verb_of(kind)));
}

Result<fs::path> finished_model(const fs::path& folder, RunKind kind) {
  LERP_CHECK(require_kind(folder, kind));
  std::error_code ignored;
  if (fs::exists(folder / model_file, ignored)) return folder / model_file;
  return fail("the run has no model yet", folder.string(),
              fmt::format("finish it with lerp resume {}", folder.string()));
}

Result<void> write_metrics(const fs::path& folder, Json metrics) {
  LERP_TRY(sum, sum_of(folder / model_file));
  metrics[sum_key] = sum;
  return write_file(folder / metrics_file, metrics.dump(2) + "\n");
}

Result<void> require_own_model(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / metrics_file, ignored)) return {};
  LERP_TRY(bytes, read_file(folder / metrics_file));
  const Json metrics = Json::parse(bytes.view(), nullptr, false);
  const auto known = metrics.is_object() ? metrics.find(sum_key) : metrics.end();
  if (known == metrics.end() || !known->is_string()) return {};
  LERP_TRY(sum, sum_of(folder / model_file));
  if (known->get<std::string>() == sum) return {};
  return fail(
      fmt::format("this is not the model that the run learned, as {} knows", metrics_file),
      (folder / model_file).string(),
      fmt::format("put that one back, or move this one away and make it again with lerp resume {}",
                  folder.string()));
}

tl::unexpected<Error> changed_data(const fs::path& data, std::string remedy) {
  return fail("the data has changed since this run began", data.string(), std::move(remedy));
}

tl::unexpected<Error> no_run_folder(const fs::path& folder, RunKind wanted) {
  return fail("this is no run folder", folder.string(),
              fmt::format("start one with {}", verb_of(wanted)));
}

Result<void> RunFolder::start(const std::string& config) {
  LERP_CHECK(make_run_folder(path_));
  // The folder is locked before its config is looked for: of two that start at once, one fails.
  LERP_TRY(lock, FileLock::take(path_));
  std::error_code ignored;
  if (fs::exists(path_ / config_file, ignored)) {
    return fail("there is a run of this name", path_.string(),
                "resume it, remove it or choose another name");
  }
  lock_.emplace(std::move(lock));
  LERP_CHECK(make_run_folder(path_ / checkpoint_folder));
  return write_file(path_ / config_file, config);
}

Result<void> RunFolder::take() {
  LERP_TRY(lock, FileLock::take(path_));
  lock_.emplace(std::move(lock));
  std::error_code ignored;
  // It would be written over, and may be all that there is of it.
  if (fs::exists(path_ / model_file, ignored)) LERP_CHECK(require_own_model(path_));
  for (const fs::path& place : {path_, path_ / checkpoint_folder}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(place, ignored)) {
      if (entry.path().extension() == ".part") fs::remove(entry.path(), ignored);
    }
  }
  return {};
}

fs::path RunFolder::checkpoint() const {
  return path_ / checkpoint_folder / "state.safetensors";
}

bool RunFolder::has_checkpoint() const {
  std::error_code ignored;
  return fs::exists(checkpoint(), ignored);
}

Result<void> RunFolder::tell(const std::string& line) const {
  if (say_) say_(line);
  return append_line(path_ / log_file, line);
}

Result<void> RunFolder::trace(const std::string& line) const {
  return append_line(path_ / trace_file, line);
}

Result<std::vector<std::string>> RunFolder::shorten_trace(std::uint32_t epochs) const {
  std::vector<std::string> lines;
  std::error_code ignored;
  if (!fs::exists(path_ / trace_file, ignored)) return lines;
  LERP_TRY(bytes, read_file(path_ / trace_file));
  std::string_view rest = bytes.view();
  std::string kept;
  while (lines.size() < epochs) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;
    lines.emplace_back(rest.substr(0, end));
    kept += rest.substr(0, end + 1);
    rest.remove_prefix(end + 1);
  }
  LERP_CHECK(write_file(path_ / trace_file, kept));
  return lines;
}

tl::unexpected<Error> RunFolder::with_remedy(Error error) const {
  if (error.kind == ErrorKind::interrupted) {
    error.where = path_.string();
    error.remedy = fmt::format("lerp resume {} goes on from here", path_.string());
  }
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace lerpp
