// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/explain/predict.hpp>

/// What a graph lacks, and what it should not hold. See docs/complete.md.
namespace lerpp {

/// A fact with what there is to say of it.
struct CuratedFact {
  Fact fact;
  double probability = 0;
  double score = 0;         ///< of the object, as the answer of relation(subject, ?)
  std::string reason = {};  ///< the strongest rule, for it or against it
  /// Of that rule: pairs that it is right about, and their share of all that it leads to. Counted
  /// on a sample of a large graph.
  std::optional<std::uint64_t> support = {};
  std::optional<double> confidence = {};
  bool fits = true;            ///< whether both ends suit the relation
  std::string objection = {};  ///< what speaks against it apart from the rules, in words
};

struct CuratedFacts {
  std::string dataset;
  std::vector<CuratedFact> facts;
  std::uint64_t looked_at = 0;  ///< candidates, or known facts
  double seconds = 0;
};
/// {"facts": [{"subject", "relation", "object", "probability", ...}]}
Json to_json(const CuratedFacts& curated, const Dataset& dataset);
std::string to_text(const CuratedFacts& curated, const Dataset& dataset);
/// A table as csv, tsv or jsonl, told by the ending of the name; whole or not at all.
Result<void> write_table(const CuratedFacts& curated, const Dataset& dataset,
                         const std::filesystem::path& path);
/// Refuses an ending that write_table() does not know.
Result<void> check_table_name(const std::filesystem::path& path);

struct CompleteOptions {
  std::string relation;
  std::string entity;
  std::uint32_t top = 100;
  double min_probability = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"relation", "facts of this relation alone"}, self.relation);
    visit(Field{"entity", "facts about this entity alone"}, self.entity);
    visit(Field{"top", "facts that are shown, at most", 1, 1e8}, self.top);
    visit(Field{"min-probability", "less likely facts are left out", 0, 1}, self.min_probability);
  }
};
/// The most likely facts that no split has, best first.
Result<CuratedFacts> complete(const Predictor& predictor, const CompleteOptions& options = {},
                              const Observer& observer = {});

struct DoubtOptions {
  std::string relation;
  std::uint32_t top = 100;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"relation", "facts of this relation alone"}, self.relation);
    visit(Field{"top", "facts that are shown, at most", 1, 1e8}, self.top);
  }
};
/// The known facts that the rest of the graph makes least likely, each hidden by itself.
Result<CuratedFacts> doubt(const Predictor& predictor, const DoubtOptions& options = {},
                           const Observer& observer = {});

}  // namespace lerpp
