#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include <lerp/base/parallel.hpp>
#include <lerp/read/rules.hpp>

#include "base/random.hpp"
#include "read/evidence.hpp"
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

  RuleReader(const KnownGraph& known, const RulesOptions& options, const Observer& observer);

  Result<RuleReport> read(const std::vector<RelationId>& relations, const Watch& watch,
                          const LiteralsOf& literals);

 private:
  /// A rule while the list is made.
  struct Candidate {
    Rule rule = path_rule(0, {});
    double strength = 0;  ///< what the list is sorted by
    double told = 0;
    double said = 0;
    double times = 0;
    std::array<double, most_sources> of_source = {};

    void add(const Candidate& other);
  };

  /// Same statements become one, the strongest first. Where they said something `together`, it was
  /// about the same answers.
  static std::vector<Candidate> merged(const std::vector<Candidate>& candidates, bool together);
  static void cut(std::vector<Candidate>& candidates, std::size_t most);
  static ReadRule finished(const Candidate& candidate);
  bool wants_sure() const { return options_.confidence > 0 || options_.pca > 0; }
  bool is_sure(const ReadRule& read) const;
  std::vector<Fact> facts_of(RelationId relation, Random& random) const;
  std::vector<Candidate> gather(unsigned worker, RelationId relation, const Watch& watch,
                                std::size_t& asked) const;
  void put_plainly(Candidate& candidate, RuleCounter& counter, const LiteralsOf& literals) const;

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
};

}  // namespace lerpp
