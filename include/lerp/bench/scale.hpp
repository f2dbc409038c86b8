// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/bench/report.hpp>

namespace lerpp {

struct ScaleBenchOptions {
  std::string over = "facts";
  std::uint64_t smallest = 100'000;
  std::uint64_t facts = 0;
  std::uint32_t queries = 3200;
  std::uint32_t ranked = 10'000;
  std::string relations = "5,20,100,500";
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"over", "what grows", {"facts", "relations"}}, self.over);
    visit(Field{"smallest", "facts of the smallest graph; each next one has ten times as many",
                1000, 1e9},
          self.smallest);
    visit(
        Field{"facts",
              "facts of the largest graph; over relations, of the middle one of three. 0 is 10^7, "
              "over relations 20,000",
              0, 1e9},
        self.facts);
    visit(Field{"queries", "queries of the epoch that is timed, about", 1, 1e9}, self.queries);
    visit(Field{"ranked", "queries that are ranked", 2, 1e9}, self.ranked);
    visit(Field{"relations", "numbers of relations, rising, separated by commas"}, self.relations);
    visit(Field{"threads", "how many threads to use; 0 is one for each core", 0, 1024},
          self.threads);
  }
};

struct ScaleBench {
  /// A generated graph: written, loaded, an epoch of the preset `default` learned, and ranked.
  struct Point {
    double facts = 0;
    double load_seconds = 0;   ///< with the graph of both directions
    double step_seconds = 0;   ///< of 16 queries, while they are learned
    double epoch_seconds = 0;  ///< with all that comes before and after the steps
    double rank_seconds = 0;
    double peak_memory_bytes = 0;  ///< since loading
  };
  /// All of `default` on a small graph.
  struct RelationPoint {
    double facts = 0;
    double relations = 0;
    double train_seconds = 0;
  };
  BenchReport report;
  std::vector<Point> points;                   ///< over facts
  std::vector<RelationPoint> relation_points;  ///< over relations, for each number of facts
};

/// How time and memory of loading, learning and ranking grow with the facts; or the time of
/// `default` with the relations, at three numbers of facts, so that a cliff between what it chooses
/// for small and for large graphs shows. Refuses before it starts what memory would not hold.
Result<ScaleBench> bench_scale(const ScaleBenchOptions& options, const Observer& observer = {});
/// The points on logarithmic axes.
std::string to_svg(const ScaleBench& bench);

}  // namespace lerpp
