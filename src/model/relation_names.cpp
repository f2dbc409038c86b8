// SPDX-License-Identifier: Apache-2.0
#include "model/relation_names.hpp"

#include <optional>
#include <unordered_set>

#include <fmt/format.h>
#include <simdjson.h>

#include <lerp/base/json.hpp>

namespace lerpp {
namespace {

using safetensors::in_quotes;

std::optional<std::string> name_from_json(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return std::nullopt;
  std::string name;
  for (const auto& byte : value) {
    if (!byte.is_number_unsigned() || byte.get<std::uint64_t>() > 255) return std::nullopt;
    name += static_cast<char>(byte.get<unsigned char>());
  }
  return name;
}

}  // namespace

std::string names_to_text(const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const std::string& name : names) {
    if (simdjson::validate_utf8(name)) {
      list.push_back(name);
      continue;
    }
    Json bytes = Json::array();
    for (const char byte : name) bytes.push_back(static_cast<unsigned char>(byte));
    list.push_back(std::move(bytes));
  }
  return list.dump();
}

Result<std::vector<std::string>> read_names(const safetensors::File& file, const char* damaged) {
  const std::string* const text = file.metadata("relations");
  const auto list = nlohmann::json::parse(text == nullptr ? "" : *text, nullptr, false);
  if (!list.is_array() || list.empty()) {
    return fail("the metadata has no list of relations", file.where(), damaged);
  }
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const auto& value : list) {
    auto name = name_from_json(value);
    if (!name) {
      return fail(fmt::format("relation {} has no name", names.size()), file.where(), damaged);
    }
    names.push_back(std::move(*name));
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    return fail(fmt::format("two relations are named {}", in_quotes(name)), file.where(), damaged);
  }
  return names;
}

}  // namespace lerpp
