// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

namespace lerpp::test {

/// More than any test writes, and those beside it.
inline constexpr std::uintmax_t room = std::uintmax_t{256} << 20U;

/// A folder that is gone when the test is.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    // In memory where there is room: the files that tests sync are many. Containers have little.
    std::error_code ignored;
    const std::filesystem::path memory = "/dev/shm";
    const bool shared = std::filesystem::is_directory(memory, ignored) &&
                        ::access(memory.c_str(), W_OK) == 0 &&
                        std::filesystem::space(memory, ignored).available >= room;
    const auto parent = shared ? memory : std::filesystem::temp_directory_path();
    std::string name = (parent / "lerp-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// Writes a file, its folders with it.
  std::filesystem::path put(std::string_view name, std::string_view content) const {
    std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace lerpp::test
