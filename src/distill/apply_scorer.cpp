// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <lerp/distill/apply.hpp>

#include "logic/anyburl_walk.hpp"
#include "logic/walk.hpp"

namespace lerpp {
namespace {

/// The answers of one query with the confidences that speak for each, highest first.
class QueryAnswers {
 public:
  void add(EntityId entity, double confidence) {
    const auto [place, is_new] = places_.try_emplace(entity, lists_.size());
    if (is_new) lists_.push_back({entity, {}});
    lists_[place->second].confidences.push_back(confidence);
  }

  void score(Aggregation aggregation, Scores& scores) {
    scores.clear(0);
    if (aggregation == Aggregation::max) {
      rank(scores);
      return;
    }
    for (const List& list : lists_) {
      double sum = 0;
      for (const double one : list.confidences) {
        sum += aggregation == Aggregation::sum ? one : -std::log1p(-std::min(one, most));
      }
      scores.add(list.entity, static_cast<float>(sum));
    }
  }

 private:
  struct List {
    EntityId entity = 0;
    std::vector<double> confidences;
  };
  /// A rule that is never wrong is as sure as can be, and leaves room for a second one.
  static constexpr double most = 1 - 1e-12;

  /// No number says how long lists compare, but their place in the order does.
  void rank(Scores& scores) {
    std::ranges::sort(lists_, {}, &List::confidences);
    float place = 0;
    const List* before = nullptr;
    for (const List& list : lists_) {
      if (before == nullptr || before->confidences != list.confidences) ++place;
      scores.add(list.entity, place);
      before = &list;
    }
  }

  std::unordered_map<EntityId, std::size_t> places_;
  std::vector<List> lists_;
};

/// Evaluators keep what they have computed and serve one thread at a time.
class EvaluatorPool {
 public:
  explicit EvaluatorPool(const Graph& graph) : graph_(graph) {}

  std::unique_ptr<Evaluator> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Evaluator>(graph_);
    std::unique_ptr<Evaluator> one = std::move(free_.back());
    free_.pop_back();
    return one;
  }
  void give_back(std::unique_ptr<Evaluator> one) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(one));
  }

 private:
  const Graph& graph_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Evaluator>> free_;
};

class RuleScorer final : public Scorer {
 public:
  RuleScorer(std::span<const ConfidentRule> rules, const Graph& known, Aggregation aggregation)
      : known_(known), aggregation_(aggregation), targets_(known.operators()), pool_(known) {
    std::vector<const ConfidentRule*> order;
    for (const ConfidentRule& one : rules) order.push_back(&one);
    // Highest first: the lists of candidates are then in order as they grow.
    std::ranges::stable_sort(order, std::ranges::greater(), &ConfidentRule::confidence);
    for (const ConfidentRule* one : order) {
      if (aggregation != Aggregation::sum && !(one->confidence > 0)) continue;
      std::visit([&](const auto& rule) { add(rule, one->confidence); }, one->rule);
    }
  }

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    if (queries.empty()) return;
    const OperatorId target = queries.front().target;
    std::vector<QueryAnswers> candidates(queries.size());
    std::unique_ptr<Evaluator> evaluator = pool_.take();
    EntitySet scratch(known_.entities());
    const auto each_query = [&](double confidence, const auto& answers) {
      for (std::size_t i = 0; i < queries.size(); ++i) {
        for (const EntityId y : answers(queries[i].start)) candidates[i].add(y, confidence);
      }
    };
    for (const ConfidentRule& one : targets_[target]) {
      if (const Rule* rule = std::get_if<Rule>(&one.rule)) {
        Walk walk(*rule, *evaluator);
        each_query(one.confidence, [&](EntityId start) -> const std::vector<EntityId>& {
          return walk.from(start).back();
        });
      } else {
        AnyburlWalk walk(std::get<AnyburlRule>(one.rule), known_, scratch);
        each_query(one.confidence, [&](EntityId start) -> const std::vector<EntityId>& {
          return walk.answers(target, start);
        });
      }
    }
    for (std::size_t i = 0; i < queries.size(); ++i) {
      candidates[i].score(aggregation_, scores[i]);
    }
    pool_.give_back(std::move(evaluator));
  }

 private:
  void add(const Rule& rule, double confidence) {
    targets_[rule.target()].push_back({rule, confidence});
    targets_[known_.inverse(rule.target())].push_back(
        {reversed(rule, known_.relations()), confidence});
  }
  void add(const AnyburlRule& rule, double confidence) {
    targets_[rule.target].push_back({rule, confidence});
    if (!rule.directed) targets_[known_.inverse(rule.target)].push_back({rule, confidence});
  }

  const Graph& known_;
  Aggregation aggregation_;
  std::vector<std::vector<ConfidentRule>> targets_;
  mutable EvaluatorPool pool_;
};

}  // namespace

std::unique_ptr<Scorer> make_scorer(std::span<const ConfidentRule> rules, const Graph& known,
                                    Aggregation aggregation) {
  return std::make_unique<RuleScorer>(rules, known, aggregation);
}

}  // namespace lerpp
