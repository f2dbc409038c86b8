// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include <lerp/base/options.hpp>
#include <lerp/kg/dataset.hpp>

/// Graphs that a package manager brings.
namespace lerpp {

/// The packages of a Debian or Ubuntu distribution, from the text that `apt-cache dumpavail`
/// prints.
Result<Dataset> read_debian(std::string_view dump, const std::string& where);
/// The same, running `apt-cache dumpavail`.
Result<Dataset> import_debian();

/// WordNet from its database files (data.noun, data.verb, data.adj, data.adv). Entities are named
/// by the eight-digit offsets that WN18 and WN18RR use, with lemma and gloss as their texts.
Result<Dataset> import_wordnet(const std::filesystem::path& folder);

struct HoldoutOptions {
  double valid = 0.05;
  double test = 0.05;
  std::uint64_t seed = 1;
  bool by_relation = false;  ///< that share of each relation, rounded, rather than of all facts

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"valid", "share of the facts held out for validation", 0, 0.45}, self.valid);
    visit(Field{"test", "share of the facts held out for the test", 0, 0.45}, self.test);
    visit(Field{"seed", "the same seed holds out the same facts", 0, 1e18}, self.seed);
  }
};
/// Moves a share of the training facts to valid and test, but none whose entity or relation would
/// then be unseen in training. For datasets that come without splits.
void hold_out(Dataset& dataset, const HoldoutOptions& options);

}  // namespace lerpp
