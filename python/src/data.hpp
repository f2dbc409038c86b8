// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include <lerp/kg/dataset.hpp>

namespace lerpp::python {

/// A dataset that Python holds, and where it was read from, if it was.
struct Data {
  std::shared_ptr<const Dataset> dataset;
  std::filesystem::path path = {};
};

}  // namespace lerpp::python
