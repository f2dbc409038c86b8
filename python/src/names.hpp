// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lerp/kg/vocabulary.hpp>

#include "support.hpp"

namespace lerpp::python {

/// The numbers of a column of names, in a vocabulary that learns those that are new.
std::vector<Vocabulary::Id> ids_of_list(const nb::list& names, Vocabulary& vocabulary,
                                        const char* column);

/// Three columns of an Arrow stream, by name, each with its vocabulary.
struct NamedColumn {
  std::string name;
  Vocabulary* vocabulary = nullptr;
};
std::vector<std::vector<Vocabulary::Id>> ids_of_stream(const nb::capsule& stream,
                                                       const std::vector<NamedColumn>& columns);

}  // namespace lerpp::python
