// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "kg/reading.hpp"

/// LibKGE: `dataset.yaml` says which files hold what, the facts are tab-separated ids.
namespace lerpp::formats {

/// The keys of a YAML of maps, nested or with dots, as `files.train.filename`. A leading `dataset.`
/// is dropped. Lists and other forms that no dataset.yaml needs are passed over.
Result<std::map<std::string, std::string>> read_yaml(std::string_view text,
                                                     const std::string& where);

/// Facts as `head<TAB>relation<TAB>tail`, ids of names that the dataset has already.
Result<void> read_del(std::string_view text, const std::string& where, Reading& reading,
                      Split split);

}  // namespace lerpp::formats
