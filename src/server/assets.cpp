// SPDX-License-Identifier: Apache-2.0
#include "server/assets.hpp"

#include <charconv>
#include <map>

#include <lerp/base/files.hpp>
#include <lerp/server/server.hpp>

// Made by cmake/assets.cmake: lines of path, type and size between tabs, an empty line, and the
// files one after the other.
extern "C" {
extern const char assets_begin[] __asm__("_binary_assets_start");
extern const char assets_end[] __asm__("_binary_assets_end");
}

namespace lerpp {
namespace {

std::map<std::string_view, Asset> read_assets() {
  std::map<std::string_view, Asset> assets;
  std::string_view rest(assets_begin, static_cast<std::size_t>(assets_end - assets_begin));
  std::string_view files = rest.substr(rest.find("\n\n") + 2);
  while (!rest.starts_with('\n')) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    std::size_t size = 0;
    std::from_chars(line.data() + second + 1, line.data() + line.size(), size);
    assets[line.substr(0, first)] = {line.substr(first + 1, second - first - 1),
                                     files.substr(0, size)};
    files.remove_prefix(size);
  }
  return assets;
}

}  // namespace

const Asset* find_asset(std::string_view path) {
  static const std::map<std::string_view, Asset> assets = read_assets();
  const auto found = assets.find(path);
  return found == assets.end() ? nullptr : &found->second;
}

std::string plain_bytes(const Asset& asset) {
  return inflate(asset.gzip, "an asset").value_or("");
}

std::string_view api_description() {
  static const std::string text = plain_bytes(*find_asset("openapi.json"));
  return text;
}

}  // namespace lerpp
