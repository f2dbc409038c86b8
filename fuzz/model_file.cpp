// SPDX-License-Identifier: Apache-2.0
#include "model/model_file.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

/// Any bytes are an error with all its parts or a model that holds together.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto model = lerpp::parse_model(
      lerpp::FileBytes(std::string(reinterpret_cast<const char*>(data), size)), "input");
  if (!model) {
    const lerpp::Error& error = model.error();
    if (error.what.empty() || error.where != "input" || error.remedy.empty()) std::abort();
    return 0;
  }
  const auto& parameters = model->parameters;
  if (model->relations.size() != model->shape().relations) std::abort();
  if (parameters.values().size_bytes() > size) std::abort();
  return 0;
}
