#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/kg/graph.hpp>

namespace lerpp {

/// Bounds on what is counted.
struct ConstantLimits {
  /// 8 bytes each; counts are kept from 2 on, then from 3, 5, ... until they fit.
  std::size_t entries = 40'000'000;
  /// A trait with no more answers than these keeps those of a single example too.
  std::size_t few = 32;
  /// An entity of more edges is no example: it would cost the square of them.
  std::size_t degree = 10'000;
};

/// How often entities with a trait r(x, c) have q(x, y), for all r, c, q and y of a graph. A trait
/// is a number: one for each (r, c). Everything is counted on the whole graph; what a query must
/// not see is taken off by who reads. Built once, and read by all.
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
  /// A possible answer of a target, and how many examples have it.
  struct Answer {
    EntityId entity = 0;
    std::uint32_t count = 0;
  };

  ConstantTables(const Graph& graph, Team& team, const ConstantLimits& limits = {});

  const Graph& graph() const { return *graph_; }
  std::size_t traits() const { return examples_.size(); }
  /// Which trait the edge at this place of graph().edges() gives to the entity of its row.
  std::uint32_t trait(std::size_t place) const { return trait_of_place_[place]; }
  /// How many entities have a trait; hubs do not count.
  std::uint32_t examples(std::uint32_t trait) const { return examples_[trait]; }
  /// Whether an entity counts anywhere, or is a hub.
  bool is_example(EntityId entity) const { return graph_->edges(entity).size() <= most_degree_; }

  /// The traits that say something about a target, in rising order.
  std::span<const Row> rows(OperatorId target) const {
    return {rows_.data() + row_starts_[target], rows_.data() + row_starts_[target + 1]};
  }
  /// In rising order of the answers.
  std::span<const Entry> entries(const Row& row) const {
    return {entries_.data() + row.first, row.size};
  }
  std::span<const Answer> answers(OperatorId target) const {
    return {answers_.data() + answer_starts_[target], answers_.data() + answer_starts_[target + 1]};
  }
  /// How many examples have any answer of a target.
  std::uint32_t answering(OperatorId target) const { return answering_[target]; }

  /// Memory held, for reports.
  std::size_t bytes() const;

 private:
  struct Slice;

  void number_traits();
  bool count(Team& team, std::size_t most_entries);

  const Graph* graph_;
  std::size_t most_degree_;
  std::size_t few_;
  std::uint32_t least_ = 2;
  std::vector<std::uint32_t> trait_of_place_;
  std::vector<std::uint32_t> examples_;
  std::vector<Row> rows_;
  std::vector<std::size_t> row_starts_;  ///< one more than there are targets, as all starts
  std::vector<Entry> entries_;
  std::vector<Answer> answers_;
  std::vector<std::size_t> answer_starts_;
  std::vector<std::uint32_t> answering_;
};

}  // namespace lerpp
