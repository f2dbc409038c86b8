// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lerp/base/error.hpp>

#include "model/safetensors.hpp"

/// The relations in the metadata of a model file.
namespace lerpp {

/// JSON is UTF-8 and names of relations need not be: such a name stands as the list of its bytes.
std::string names_to_text(const std::vector<std::string>& names);
/// `damaged` is what to do where there is no such list.
Result<std::vector<std::string>> read_names(const safetensors::File& file, const char* damaged);

}  // namespace lerpp
