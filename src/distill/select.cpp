// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "distill/fit.hpp"

// Which rules a list can do without, and which it lacks.
namespace lerpp {
namespace {

/// What a rule adds to a score, and the factor less 1 of the entity's share without it.
struct Amount {
  Amount() = default;
  explicit Amount(double added) : value(added), without(std::expm1(-added)) {}

  double value = 0;
  double without = 0;
};

}  // namespace

void RuleFit::find_shares(const FeatureTable& table, std::size_t query) {
  const Question question = table.question(query);
  evaluate(table, query, 0);
  shares_.assign(graph_.entities(), 0);
  for (std::size_t at = 0; at < loss_.entities().size(); ++at)
    shares_[loss_.entities()[at]] = loss_.gradient()[at];
  shares_[question.answer] += 1;
  find_slopes(question, query);
}

/// Of the path rules, for the query that was evaluated.
void RuleFit::add_path_costs(const FeatureTable& table, std::size_t query,
                             std::vector<double>& costs) {
  const auto add_cost = [&](const FeatureTable::Finding& found, const auto& evidence_of) {
    const std::span<const EntityId> reached = table.entities(found);
    const std::span<const std::uint16_t> counts = table.counts(found);
    Amount evidence;  // most counts are as the one before
    double less = 0;
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const EntityId entity = reached[at];
      if (shares_[entity] == 0 && slope_[entity] == 0) continue;
      const double value = evidence_of(entity, counts[at]);
      if (value != evidence.value) evidence = Amount(value);
      less += double{shares_[entity]} * evidence.without;
      costs[found.rule] += wanted(entity) * evidence.value;
    }
    costs[found.rule] += std::log(std::max(1e-30, 1 + less));
  };
  for (const FeatureTable::Finding& found : table.findings(query)) {
    if (group_[found.rule] != 0) continue;
    const Weights& weights = weights_[found.rule];
    add_cost(found, [&](EntityId, std::uint32_t count) { return double{weights.of(count)}; });
  }
  std::vector<float>& sum_of = groups_.of_entity();
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const auto& [number, findings, sums] = groups_[i];
    const double weight = double{group_weights_[number]};
    for (const auto& [entity, sum] : sums) sum_of[entity] = sum;
    for (const FeatureTable::Finding* found : findings) {
      const double amount = double{this->amount(found->rule)};
      add_cost(*found, [&](EntityId entity, std::uint32_t count) {
        const double sum = double{sum_of[entity]};
        return weight * (std::log1p(sum) - std::log1p(std::max(0.0, sum - amount * count)));
      });
    }
    for (const auto& [entity, sum] : sums) sum_of[entity] = 0;
  }
}

/// Without what a rule adds to the scores, sum_y share(y) exp(score(y)) shrinks, and so does the
/// score that is wanted.
std::vector<double> RuleFit::costs(const FeatureTable& table, std::size_t queries) {
  std::vector<double> costs(weights_.size());
  const std::size_t count = std::min(queries, table.size());
  std::vector<double> lost(graph_.operators());
  std::vector<double> share(classes_->size());
  std::vector<double> want(classes_->size());
  refresh_prior();
  std::vector<Amount> of_classes;  // of each feature of each class
  const auto evidence_of = [&](const Feature& feature) {
    return Amount(double{weights_[paths() + feature.op].of(feature.times)});
  };
  for (std::size_t number = 0; number < share.size(); ++number) {
    for (const Feature& feature : classes_->features(number))
      of_classes.push_back(evidence_of(feature));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t query = i * table.size() / count;
    const Question question = table.question(query);
    find_shares(table, query);
    add_path_costs(table, query, costs);
    // Entities of a class have the same prior, but for the two that the hidden fact touches.
    std::fill(lost.begin(), lost.end(), 0);
    std::fill(share.begin(), share.end(), 0);
    std::fill(want.begin(), want.end(), 0);
    const auto count_prior = [&](OperatorId op, const Amount& evidence, double shared,
                                 double target) {
      lost[op] += shared * evidence.without;
      costs[paths() + op] += target * evidence.value;
    };
    for (const EntityId entity : sloped_) {
      if (entity == question.start || entity == question.answer) {
        for (const Feature& feature : features(table.target(), question, entity))
          count_prior(feature.op, evidence_of(feature), double{shares_[entity]}, wanted(entity));
      } else {
        share[classes_->of_entities()[entity]] += double{shares_[entity]};
        want[classes_->of_entities()[entity]] += wanted(entity);
      }
    }
    const Amount* evidence = of_classes.data();
    for (std::size_t number = 0; number < share.size(); ++number) {
      for (const Feature& feature : classes_->features(number))
        count_prior(feature.op, *evidence++, share[number], want[number]);
    }
    for (OperatorId op = 0; op < graph_.operators(); ++op)
      costs[paths() + op] += std::log(std::max(1e-30, 1 + lost[op]));
    for (const EntityId entity : sloped_) slope_[entity] = 0;
  }
  for (double& cost : costs) cost /= static_cast<double>(std::max<std::size_t>(1, count));
  return costs;
}

std::vector<double> RuleFit::gains(const FeatureTable& table, RuleExplorer& candidates,
                                   std::size_t count, std::size_t queries) {
  std::vector<double> slopes(count);
  std::vector<double> curvatures(count);
  refresh_prior();
  queries = std::min(queries, table.size());
  for (std::size_t i = 0; i < queries; ++i) {
    const std::size_t query = i * table.size() / queries;
    find_shares(table, query);
    const RuleWalk& walk = candidates.walk(table.question(query));
    for (const RuleWalk::Finding& found : walk.findings()) {
      double slope = 0;
      double share = 0;
      for (const EntityId entity : walk.entities(found)) {
        slope += double{slope_[entity]};
        share += double{shares_[entity]};
      }
      slopes[found.rule] += slope;
      curvatures[found.rule] += share * (1 - share);
    }
    for (const EntityId entity : sloped_) slope_[entity] = 0;
  }
  // A few queries more of curvature: a rule that speaks once proves nothing.
  constexpr double caution = 2;
  std::vector<double> gains(count);
  for (std::size_t i = 0; i < count; ++i)
    gains[i] = slopes[i] * slopes[i] / (2 * (std::max(0.0, curvatures[i]) + caution));
  return gains;
}

}  // namespace lerpp
