// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lerp/kg/generate.hpp>

/// Which relations of a generated graph follow from which, and how many facts each gets.
namespace lerpp::scale {

enum class Kind {
  random,       ///< relations[0] follows from nothing
  symmetric,    ///< relations[0] both ways
  inverse,      ///< relations[1] is relations[0] turned round
  composition,  ///< relations[2] is relations[0], then relations[1]
};

struct Group {
  Kind kind = Kind::random;
  RelationId relations[3] = {};
  /// Facts to draw: those of relations[0], for a symmetric one those of one direction.
  std::uint64_t drawn = 0;
  /// For a composition, facts of relations[1], each of a different subject, so that a path has one
  /// end only and hubs do not multiply.
  std::uint64_t functional = 0;

  /// The most facts the group can turn out to have.
  std::uint64_t facts() const;
  /// Appends the rules that hold in the group.
  void append_rules(std::vector<std::string>& rules) const;
};

/// Of the facts that a composition implies, how many the graph has: its confidence.
inline constexpr double composition_confidence = 0.9;

/// The entities the options ask for, or else as many as suit the number of facts.
std::uint64_t entity_count(const ScaleOptions& options);
/// How many facts fit: a tenth of all that could be said, so that drawing stays fast.
std::uint64_t most_facts(std::uint64_t entities, std::uint64_t relations);

struct Plan {
  std::vector<Group> planted;
  std::vector<RelationId> random;  ///< the relations that get the rest
};
Plan make_plan(const ScaleOptions& options, std::uint64_t entities);

}  // namespace lerpp::scale
