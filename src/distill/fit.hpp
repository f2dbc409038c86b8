// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "model/buffer.hpp"
#include "model/log_table.hpp"
#include "model/prior_term.hpp"
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
  struct Weights {
    float once = 0;
    float more = 0;

    float of(std::uint32_t groundings) const {
      return once + more * static_cast<float>(log_of_count(groundings));
    }
  };

  /// `opinions` are the soft model's on the questions of all tables; each question is learned as
  /// if `trust` of its answer were theirs. There may be none.
  RuleFit(const Graph& graph, std::shared_ptr<const PriorClasses> classes,
          std::vector<Opinion> opinions, double trust, std::uint64_t seed);

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
  using Feature = PriorClasses::Feature;

  void refresh_prior();
  float prior_of(std::span<const Feature> features) const;
  /// What an entity takes part in while the query's fact is hidden.
  std::span<const Feature> features(OperatorId target, const Question& question, EntityId entity);
  double evaluate(const FeatureTable& table, std::size_t query, double thin);
  /// Makes slope_ the gradient of the query that was evaluated.
  void find_slopes(const Question& question, std::size_t query);
  /// Both, of every entity: of the softmax, and of the gradient.
  void find_shares(const FeatureTable& table, std::size_t query);
  /// Where they are found: the share that is wanted of an entity.
  double wanted(EntityId entity) const { return double{shares_[entity]} - double{slope_[entity]}; }
  void add_path_costs(const FeatureTable& table, std::size_t query, std::vector<double>& costs);
  void learn_prior(const FeatureTable& table, const Question& question);
  void learn_paths(const FeatureTable& table, std::size_t query);
  void learn_groups(const FeatureTable& table);
  void step(const Settings& settings, double rate);

  const Graph& graph_;
  std::shared_ptr<const PriorClasses> classes_;
  Random random_;
  std::vector<Weights> weights_, gradient_, first_, second_;
  std::vector<std::uint8_t> on_;
  std::vector<std::uint32_t> group_;  ///< of each path rule
  std::vector<float> group_weights_ = {0}, group_gradient_, group_first_, group_second_;
  GroupSums groups_;  ///< of the query that was evaluated
  std::uint64_t steps_ = 0;
  Buffer<float> of_class_, prior_, scores_;
  ScoreLoss<float> loss_;
  std::vector<float> slope_;  ///< of each entity; 0 between queries
  std::vector<float> shares_;
  std::vector<EntityId> sloped_;  ///< those that have one
  std::vector<Opinion> opinions_;
  double trust_;
  std::vector<double> own_shares_;    ///< of the entities of the opinion
  std::vector<std::uint8_t> listed_;  ///< whether an entity is in the opinion; 0 between queries
  std::vector<Feature> buffer_;
};

}  // namespace lerpp
