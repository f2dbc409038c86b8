// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <unistd.h>

namespace lerpp {

/// A folder of its own for a test, gone afterwards.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lerp-test-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A safetensors file with this header, put together without the writer.
inline std::string raw_file(std::string_view header, std::string_view data) {
  std::string bytes;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    bytes += static_cast<char>((std::uint64_t{header.size()} >> shift) & 0xFF);
  }
  return bytes.append(header).append(data);
}

/// The header of a file, and its data.
inline std::string header_of(std::string_view file) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  return std::string(file.substr(8, length));
}
inline std::string data_of(std::string_view file) {
  return std::string(file.substr(8 + header_of(file).size()));
}

/// What says who wrote a file and what its bytes add up to, taken out of its header: whoever
/// changes a file on purpose does the same.
inline std::string without_signature(std::string header) {
  const std::size_t at = header.find(R"(,"program":")");
  if (at == std::string::npos) return header;
  return header.erase(at, header.find('}', at) - at);
}

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? "nothing to replace" : text.replace(at, from.size(), to);
}

}  // namespace lerpp
