// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/kg/fact.hpp>
#include <lerp/kg/graph.hpp>
#include <lerp/kg/vocabulary.hpp>

namespace lerpp {

/// `facts` are known and never asked about; `train` are known and asked about while learning.
enum class Split : std::uint8_t { facts, train, valid, test };
inline constexpr std::array all_splits = {Split::facts, Split::train, Split::valid, Split::test};
std::string_view name_of(Split split);

/// What is known before anything is asked: `facts` and `train`, and `valid` where a run trains on
/// it.
enum class KnownSplits : std::uint8_t { train, train_and_valid };
constexpr bool is_known(Split split, KnownSplits splits) {
  return split == Split::facts || split == Split::train ||
         (split == Split::valid && splits == KnownSplits::train_and_valid);
}

/// What decides to which facts a path is read, beside its bytes. A run writes it down, so that it
/// reads the same again.
struct ReadChoices {
  std::string columns;     ///< what each column is, "s,r,o"; empty: a header or habit says
  bool no_header = false;  ///< the first line is a fact, whatever it looks like
  bool literals = false;   ///< RDF literals are entities too, rather than left out
  double holdout = 0;      ///< share of the facts for validation, where there are no splits
  std::uint64_t holdout_seed = 1;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(
        Field{"columns",
              "what each column is: s, r, o for subject, relation, object, and - for one to leave "
              "out, as in s,r,o or -,s,o,r"},
        self.columns);
    visit(Field{"no-header", "the first line is a fact, whatever it looks like"}, self.no_header);
    visit(Field{"literals", "keep the literals of RDF as entities rather than leave them out"},
          self.literals);
    visit(
        Field{"holdout", "share of the facts for validation, where the data has no splits", 0, 0.5},
        self.holdout);
    visit(Field{"holdout-seed", "the same seed holds out the same facts", 0, 1e18},
          self.holdout_seed);
  }

  friend bool operator==(const ReadChoices&, const ReadChoices&) = default;
};

/// A short name for what IRIs start with: "ex" for "http://example.org/".
struct Prefix {
  std::string name;
  std::string iri;
  friend bool operator==(const Prefix&, const Prefix&) = default;
};

/// A knowledge graph with its splits and names. Within a split every fact stands once.
struct Dataset {
  std::string name;  ///< what reports call it, from the folder or file
  Vocabulary entities;
  Vocabulary relations;
  std::array<std::vector<Fact>, all_splits.size()> splits;

  /// How often a split repeated a fact in its file; the repetitions are dropped.
  std::array<std::uint64_t, all_splits.size()> repeated = {};
  /// Human texts for names that are codes: "14854262" is "stool, solid excretory product". Sparse.
  std::unordered_map<EntityId, std::string> entity_texts;
  std::unordered_map<RelationId, std::string> relation_texts;
  /// What the reader recognised: "Neural-LP", "OpenKE", "N-Triples", ...
  std::string format;
  /// What RDF files declare, longest IRI first; people see "ex:anna" for such names.
  std::vector<Prefix> prefixes = {};
  /// How it was read.
  ReadChoices choices = {};
  /// What the reader left out or decided, a sentence each.
  std::vector<std::string> notes = {};
  /// Facts that choices.holdout moved from training to validation.
  std::uint64_t held_out = 0;

  std::vector<Fact>& operator[](Split split) { return splits[static_cast<std::size_t>(split)]; }
  const std::vector<Fact>& operator[](Split split) const {
    return splits[static_cast<std::size_t>(split)];
  }

  /// The facts of a split, or none where it is not known.
  std::span<const Fact> known_facts(Split split, KnownSplits splits) const {
    return is_known(split, splits) ? std::span<const Fact>((*this)[split])
                                   : std::span<const Fact>();
  }
  /// The graph of what is known. Without facts where the observer asks to stop: the caller asks
  /// too.
  Graph known_graph(KnownSplits splits = KnownSplits::train, unsigned threads = 0,
                    const Observer& observer = {}) const;
  /// The graph of every split: the answers that a filtered rank leaves out.
  Graph full_graph(unsigned threads = 0, const Observer& observer = {}) const;

  /// How people see an entity: its text, shortened, or else its name.
  std::string entity_label(EntityId id) const;
  std::string relation_label(RelationId id) const;
};

struct LoadOptions {
  unsigned threads = 0;  ///< 0 is one for each core
  std::filesystem::path names =
      {};  ///< a further file of human texts, in the form of entity2text.txt
  ReadChoices choices = {};
  std::uint64_t max_input = 0;  ///< bytes that a file may hold or inflate to; 0: the memory's size
};

/// Reads a dataset folder, a single file, or "-" for standard input, in any format that
/// docs/formats.md lists.
Result<Dataset> load(const std::filesystem::path& path, const LoadOptions& options = {},
                     const Observer& observer = {});

/// Removes repeated facts, keeping the first of each and the order. Returns how many went. Leaves
/// the facts as they are where the observer asks to stop.
std::uint64_t remove_repeated(std::vector<Fact>& facts, EntityId entities, unsigned threads = 0,
                              const Observer& observer = {});

enum class WriteFormat { tsv, ntriples };
/// Writes a dataset folder that load() reads back to the same facts; all of it or nothing.
Result<void> write_dataset(const Dataset& dataset, const std::filesystem::path& folder,
                           WriteFormat format = WriteFormat::tsv, const Observer& observer = {});

}  // namespace lerpp
