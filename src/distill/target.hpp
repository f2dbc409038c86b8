// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <lerp/distill/distill.hpp>

#include "distill/fit.hpp"
#include "read/read_off.hpp"

namespace lerpp {

/// What all targets need.
struct Shared {
  const Model& model;
  const Graph& graph;
  const DistillOptions& options;
  std::shared_ptr<const PriorClasses> classes;
  const Background& background;
  std::vector<OperatorId> telling;
  const Folds* folds;        ///< none where a question hides its own fact alone
  unsigned pair_workers;     ///< for the two directions of a relation
  const Observer& observer;  ///< where it asks to stop, what is found is of no use
};

/// The rules of one direction of a relation, while they are weighed and cut.
class TargetList {
 public:
  /// Finds the candidates and weighs them. `shared` must outlive it.
  TargetList(const Shared& shared, OperatorId target, std::vector<Question> questions);

  /// Rules that are still on the list, and all that have a number.
  std::size_t size() const;
  std::size_t total() const { return fit_.size(); }
  bool on(std::size_t rule) const { return fit_.on()[rule] != 0; }

  /// Fits the weights, at a share of the learning rate.
  void learn(double rate) { fit_.learn(*table_, settings(rate, 1)); }
  /// Fits them again after a small change.
  void refit() { fit_.learn(*table_, settings(0.5, shared_.options.refit)); }
  /// What losing each rule costs, now and with all weights halved: where several rules are sure of
  /// the same answers none of them is missed now, though all together are.
  void find_costs();
  const std::vector<double>& costs() const { return costs_; }
  void cut(const std::vector<std::uint8_t>& kept);
  /// Those with a path: rule i is number i.
  const std::vector<Rule>& paths() const { return rules_; }
  /// Adds rules with a path that it lacks; they weigh nothing until they are learned.
  void add(const std::vector<Rule>& rules);
  /// Adds the rules of the list with one literal more, where that helps most.
  void add_literals(std::size_t most);
  void write(std::vector<ListedRule>& out) const;

 private:
  /// Of a fit of some length.
  RuleFit::Settings settings(double rate, double length) const;
  void build_table();
  /// Takes what the soft rules sum up, and begins with their sums.
  void add_groups(std::vector<Candidate>& candidates);
  void add_likeness(std::vector<Rule>& candidates) const;
  /// Adds rules that weigh on their own, where that helps most.
  void add_best(std::vector<Rule> candidates, std::size_t most);

  const Shared& shared_;
  OperatorId target_;
  std::vector<Question> questions_;
  std::vector<Rule> rules_;
  RuleFit fit_;
  std::vector<double> costs_;
  std::optional<FeatureTable> table_;
};

}  // namespace lerpp
