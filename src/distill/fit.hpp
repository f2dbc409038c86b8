// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "distill/prior_mass.hpp"
#include "model/buffer.hpp"
#include "model/rule_groups.hpp"
#include "model/score_loss.hpp"
#include "read/rule_features.hpp"
#include "read/teacher.hpp"

namespace lerpp {

/// The weights of one target's rules, fitted to training queries whose facts are hidden, under the
/// softmax over all entities but the other known answers. Rules are numbered: the path rules of
/// the table first, then for each operator "y takes part in it". Path rules may be in groups that
/// share a logarithm.
class RuleFit {
 public:
  struct Settings {
    double rate = 0.05;
    double last_rate = 0.005;  ///< of the last step
    double decay = 0;
    std::uint32_t epochs = 1;
    std::size_t least_steps = 0;         ///< few questions are passed over more often
    const Observer* observer = nullptr;  ///< may end it early
  };
  /// Of a rule in a group, `once` is the logarithm of its amount, and `more` means nothing.
  using Weights = ListWeights;

  /// `opinions` are the soft model's on the questions of all tables; each question is learned as
  /// if `trust` of its answer were theirs. There may be none.
  RuleFit(const Graph& graph, std::shared_ptr<const PriorClasses> classes,
          std::vector<Opinion> opinions, double trust, std::uint64_t seed);

  /// The entities of the opinion on a question.
  std::span<const EntityId> named(std::size_t query) const {
    return query < opinions_.size() ? std::span<const EntityId>(opinions_[query].entities)
                                    : std::span<const EntityId>();
  }

  std::size_t paths() const { return weights_.size() - graph_.operators(); }
  std::size_t size() const { return weights_.size(); }
  std::vector<Weights>& weights() { return weights_; }
  const std::vector<Weights>& weights() const { return weights_; }
  /// Rules that are off weigh nothing and stay so.
  std::vector<std::uint8_t>& on() { return on_; }
  const std::vector<std::uint8_t>& on() const { return on_; }

  /// Returns the mean loss of the last pass.
  double learn(const FeatureTable& table, const Settings& settings);
  /// By how much the mean loss over some queries would rise without each rule, the others as they
  /// are.
  std::vector<double> costs(const FeatureTable& table, std::size_t queries);
  /// By how much, about, one Newton step on a weight of each candidate would lower it.
  std::vector<double> gains(const FeatureTable& table, RuleExplorer& candidates, std::size_t count,
                            std::size_t queries);

  /// Keeps some path rules, as FeatureTable does.
  void keep(std::span<const std::uint32_t> numbers);
  /// Adds path rules that weigh nothing yet.
  void grow(std::size_t paths);
  /// Puts a path rule in a group. Their numbers are 1, 2, …
  void join(std::size_t rule, std::uint32_t group, double amount);
  /// The group of a rule, 0 where it is in none, and its amount.
  std::uint32_t group(std::size_t rule) const { return rule < paths() ? group_[rule] : 0; }
  float amount(std::size_t rule) const { return std::exp(weights_[rule].once); }
  /// By number; there is none of number 0.
  std::vector<float>& group_weights() { return group_weights_; }
  const std::vector<float>& group_weights() const { return group_weights_; }

 private:
  using Feature = PriorMass::Feature;
  struct Amount;

  void refresh_prior() { prior_.weigh({weights_.data() + paths(), graph_.operators()}); }
  /// What an entity takes part in while the query's fact is hidden.
  std::span<const Feature> features(OperatorId target, const Question& question, EntityId entity);
  /// Whether that differs from what it takes part in otherwise.
  static bool differs(const Question& question, EntityId entity) {
    return question.fact && (entity == question.start || entity == question.answer);
  }
  /// Adds what the rules say of the entities that the query leads to, and finds the loss.
  double evaluate(const FeatureTable& table, std::size_t query);
  void add_evidence(const FeatureTable& table, std::size_t query);
  /// Takes the entities that the query leads to, and the other known answers, from the rest.
  void find_rest(const FeatureTable& table, std::size_t query);
  /// Notes what the soft model thinks of first, by place.
  void find_own_shares(const FeatureTable& table, std::size_t query);
  /// Makes slope_ the gradient of the query that was evaluated, as its opinion wants it.
  void trust_opinion(const Question& question, std::size_t query);
  /// Leaves the softmax of a query in shares_, and its gradient in slope_.
  void find_shares(const FeatureTable& table, std::size_t query);
  /// Where they are found: the share that is wanted of an entity.
  double wanted(std::size_t place) const { return double{shares_[place]} - double{slope_[place]}; }
  /// Of the entities that no rule with a path reaches: a share, as a multiple of their mass.
  double of_mass(std::span<const float> shares) const {
    return rest_ > 0 ? double{shares.back()} / rest_ : 0;
  }
  void add_path_costs(const FeatureTable& table, std::size_t query, std::vector<double>& costs);
  void add_prior_costs(const FeatureTable& table, std::size_t query,
                       std::span<const Amount> evidence, std::vector<double>& lost,
                       std::vector<double>& costs);
  /// From the places of a query to all entities.
  void spread(const FeatureTable& table, std::size_t query, std::span<const float> of_places,
              std::vector<float>& of_entities) const;
  void learn_query(const FeatureTable& table, std::size_t query, float share);
  void learn_prior(const FeatureTable& table, std::size_t query, double least);
  void learn_rest();
  void add_slope(std::span<const Feature> features, double slope);
  void learn_paths(const FeatureTable& table, std::size_t query);
  void learn_groups(const FeatureTable& table);
  void step(const Settings& settings, double rate);

  const Graph& graph_;
  Random random_;
  PriorMass prior_;
  std::vector<Weights> weights_, gradient_, first_, second_;
  std::vector<std::uint8_t> on_;
  std::vector<std::uint32_t> group_;  ///< of each path rule
  std::vector<float> group_weights_ = {0}, group_gradient_, group_first_, group_second_;
  std::uint64_t steps_ = 0;
  double rest_slopes_ = 0;  ///< of a batch, as a multiple of the mass of entities

  // Of the query that was evaluated, by the places of its table: the entities that it leads to, and
  // last all others together, but for the other known answers.
  GroupSums groups_;
  Buffer<float> scores_;
  ScoreLoss<float> loss_;
  std::vector<float> slope_, shares_;
  std::vector<EntityId> answers_;  ///< the other known ones
  double rest_ = 0;                ///< the mass of the others

  std::vector<Opinion> opinions_;
  double trust_;
  std::vector<double> own_shares_;       ///< of the entities of the opinion
  std::vector<std::uint32_t> places_;    ///< of those entities
  std::vector<std::uint32_t> place_of_;  ///< of an entity, in the query that used it last
  std::vector<std::uint8_t> listed_;     ///< whether a place is in the opinion
  std::vector<Feature> buffer_;
};

}  // namespace lerpp
