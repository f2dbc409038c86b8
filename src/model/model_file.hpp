// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lerp/base/files.hpp>
#include <lerp/model/model.hpp>

namespace lerpp {

/// A model file that is already in memory. `where` names it in errors.
Result<Model> parse_model(FileBytes bytes, const std::string& where);

}  // namespace lerpp
