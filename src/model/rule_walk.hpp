// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/rule.hpp>

namespace lerpp {

/// Where the constraints of rules hold. Each is found once for the whole graph. What hidden facts
/// change is looked up: of constraints that speak of an entity's own edges only, at the entities
/// that the facts touch.
class Literals {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  explicit Literals(const Graph& graph) : evaluator_(graph) {}

  /// The number of a constraint; `none` where it is true of everything.
  std::uint32_t number(const Formula& formula);
  bool holds(std::uint32_t literal, EntityId entity, const Mask* mask) const {
    if (mask != nullptr && (mask->touches(entity) || (!local_[literal] && hides_any(*mask))))
      return holds_masked(formulas_[literal], entity, *mask);
    return sets_[literal].contains(entity);
  }
  /// Whether it speaks of an entity's own edges only.
  bool is_local(std::uint32_t literal) const { return local_[literal]; }

 private:
  static bool hides_any(const Mask& mask) { return !mask.entities().empty(); }
  bool holds_masked(const Formula& formula, EntityId entity, const Mask& mask) const;

  Evaluator evaluator_;
  std::vector<Formula> formulas_;
  std::vector<EntitySet> sets_;
  std::vector<bool> local_;
};

/// Path rules of one target with what their bodies begin with in common told once.
class RuleTrie {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// A variable, reached and fulfilling its constraint.
  struct Node {
    std::uint32_t literal = Literals::none;
    std::uint32_t rule = none;  ///< whose body ends here
    std::vector<std::uint32_t> steps = {};
  };
  /// A hop; the variables behind it differ in their constraints alone.
  struct Step {
    OperatorId op = 0;
    std::vector<std::uint32_t> nodes = {};
  };

  RuleTrie() : steps_(1) {}
  /// No two rules may have the same body. `rule` is what findings call it.
  void add(const Rule& rule, std::uint32_t number, Literals& literals);

  /// Step 0 leads to x.
  const Step& step(std::uint32_t index) const { return steps_[index]; }
  const Node& node(std::uint32_t index) const { return nodes_[index]; }

 private:
  std::uint32_t node_at(std::uint32_t step, std::uint32_t literal);
  std::uint32_t step_at(std::uint32_t node, OperatorId op);

  std::vector<Node> nodes_;
  std::vector<Step> steps_;
};

/// Follows the rules of a trie from an entity, and counts the groundings to all that they reach.
/// What a rule reaches does not depend on the other rules.
class RuleWalk {
 public:
  static constexpr std::uint32_t most_groundings = 65'535;

  struct Finding {
    std::uint32_t rule = 0;
    std::size_t offset = 0;
    std::size_t size = 0;
  };

  /// The graph and the literals must outlive it.
  RuleWalk(const Graph& graph, const Literals& literals, std::size_t frontier)
      : graph_(graph), literals_(literals), frontier_(frontier), counts_(graph.entities()) {}

  /// Hidden facts are not walked; there may be no mask.
  void walk(const RuleTrie& trie, EntityId start, const Mask* mask);

  std::span<const Finding> findings() const { return findings_; }
  std::span<const EntityId> entities(const Finding& found) const {
    return {entities_.data() + found.offset, found.size};
  }
  std::span<const std::uint16_t> counts(const Finding& found) const {
    return {flows_.data() + found.offset, found.size};
  }

 private:
  struct Reach {
    std::size_t offset = 0;
    std::size_t size = 0;
  };

  void arrive(const RuleTrie::Step& step, Reach all);
  void leave(const RuleTrie::Node& node, Reach from);
  Reach hop(OperatorId op, Reach from);
  Reach filter(std::uint32_t literal, Reach all);

  const Graph& graph_;
  const Literals& literals_;
  std::size_t frontier_;
  const RuleTrie* trie_ = nullptr;
  const Mask* mask_ = nullptr;
  std::vector<std::uint32_t> counts_;  ///< of each entity; 0 between hops
  std::vector<EntityId> entities_;
  std::vector<std::uint16_t> flows_;
  std::vector<Finding> findings_;
};

}  // namespace lerpp
