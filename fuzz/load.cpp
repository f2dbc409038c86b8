// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <unistd.h>

#include <lerp/kg/dataset.hpp>
#include <lerp/train/options.hpp>

#include "fuzz.hpp"

namespace {

namespace fs = std::filesystem;

/// A folder of this process, emptied for each input and removed at the end.
struct Place {
  fs::path path = fs::temp_directory_path() / ("lerp-fuzz-load-" + std::to_string(::getpid()));
  ~Place() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

const fs::path& place() {
  static const Place one;
  return one.path;
}

void put(const std::string& name, std::string_view content) {
  std::ofstream(place() / name, std::ios::binary) << content;
}

}  // namespace

/// A dataset and a configuration for it, through the whole way of `lerp train DATA --config FILE`
/// before learning begins. An input is the names of files and their contents, set apart by bytes of
/// zero, the configuration first.
LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  constexpr std::string_view names[] = {"train.txt", "valid.tsv", "entities.txt", "dataset.yaml",
                                        "train.nt"};
  fs::remove_all(place());
  fs::create_directories(place() / "data");
  std::size_t part = bytes.find('\0');
  put("config.toml", bytes.substr(0, part));
  for (const std::string_view name : names) {
    if (part == std::string_view::npos) break;
    bytes.remove_prefix(part + 1);
    part = bytes.find('\0');
    const std::string_view content = bytes.substr(0, part);
    if (!content.empty()) put("data/" + std::string(name), content);
  }
  LoadOptions options;
  options.threads = 1;
  options.max_input = std::uint64_t{1} << 24U;
  const auto dataset = load(place() / "data", options);
  fuzz::check(dataset);
  if (!dataset) return;
  OptionRequest request;
  request.config = place() / "config.toml";
  fuzz::check(resolve(*dataset, request));
}
