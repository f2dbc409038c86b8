// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/model/known_graph.hpp>

namespace lerpp {

/// How a name fits what somebody types, the best first.
enum class NameMatch : std::uint8_t { exact, prefix, word, inside, similar };
std::string_view name_of(NameMatch match);

/// Finds entities and relations by what people type of their names and texts: whole, their
/// beginning, that of a word, letters inside, and what is written in a similar way.
class NameIndex {
 public:
  explicit NameIndex(const KnownGraph& known);

  struct Found {
    std::uint32_t id = 0;
    NameMatch match = NameMatch::exact;
    std::size_t degree = 0;  ///< known facts; of those that fit alike, the best known come first
  };
  std::vector<Found> entities(std::string_view text, std::size_t most,
                              const Observer& observer = {}) const;
  std::vector<Found> relations(std::string_view text, std::size_t most) const;

 private:
  /// Names and texts in small letters, one after the other.
  struct Words {
    std::string letters;
    std::vector<std::size_t> starts;  ///< one more than there are
    std::vector<std::uint32_t> ids;

    void add(std::string_view text, std::uint32_t id);
    std::string_view at(std::size_t i) const {
      return std::string_view(letters).substr(starts[i], starts[i + 1] - starts[i]);
    }
  };
  static std::vector<Found> find(const Words& words, const std::vector<std::size_t>& degrees,
                                 std::string_view text, std::size_t most, const Observer& observer);

  Words entities_;
  Words relations_;
  std::vector<std::size_t> entity_degrees_;
  std::vector<std::size_t> relation_degrees_;
};

}  // namespace lerpp
