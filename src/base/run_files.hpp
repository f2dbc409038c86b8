#pragma once

#include <filesystem>
#include <string>

#include <lerp/base/files.hpp>

/// What all run folders have in common.
namespace lerpp {

inline constexpr const char* config_file = "config.toml";
inline constexpr const char* model_file = "model.safetensors";
inline constexpr const char* metrics_file = "metrics.json";
inline constexpr const char* trace_file = "trace.jsonl";

Result<void> make_folder(const std::filesystem::path& path);
/// Makes the folder of a new run and holds it; fails where there is a run already.
Result<FileLock> claim_run_folder(const std::filesystem::path& folder);

/// What is said of a folder that is none.
tl::unexpected<Error> no_run_folder(const std::filesystem::path& folder);

/// Adds a line to a file and waits until it is on disk.
Result<void> append_line(const std::filesystem::path& path, const std::string& line);

}  // namespace lerpp
