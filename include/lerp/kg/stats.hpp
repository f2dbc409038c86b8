// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/kg/dataset.hpp>

namespace lerpp {

/// What is worth knowing of a dataset before learning from it, its defects above all.
struct Stats {
  struct Relation {
    std::string name;
    std::uint64_t facts = 0;  ///< distinct, in all splits
    double subjects_per_object = 0;
    double objects_per_subject = 0;
  };
  struct SplitStats {
    Split split = Split::train;
    std::uint64_t facts = 0;
    std::uint64_t repeated = 0;         ///< repetitions in the file, dropped
    std::uint64_t unseen_entity = 0;    ///< facts with an entity that is unseen in training
    std::uint64_t unseen_relation = 0;  ///< facts with a relation that is unseen in training
    std::uint64_t known = 0;            ///< facts that stand in facts or train as well
    /// Share of the facts (s, r, o) with some other fact (o, r', s) in facts or train: how much
    /// leaks by an inverse or symmetric relation.
    double inverse_known = 0;
    /// Share of the facts (s, r, o) with some other fact (s, r', o) in facts or train.
    double pair_known = 0;
  };
  struct Overlap {
    Split first = Split::train;
    Split second = Split::test;
    std::uint64_t facts = 0;
  };
  struct Degrees {
    std::uint64_t median = 0;
    double mean = 0;
    std::uint64_t percentile_99 = 0;
    std::uint64_t max = 0;
    std::string max_entity;      ///< whose it is
    std::string max_label;       ///< the same for people
    std::uint64_t isolated = 0;  ///< entities without any known fact
  };

  std::string dataset;
  std::string format;
  std::vector<std::string> notes = {};  ///< what the reader left out or decided
  std::uint64_t entities = 0;
  std::uint64_t relations = 0;
  std::uint64_t named = 0;            ///< entities with a human text
  std::uint64_t unseen_entities = 0;  ///< entities of valid or test that are not in facts or train
  std::uint64_t empty_relations = 0;  ///< relations without any known fact
  std::vector<SplitStats> splits;     ///< those that hold facts
  std::vector<Overlap> overlaps;      ///< pairs of splits that share facts
  Degrees degrees;                    ///< of the known graph, both directions
  std::vector<Relation> by_relation;  ///< most facts first
};

/// "family: 3,007 entities, 12 relations, 23,483 facts, 2,038 validation, 2,835 test", and what the
/// reader noted, a line each.
std::string headline(const Dataset& dataset);

Result<Stats> statistics(const Dataset& dataset, unsigned threads = 0,
                         const Observer& observer = {});
Json to_json(const Stats& stats);
/// The same for people, a few lines with the defects spelled out.
std::string to_text(const Stats& stats);

/// How two graphs relate when rules are learned on one and asked on the other (GraIL's X and
/// X_ind). Entities and relations are the same where their names are.
struct Transfer {
  std::string learned;  ///< the dataset that is learned from
  std::string asked;    ///< the one that is asked about
  std::uint64_t shared_entities = 0;
  std::uint64_t shared_relations = 0;
  std::uint64_t new_relations = 0;  ///< relations asked about that no known fact of `learned` has
  std::uint64_t new_relation_facts = 0;  ///< test facts of these
};

Transfer transfer(const Dataset& learned, const Dataset& asked);
Json to_json(const Transfer& transfer);
std::string to_text(const Transfer& transfer);

}  // namespace lerpp
