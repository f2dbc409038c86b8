// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/kg/dataset.hpp>

/// Filtered ranking with all three ways to treat ties.
namespace lerpp {

/// "Which y stand in `target` to `start`?" A tail query r(h, ?) has target r and starts at h; a
/// head query r(?, t) has target R + r and starts at t.
struct Query {
  OperatorId target = 0;
  EntityId start = 0;

  auto operator<=>(const Query&) const = default;
};

/// The scores of every entity for one query: a default, and the entities that differ from it, each
/// named at most once. A model that reaches few entities never fills a vector of all of them.
struct Scores {
  float rest = 0;
  std::vector<EntityId> entities;
  std::vector<float> values;

  void clear(float default_score = 0) {
    rest = default_score;
    entities.clear();
    values.clear();
  }
  void add(EntityId entity, float score) {
    entities.push_back(entity);
    values.push_back(score);
  }
  /// Room for a score of every entity, for models that have one: entities stays empty.
  std::span<float> dense(EntityId entities_count) {
    entities.clear();
    values.resize(entities_count);
    return values;
  }
  bool is_dense() const { return entities.empty() && !values.empty(); }
};

/// Anything that can answer queries.
class Scorer {
 public:
  virtual ~Scorer() = default;
  /// Fills one Scores for each query; all queries of a call have the same target. A Scores may hold
  /// what an earlier call left in it: begin with clear() or dense(). Called from several threads at
  /// once.
  virtual void score(std::span<const Query> queries, std::span<Scores> scores) const = 0;
};

/// How many other candidates score higher than the answer, and how many the same.
struct Rank {
  std::uint64_t greater = 0;
  std::uint64_t equal = 0;

  double optimistic() const { return static_cast<double>(greater + 1); }
  double realistic() const {
    return static_cast<double>(greater + 1) + 0.5 * static_cast<double>(equal);
  }
  double pessimistic() const { return static_cast<double>(greater + 1 + equal); }

  /// Ranks of different queries have nothing in common, but a rank that others left at 0 adds up.
  Rank& operator+=(const Rank& other) {
    greater += other.greater;
    equal += other.equal;
    return *this;
  }
  bool operator==(const Rank&) const = default;
};

/// The rank of `answer` among `entities_count` entities, without the `known` other answers (sorted
/// by entity; the answer itself may be among them). A score that is not a number ranks last. Takes
/// time linear in what the scores list and in what is known.
Rank filtered_rank(const Scores& scores, EntityId entities_count, EntityId answer,
                   std::span<const Edge> known);

struct Measures {
  double mrr = 0;
  double hits_at_1 = 0;
  double hits_at_3 = 0;
  double hits_at_10 = 0;
  double mean_rank = 0;
};

struct Protocols {
  std::uint64_t queries = 0;
  double tied = 0;  ///< share of the queries whose answer shares its score with another candidate
  Measures optimistic;
  Measures realistic;
  Measures pessimistic;
};

struct RankingReport {
  struct Relation {
    std::string name;
    Protocols both;
    Protocols head;
    Protocols tail;
  };

  std::string dataset;
  Split split = Split::test;
  double seconds = 0;
  Protocols both;
  Protocols head;
  Protocols tail;
  std::vector<Relation> relations;  ///< those that the split has facts of
};

struct RankingOptions {
  Split split = Split::test;
  unsigned threads = 0;
  std::size_t batch = 64;   ///< queries of one target handed to the scorer together, at most
  std::uint64_t facts = 0;  ///< rank this many facts, spread evenly over the split; 0 is all
};

/// Ranks the answers of both directions of every fact of a split. Neither threads nor batch change
/// a digit of the report. Whoever ranks more than once makes a plan (eval/ranking_plan.hpp).
Result<RankingReport> rank(const Scorer& scorer, const Dataset& dataset,
                           const RankingOptions& options, const Observer& observer = {});

Json to_json(const RankingReport& report);
/// A table for people: the three protocols beside each other.
std::string to_text(const RankingReport& report);

}  // namespace lerpp
