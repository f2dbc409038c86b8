// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include <lerp/base/parallel.hpp>
#include <lerp/read/rules.hpp>

#include "base/random.hpp"
#include "read/evidence.hpp"
#include "read/reading.hpp"
#include "read/rule_counter.hpp"
#include "read/rule_features.hpp"

namespace lerpp {

/// Makes the list of rules from what a model, or whatever answers questions, says while it is
/// watched.
class RuleReader {
 public:
  /// Books the questions of one target. Workers call it at the same time.
  using Watch = std::function<void(unsigned worker, OperatorId target, std::span<const Question>,
                                   Random&, Ledger&)>;
  /// What may be said of the ends of a target's answers beside a body; none for nothing.
  using LiteralsOf = std::function<std::vector<Literal>(OperatorId target)>;

  RuleReader(const KnownGraph& known, const RulesOptions& options, const Observer& observer,
             Readings readings = {});

  /// How many rules of a relation are read, though fewer may be shown.
  static std::size_t entries_kept(const RulesOptions& options);

  /// Those of the relations that have not been read.
  std::vector<RelationId> unread(const std::vector<RelationId>& relations) const;
  /// Reads them.
  Result<void> read(const std::vector<RelationId>& relations, const Watch& watch,
                    const LiteralsOf& literals);
  /// The list of what was read, counted.
  Result<RuleReport> list(const std::vector<RelationId>& relations);

  const Readings& readings() const { return readings_; }
  /// Whether they are more than what was given.
  bool has_read() const { return has_read_; }

 private:
  /// A rule while it is read.
  struct Candidate {
    Rule rule = path_rule(0, {});
    double told = 0;
    double said = 0;
    double groundings = 0;
    std::vector<std::uint32_t> answers = {};  ///< rising
    std::array<double, most_sources> of_source = {};

    void add(const Candidate& other);
    double weight() const;
  };

  /// Same statements become one, the largest share first.
  static std::vector<Candidate> merged(std::vector<Candidate> candidates);
  static ReadRule finished(const Candidate& candidate);
  bool wants_sure() const { return options_.confidence > 0 || options_.pca > 0; }
  bool is_sure(const ReadRule& read) const;
  bool is_listed(const ReadRule& read) const;
  std::vector<Fact> facts_of(RelationId relation, Random& random) const;
  std::vector<Candidate> gather(unsigned worker, RelationId relation, const Watch& watch,
                                RelationReading& reading) const;
  Rule put_plainly(const Candidate& candidate, RuleCounter& counter,
                   const LiteralsOf& literals) const;
  void count(std::span<RelationReading::Entry* const> entries);
  RuleCounter& counter(unsigned worker);

  /// Calls work(worker, place) for each place, and reports.
  template <class Work>
  void each(std::string_view stage, std::string_view unit, std::size_t count, Work&& work) const {
    std::size_t done = 0;
    std::mutex mutex;
    run_blocks(count, 1, worker_count(options_.threads),
               [&](unsigned worker, std::size_t place, std::size_t /*last*/) {
                 if (observer_.stopped()) return;
                 work(worker, place);
                 const std::lock_guard lock(mutex);
                 observer_.report({stage, ++done, count, unit, {}});
               });
  }

  const KnownGraph& known_;
  const RulesOptions& options_;
  const Graph& graph_;
  Graph valid_;  ///< of the validation facts that are not known
  const Observer& observer_;
  Readings readings_;
  bool has_read_ = false;
  std::vector<std::unique_ptr<RuleCounter>> counters_;  ///< one for each worker that has counted
};

}  // namespace lerpp
