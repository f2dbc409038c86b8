// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/kg/fact.hpp>
#include <lerp/kg/generate.hpp>

/// The population behind a generated family dataset, and all that is true of it.
namespace lerpp::family {

inline constexpr std::uint32_t nobody = ~std::uint32_t{0};

/// The relations, in the order of their names. `son(a,b)`: a is b's son; all of them read so.
enum Relation : RelationId {
  aunt,
  brother,
  daughter,
  father,
  husband,
  mother,
  nephew,
  niece,
  sister,
  son,
  uncle,
  wife
};
inline constexpr std::array<std::string_view, 12> relation_names = {
    "aunt",   "brother", "daughter", "father", "husband", "mother",
    "nephew", "niece",   "sister",   "son",    "uncle",   "wife"};

struct Person {
  std::uint32_t birth = nobody;   ///< the family born into; nobody's for founders and newcomers
  std::uint32_t spouse = nobody;  ///< for life
  std::uint16_t given = 0;        ///< places in the lists of names
  std::uint16_t surname = 0;
  bool male = false;
};

/// The known parents, of whom one may be nobody, and their children, who stand side by side.
struct Household {
  std::uint32_t father = nobody;
  std::uint32_t mother = nobody;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

struct World {
  std::vector<Person> people;  ///< by generation
  std::vector<Household> households;
};

/// Marriages stay within a generation and never join siblings or cousins, so that nobody is
/// related to anybody in two ways.
World make_world(const FamilyOptions& options);

/// Every true fact, without gaps; entities are places in `people`.
std::vector<Fact> true_facts(const World& world);

/// Names that tell everybody apart: "anna_weber", "anna_weber_2".
std::vector<std::string> names(const World& world);

/// Rules that hold in every such world, sorted by head.
const std::vector<std::string>& true_rules();

}  // namespace lerpp::family
