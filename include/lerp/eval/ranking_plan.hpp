// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lerp/eval/ranking.hpp>

namespace lerpp {

/// Everything that ranking needs to know of a dataset, found once: what is asked, sorted and cut
/// into batches, and which answers are known. A ranking may use it any number of times, at the same
/// time too. It depends on dataset and options alone, not on threads or machines.
class RankingPlan {
 public:
  static Result<RankingPlan> make(const Dataset& dataset, const RankingOptions& options,
                                  const Observer& observer = {});
  /// Of these facts in place of those of a split.
  static Result<RankingPlan> make(const Dataset& dataset, std::span<const Fact> facts,
                                  const RankingOptions& options, const Observer& observer = {});

  /// One answer to be ranked; `place` is where its rank goes: 2i for the tail query of fact i, 2i +
  /// 1 for its head query.
  struct Asked {
    Query query;
    EntityId answer = 0;
    std::size_t place = 0;

    bool operator<(const Asked& other) const {
      return query != other.query ? query < other.query : answer < other.answer;
    }
  };
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  const std::string& dataset() const { return dataset_; }
  const RankingOptions& options() const { return options_; }
  EntityId entities() const { return entities_; }
  std::span<const Fact> facts() const { return facts_; }
  /// Of a relation that the plan has facts of.
  const std::string& relation(RelationId relation) const { return relations_[relation]; }

  /// Queries with all of their answers, each query once.
  std::size_t groups() const { return groups_.size(); }
  std::span<const Asked> asked(std::size_t group) const {
    return {asked_.data() + groups_[group].first, asked_.data() + groups_[group].last};
  }
  const Query& query(std::size_t group) const { return asked_[groups_[group].first].query; }
  /// The answers of every split, in rising order.
  std::span<const Edge> known(std::size_t group) const {
    return {known_.data() + known_places_[group].first, known_.data() + known_places_[group].last};
  }

  /// Ranges of groups of one target; later ones are smaller, so that no thread has much to do when
  /// the others are done.
  std::span<const Range> batches() const { return batches_; }
  std::size_t ranks() const { return asked_.size(); }

 private:
  RankingPlan() = default;
  void make_groups(RelationId relations);
  void make_batches();
  void find_known(const Dataset& dataset, const Observer& observer);

  std::string dataset_;
  RankingOptions options_;
  EntityId entities_ = 0;
  std::vector<Fact> facts_;
  std::vector<std::string> relations_;
  std::vector<Asked> asked_;
  std::vector<Range> groups_;
  std::vector<Range> batches_;
  std::vector<Edge> known_;
  std::vector<Range> known_places_;
};

/// What one of several processes ranks: the batches whose number modulo `parts` is `part`.
struct RankingShare {
  std::size_t part = 0;
  std::size_t parts = 1;
};

/// The rank of each answer at its place, 0 where it is another's to rank: the shares add up to all
/// ranks.
Result<std::vector<Rank>> rank_share(const Scorer& scorer, const RankingPlan& plan,
                                     RankingShare share, const Observer& observer = {});
/// `ranks` holds all of them.
RankingReport report_ranks(const RankingPlan& plan, std::span<const Rank> ranks);

/// As `rank` of a dataset.
Result<RankingReport> rank(const Scorer& scorer, const RankingPlan& plan,
                           const Observer& observer = {});

}  // namespace lerpp
