// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lerpp {

/// Where evidence comes from: the soft rules of a model, its embedding, a list of rules, or a kind
/// of term; terms are numbered from `term` on, as their table has them.
enum class Source : std::uint8_t { soft, embedding, list, term };

constexpr Source source_of_term(std::size_t kind) {
  return static_cast<Source>(static_cast<std::size_t>(Source::term) + kind);
}
/// Room for one number for each source.
inline constexpr std::size_t most_sources = 16;
/// How many there are.
std::size_t sources();
/// "path", in data.
std::string_view name_of(Source source);
/// "soft rules", for people.
std::string_view label_of(Source source);

}  // namespace lerpp
