// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lerp/base/json.hpp>
#include <lerp/base/options.hpp>

namespace lerpp {

template <class Options>
Json options_to_json(const Options& options) {
  Json json = Json::object();
  Options::fields(options, [&](const Field& field, const auto& value) {
    json[std::string(field.name)] = value;
  });
  return json;
}

}  // namespace lerpp
