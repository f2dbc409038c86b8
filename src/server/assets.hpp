// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lerpp {

/// A file that was built into the program.
struct Asset {
  std::string_view type;
  std::string_view gzip;  ///< its bytes, compressed
};

/// By its path, such as "page/index.html"; none where there is no such file.
const Asset* find_asset(std::string_view path);
/// What an asset holds.
std::string plain_bytes(const Asset& asset);

}  // namespace lerpp
