// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lerp/base/options.hpp>
#include <lerp/kg/dataset.hpp>

/// Synthetic datasets whose true rules are known.
namespace lerpp {

/// A dataset and the rules it was made by, one a line: "mother(z,y) ∧ brother(x,z) ⇒ uncle(x,y)".
struct Generated {
  Dataset dataset;
  std::vector<std::string> rules;
};

/// A population over generations, with the twelve relations of the Family benchmark.
struct FamilyOptions {
  std::uint64_t seed = 1;
  std::uint32_t people = 3000;
  std::uint32_t generations = 6;  ///< fewer where there are not ten people for each
  double gaps = 0.02;             ///< share of the true facts that no file mentions

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"seed", "the same seed gives the same files", 0, 1e18}, self.seed);
    visit(Field{"people", "how many people, about", 20, 1e7}, self.people);
    visit(Field{"generations", "how many generations the families span", 2, 50}, self.generations);
    visit(Field{"gaps", "share of the true facts that no file mentions", 0, 0.5}, self.gaps);
  }
};
Generated generate_family(const FamilyOptions& options);

/// A graph of any size with skewed degrees and planted rules.
struct ScaleOptions {
  std::uint64_t seed = 1;
  std::uint64_t facts = 100'000;
  /// 0 is a tenth of the facts. Those that no fact mentions are left out, which happens where
  /// there are not thrice as many facts.
  std::uint32_t entities = 0;
  std::uint32_t relations = 100;
  double skew = 0.8;     ///< exponent of the law of degrees and relation sizes; 0 is uniform
  double planted = 0.3;  ///< share of the facts that follow from planted rules

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"seed", "the same seed gives the same files", 0, 1e18}, self.seed);
    visit(Field{"facts", "how many distinct facts", 10, 2e9}, self.facts);
    visit(Field{"entities", "how many entities; 0 is a tenth of the facts", 0, 4e9}, self.entities);
    visit(Field{"relations", "how many relations", 4, 1e6}, self.relations);
    visit(Field{"skew", "how unequal the degrees are: the exponent of their law, 0 is uniform", 0,
                1.5},
          self.skew);
    visit(Field{"planted", "share of the facts that follow from planted rules", 0, 0.9},
          self.planted);
  }
};
Result<Generated> generate_scale(const ScaleOptions& options, const Observer& observer = {});

/// Writes the dataset and its rules.txt; all of it or nothing.
Result<void> write_generated(const Generated& generated, const std::filesystem::path& folder,
                             WriteFormat format = WriteFormat::tsv, const Observer& observer = {});

}  // namespace lerpp
