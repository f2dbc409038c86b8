// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/kg/graph.hpp>

namespace lerpp {

/// The body of a chain rule: one to three operators, followed one after the other.
class RelationPath {
 public:
  static constexpr std::size_t most = 3;

  explicit RelationPath(std::span<const OperatorId> operators) : length_(operators.size()) {
    assert(length_ >= 1 && length_ <= most);
    for (std::size_t i = 0; i < length_; ++i) operators_[i] = operators[i];
  }
  RelationPath(std::initializer_list<OperatorId> operators)
      : RelationPath(std::span<const OperatorId>(operators.begin(), operators.size())) {}

  std::size_t length() const { return length_; }
  std::span<const OperatorId> operators() const { return {operators_.data(), length_}; }

  /// The path as one number, never 0, whose order is that of the paths.
  std::uint64_t code(OperatorId operators) const;
  /// Nothing where no path over so many operators has this code.
  static std::optional<RelationPath> from_code(std::uint64_t code, OperatorId operators);

  bool operator==(const RelationPath&) const = default;
  /// As words in a dictionary: what a path begins with comes right before it.
  std::strong_ordering operator<=>(const RelationPath& other) const;

 private:
  std::array<OperatorId, most> operators_ = {};
  std::size_t length_;
};

/// The paths that speak for or against the answers of each target, at most `capacity` a target,
/// each list sorted. A path's place in its list is its place among the parameters.
class PathTable {
 public:
  PathTable() = default;
  /// One list for each of the 2R targets; the order does not matter, and no path stands twice.
  PathTable(RelationId relations, std::uint32_t capacity,
            std::vector<std::vector<RelationPath>> paths);

  RelationId relations() const { return relations_; }
  OperatorId operators() const { return 2 * relations_; }
  std::uint32_t capacity() const { return capacity_; }
  std::span<const RelationPath> of(OperatorId target) const { return paths_[target]; }

  /// One number a path, the paths of one target after those of another. Each target has as many
  /// numbers as `counts` says; 0 where it has fewer paths.
  std::vector<std::uint64_t> flat(std::span<const std::uint32_t> counts) const;
  static Result<PathTable> from_flat(RelationId relations, std::uint32_t capacity,
                                     std::span<const std::uint32_t> counts,
                                     std::span<const std::uint64_t> flat);

  bool operator==(const PathTable&) const = default;

 private:
  RelationId relations_ = 0;
  std::uint32_t capacity_ = 0;
  std::vector<std::vector<RelationPath>> paths_;
};

struct PathOptions {
  std::uint32_t paths = 500;
  std::uint32_t length = 2;
  bool direct = true;
  std::uint32_t queries = 500;
  std::uint32_t walks = 64;
  std::uint32_t fanout = 100;
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"paths", "paths of each target, at most", 1, 1e6}, self.paths);
    visit(Field{"length", "hops of a path, at most", 1, RelationPath::most}, self.length);
    visit(Field{"direct", "paths of one hop count too"}, self.direct);
    visit(Field{"queries", "facts of a target that show which paths lead to answers", 1, 1e9},
          self.queries);
    visit(Field{"walks", "facts among them that show how much else a path leads to", 1, 1e9},
          self.walks);
    visit(Field{"fanout", "entities from which a path is followed on; 0 is all", 0, 4e9},
          self.fanout);
    visit(Field{"seed", "of the sample"}, self.seed);
    visit(Field{"threads", "0 is one for each core", 0, 65536}, self.threads);
  }
};

/// Chooses the paths of each target. All paths of length 1 and 2 from where its facts start, where
/// they fit; then, and where they do not, those with the most support * sqrt(precision).
/// The same for a seed, whatever the number of threads.
Result<PathTable> mine_paths(const Graph& graph, const PathOptions& options,
                             const Observer& observer = {});

}  // namespace lerpp
