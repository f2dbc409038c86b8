// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kg/reading.hpp"

/// OpenKE: `train2id.txt` and its like: a count, then `head tail relation` as ids.
namespace lerpp::formats {

/// The names must be in the dataset already.
Result<void> read_openke(std::string_view text, const std::string& where, Reading& reading,
                         Split split);

}  // namespace lerpp::formats
