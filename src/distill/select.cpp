// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "distill/fit.hpp"

// Which rules a list can do without, and which it lacks.
namespace lerpp {
namespace {

/// A share of a softmax that changes nothing.
constexpr double negligible = 1e-8;

}  // namespace

/// What a rule adds to a score, and the factor less 1 of the entity's share without it.
struct RuleFit::Amount {
  Amount() = default;
  explicit Amount(double added) : value(added), without(std::expm1(-added)) {}

  double value = 0;
  double without = 0;
};

void RuleFit::find_shares(const FeatureTable& table, std::size_t query) {
  evaluate(table, query);
  shares_ = slope_;
  shares_[0] += 1;
  trust_opinion(table.question(query), query);
}

/// Of the path rules, for the query that was evaluated.
void RuleFit::add_path_costs(const FeatureTable& table, std::size_t query,
                             std::vector<double>& costs) {
  const auto add_cost = [&](const FeatureTable::Finding& found, const auto& evidence_of) {
    const std::span<const std::uint32_t> reached = table.entities(found);
    const std::span<const std::uint16_t> counts = table.counts(found);
    Amount evidence;  // most counts are as the one before
    double less = 0;
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const std::uint32_t place = reached[at];
      if (shares_[place] == 0 && slope_[place] == 0) continue;
      const double value = evidence_of(place, counts[at]);
      if (value != evidence.value) evidence = Amount(value);
      less += double{shares_[place]} * evidence.without;
      costs[found.rule] += wanted(place) * evidence.value;
    }
    costs[found.rule] += std::log(std::max(1e-30, 1 + less));
  };
  for (const FeatureTable::Finding& found : table.findings(query)) {
    if (group_[found.rule] != 0) continue;
    const Weights& weights = weights_[found.rule];
    add_cost(found, [&](std::uint32_t, std::uint32_t count) { return double{weights.of(count)}; });
  }
  std::vector<float>& sum_of = groups_.of_entity();
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const auto& [number, findings, sums] = groups_[i];
    const double weight = double{group_weights_[number]};
    for (const auto& [place, sum] : sums) sum_of[place] = sum;
    for (const FeatureTable::Finding* found : findings) {
      const double amount = double{this->amount(found->rule)};
      add_cost(*found, [&](std::uint32_t place, std::uint32_t count) {
        const double sum = double{sum_of[place]};
        // The logarithm of 1 + sum, less that of what is left without the rule.
        return -weight * std::log1p(-std::min(sum, amount * count) / (1 + sum));
      });
    }
    for (const auto& [place, sum] : sums) sum_of[place] = 0;
  }
}

/// Of what entities take part in: as if all were as the rest of the query, and then how far those
/// differ that it leads to.
void RuleFit::add_prior_costs(const FeatureTable& table, std::size_t query,
                              std::span<const Amount> evidence, std::vector<double>& lost,
                              std::vector<double>& costs) {
  const Question& question = table.question(query);
  const std::span<const EntityId> touched = table.touched(query);
  const double shared = of_mass(shares_);
  const double target = shared - of_mass(slope_);
  const auto differ = [&](EntityId entity, double share, double wanted) {
    const double mass = prior_.mass(entity);
    share -= shared * mass;
    wanted -= target * mass;
    if (std::abs(share) < negligible && std::abs(wanted) < negligible) return;
    std::size_t number = prior_.first_feature(entity);
    for (const Feature& feature : prior_.features(entity)) {
      lost[feature.op] += share * evidence[number].without;
      costs[paths() + feature.op] += wanted * evidence[number++].value;
    }
  };
  for (std::size_t place = 0; place < touched.size(); ++place) {
    const EntityId entity = touched[place];
    if (!differs(question, entity)) {
      differ(entity, double{shares_[place]}, wanted(place));
      continue;
    }
    differ(entity, 0, 0);
    for (const auto& [op, times] : features(table.target(), question, entity)) {
      const Amount own(double{weights_[paths() + op].of(times)});
      lost[op] += double{shares_[place]} * own.without;
      costs[paths() + op] += wanted(place) * own.value;
    }
  }
  for (const EntityId entity : answers_) differ(entity, 0, 0);
}

/// Without what a rule adds to the scores, sum_y share(y) exp(score(y)) shrinks, and so does the
/// score that is wanted.
std::vector<double> RuleFit::costs(const FeatureTable& table, std::size_t queries) {
  std::vector<double> costs(weights_.size());
  const std::size_t count = std::min(queries, table.size());
  refresh_prior();
  std::vector<Amount> evidence;  // of each feature of each class
  for (const Feature& feature : prior_.all_features())
    evidence.emplace_back(double{weights_[paths() + feature.op].of(feature.times)});
  const std::vector<double> without =
      prior_.sums([&](std::size_t number) { return evidence[number].without; });
  const std::vector<double> value =
      prior_.sums([&](std::size_t number) { return evidence[number].value; });
  std::vector<double> lost(graph_.operators());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t query = i * table.size() / count;
    find_shares(table, query);
    add_path_costs(table, query, costs);
    for (OperatorId op = 0; op < graph_.operators(); ++op) {
      lost[op] = of_mass(shares_) * without[op];
      costs[paths() + op] += (of_mass(shares_) - of_mass(slope_)) * value[op];
    }
    add_prior_costs(table, query, evidence, lost, costs);
    for (OperatorId op = 0; op < graph_.operators(); ++op)
      costs[paths() + op] += std::log(std::max(1e-30, 1 + lost[op]));
  }
  for (double& cost : costs) cost /= static_cast<double>(std::max<std::size_t>(1, count));
  return costs;
}

void RuleFit::spread(const FeatureTable& table, std::size_t query, std::span<const float> of_places,
                     std::vector<float>& of_entities) const {
  const double rest = of_mass(of_places);
  for (EntityId entity = 0; entity < of_entities.size(); ++entity)
    of_entities[entity] = static_cast<float>(rest * prior_.mass(entity));
  for (const EntityId entity : answers_) of_entities[entity] = 0;
  const std::span<const EntityId> touched = table.touched(query);
  for (std::size_t place = 0; place < touched.size(); ++place)
    of_entities[touched[place]] = of_places[place];
}

std::vector<double> RuleFit::gains(const FeatureTable& table, RuleExplorer& candidates,
                                   std::size_t count, std::size_t queries) {
  std::vector<double> slopes(count);
  std::vector<double> curvatures(count);
  std::vector<float> shares(graph_.entities());  // of all entities
  std::vector<float> slopes_of(graph_.entities());
  refresh_prior();
  queries = std::min(queries, table.size());
  for (std::size_t i = 0; i < queries; ++i) {
    const std::size_t query = i * table.size() / queries;
    find_shares(table, query);
    spread(table, query, shares_, shares);
    spread(table, query, slope_, slopes_of);
    const RuleWalk& walk = candidates.walk(table.question(query));
    for (const RuleWalk::Finding& found : walk.findings()) {
      double slope = 0;
      double share = 0;
      for (const EntityId entity : walk.entities(found)) {
        slope += double{slopes_of[entity]};
        share += double{shares[entity]};
      }
      slopes[found.rule] += slope;
      curvatures[found.rule] += share * (1 - share);
    }
  }
  // A few queries more of curvature: a rule that speaks once proves nothing.
  constexpr double caution = 2;
  std::vector<double> gains(count);
  for (std::size_t i = 0; i < count; ++i)
    gains[i] = slopes[i] * slopes[i] / (2 * (std::max(0.0, curvatures[i]) + caution));
  return gains;
}

}  // namespace lerpp
