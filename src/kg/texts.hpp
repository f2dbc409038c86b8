// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kg/reading.hpp"

/// Human texts for names: `name<TAB>text` lines.
namespace lerpp::formats {

enum class TextsFor { entities, relations, both };
/// What stands before the tab.
enum class TextKey { name, id };

/// Names that the dataset does not have are passed over. A later text replaces an earlier one.
Result<void> read_texts(std::string_view text, const std::string& where, Dataset& dataset,
                        TextsFor whose, TextKey key = TextKey::name, const Observer& observer = {});

/// Gives the labels of RDF files to the entities and relations of that name.
void apply_labels(Reading& reading);
/// Gives the dataset the prefixes that files declare, but for those that mean different things.
void apply_prefixes(Reading& reading);

}  // namespace lerpp::formats
