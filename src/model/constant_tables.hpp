// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/kg/graph.hpp>

namespace lerpp {

class ConstantCounter;

/// Bounds on what is counted.
struct ConstantLimits {
  /// Of a trait for a target. The least count rises from 1 until no more answers have it.
  std::size_t answers = 128;
  /// Of all traits, 8 bytes each. Where there are more, `answers` is halved; where even one is too
  /// many, low counts are left out.
  std::size_t entries = 40'000'000;
  /// An entity of more edges is no example: it would cost the square of them.
  std::size_t degree = 10'000;
  /// Edges looked at, or 10 for each edge of the graph where that is more: `degree` is halved until
  /// they suffice, so that the cost is linear in the graph.
  std::size_t looks = 1'000'000'000;
  /// Edges up to which the trait of each is written down, at 4 bytes an edge.
  std::size_t places = 50'000'000;
  /// Entities up to which each reader has arrays of all of them; it searches the tables otherwise.
  std::size_t arrays = std::size_t{1} << 18U;
};

/// How often entities with a trait r(x, c) have q(x, y), for all r, c, q and y of a graph. A trait
/// is a number: one for each (r, c) that at least two examples have, from 1 on; 0 is all others, of
/// which nothing can be said. Everything is counted on the whole graph; what a query must not see
/// is taken off by who reads. Built once, and read by all.
class ConstantTables {
 public:
  struct Entry {
    EntityId answer = 0;
    std::uint32_t count = 0;

    bool operator==(const Entry&) const = default;
  };
  /// The entries of a trait for one target.
  struct Row {
    std::uint32_t trait = 0;
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    std::uint32_t least = 0;  ///< lower counts are not kept, and must say nothing
  };
  /// How much is kept of a trait for a target.
  struct Keep {
    std::size_t answers = 0;  ///< the least count rises until no more have it
    std::uint32_t least = 1;  ///< and is no lower than this
  };
  /// A possible answer of a target, and how many examples have it.
  struct Answer {
    EntityId entity = 0;
    std::uint32_t count = 0;
  };

  /// Incomplete where the observer asks to stop: the caller asks too.
  ConstantTables(const Graph& graph, Team& team, const ConstantLimits& limits = {},
                 const Observer& observer = {});

  const Graph& graph() const { return *graph_; }
  /// Whether arrays of all entities or traits would be too much for each reader.
  bool is_large() const { return is_large_; }
  std::size_t traits() const { return examples_.size(); }
  /// Which trait the edge at this place of graph().edges() gives to the entity of its row.
  std::uint32_t trait(std::size_t place) const {
    return trait_of_place_.empty() ? find(graph_->edges()[place]) : trait_of_place_[place];
  }
  /// Calls `action(trait, members)` for the traits of a constant, with all who have each.
  template <class Action>
  void for_each_trait(EntityId constant, Action&& action) const {
    for (std::uint32_t trait = trait_starts_[constant]; trait < trait_starts_[constant + 1];
         ++trait) {
      action(trait, graph_->edges(constant, trait_operators_[trait]));
    }
  }
  /// How many entities have a trait; hubs do not count.
  std::uint32_t examples(std::uint32_t trait) const { return examples_[trait]; }
  /// Whether an entity counts anywhere, or is a hub.
  bool is_example(EntityId entity) const { return (hubs_[entity / 64] >> (entity % 64) & 1U) == 0; }

  /// The traits that say something about a target, in rising order.
  std::span<const Row> rows(OperatorId target) const {
    return {rows_.data() + row_starts_[target], rows_.data() + row_starts_[target + 1]};
  }
  /// In rising order of the answers.
  std::span<const Entry> entries(const Row& row) const {
    return {entries_.data() + row.first, row.size};
  }
  /// The answers that at least two examples have; what is not listed counts as had by one.
  std::span<const Answer> answers(OperatorId target) const {
    return {answers_.data() + answer_starts_[target], answers_.data() + answer_starts_[target + 1]};
  }
  /// How many examples have any answer of a target.
  std::uint32_t answering(OperatorId target) const { return answering_[target]; }

  /// Memory held, for reports.
  std::size_t bytes() const;

 private:
  /// Constants that one worker counts, and where its rows of them lie.
  struct Range;

  std::uint32_t find(const Edge& edge) const;
  void find_hubs(const ConstantLimits& limits);
  void number_traits(Team& team, std::size_t most_places, const Observer& observer);
  void list_answers();
  void count(Team& team, const ConstantLimits& limits, const Observer& observer);
  void assemble(std::span<ConstantCounter> counters, std::span<const Range> ranges);

  const Graph* graph_;
  bool is_large_;
  std::vector<std::uint64_t> hubs_;            ///< one bit an entity
  std::vector<std::uint32_t> trait_starts_;    ///< of each constant, and the end
  std::vector<OperatorId> trait_operators_;    ///< that lead from the constant to who has it
  std::vector<std::uint32_t> examples_;        ///< by trait
  std::vector<std::uint32_t> trait_of_place_;  ///< none on a large graph: then it is searched for
  std::vector<Row> rows_;
  std::vector<std::size_t> row_starts_;  ///< one more than there are targets, as all starts
  std::vector<Entry> entries_;
  std::vector<Answer> answers_;
  std::vector<std::size_t> answer_starts_;
  std::vector<std::uint32_t> answering_;
};

}  // namespace lerpp
