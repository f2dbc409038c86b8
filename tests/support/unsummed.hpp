// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lerpp::test {

/// A safetensors file whose checksum goes by another name, so that a test can change the rest.
inline std::string unsummed(std::string file) {
  constexpr std::string_view key = R"("checksum")";
  if (const std::size_t at = file.find(key); at != std::string::npos) {
    file.replace(at, key.size(), R"("unsummed")");
  }
  return file;
}

}  // namespace lerpp::test
