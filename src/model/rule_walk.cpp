// SPDX-License-Identifier: Apache-2.0
#include "model/rule_walk.hpp"

#include <algorithm>
#include <cassert>

namespace lerpp {
namespace {

/// Whether a formula speaks of an entity's own edges only.
bool speaks_of_own_edges(const Formula& formula) {
  switch (formula.kind()) {
    case Formula::Kind::negation:
      return speaks_of_own_edges(formula.inner());
    case Formula::Kind::conjunction:
    case Formula::Kind::disjunction:
      return std::all_of(formula.parts().begin(), formula.parts().end(), speaks_of_own_edges);
    case Formula::Kind::exists:
      return formula.inner().is(Formula::Kind::truth);
    default:
      return true;
  }
}

}  // namespace

std::uint32_t Literals::number(const Formula& formula) {
  if (formula.is(Formula::Kind::truth)) return none;
  const auto known = std::find(formulas_.begin(), formulas_.end(), formula);
  if (known != formulas_.end()) return static_cast<std::uint32_t>(known - formulas_.begin());
  formulas_.push_back(formula);
  sets_.push_back(evaluator_(formula));
  local_.push_back(speaks_of_own_edges(formula));
  return static_cast<std::uint32_t>(formulas_.size() - 1);
}

bool Literals::holds_masked(const Formula& formula, EntityId entity, const Mask& mask) const {
  const auto holds = [&](const Formula& part) { return holds_masked(part, entity, mask); };
  switch (formula.kind()) {
    case Formula::Kind::truth:
      return true;
    case Formula::Kind::falsity:
      return false;
    case Formula::Kind::negation:
      return !holds(formula.inner());
    case Formula::Kind::conjunction:
      return std::all_of(formula.parts().begin(), formula.parts().end(), holds);
    case Formula::Kind::disjunction:
      return std::any_of(formula.parts().begin(), formula.parts().end(), holds);
    case Formula::Kind::constant:
    case Formula::Kind::exists:
      break;
  }
  const Graph& graph = evaluator_.graph();
  const bool constant = formula.is(Formula::Kind::constant);
  const std::span<const Edge> edges = graph.edges(entity, formula.op());
  const auto first = static_cast<std::size_t>(edges.data() - graph.edges().data());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (mask.hides(first + i)) continue;
    const EntityId target = edges[i].target;
    if (constant ? target == formula.entity() : holds_masked(formula.inner(), target, mask))
      return true;
  }
  return false;
}

std::uint32_t RuleTrie::node_at(std::uint32_t step, std::uint32_t literal) {
  for (const std::uint32_t node : steps_[step].nodes) {
    if (nodes_[node].literal == literal) return node;
  }
  nodes_.push_back({literal});
  steps_[step].nodes.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
  return steps_[step].nodes.back();
}

std::uint32_t RuleTrie::step_at(std::uint32_t node, OperatorId op) {
  for (const std::uint32_t step : nodes_[node].steps) {
    if (steps_[step].op == op) return step;
  }
  steps_.push_back({op});
  nodes_[node].steps.push_back(static_cast<std::uint32_t>(steps_.size() - 1));
  return nodes_[node].steps.back();
}

void RuleTrie::add(const Rule& rule, std::uint32_t number, Literals& literals) {
  assert(!rule.is_pair());
  std::uint32_t node = node_at(0, literals.number(rule.constraints()[0]));
  for (std::size_t k = 0; k < rule.hops().size(); ++k)
    node = node_at(step_at(node, rule.hops()[k]), literals.number(rule.constraints()[k + 1]));
  assert(nodes_[node].rule == none);
  nodes_[node].rule = number;
}

void RuleWalk::walk(const RuleTrie& trie, EntityId start, const Mask* mask) {
  trie_ = &trie;
  mask_ = mask;
  findings_.clear();
  entities_.assign(1, start);
  flows_.assign(1, 1);
  arrive(trie.step(0), {0, 1});
}

void RuleWalk::arrive(const RuleTrie::Step& step, Reach all) {
  for (const std::uint32_t index : step.nodes) {
    const RuleTrie::Node& node = trie_->node(index);
    const Reach some = node.literal == Literals::none ? all : filter(node.literal, all);
    if (some.size == 0) continue;
    if (node.rule != RuleTrie::none) findings_.push_back({node.rule, some.offset, some.size});
    leave(node, some);
  }
}

void RuleWalk::leave(const RuleTrie::Node& node, Reach from) {
  for (const std::uint32_t index : node.steps) {
    const RuleTrie::Step& step = trie_->step(index);
    const Reach reached = hop(step.op, from);
    if (reached.size > 0) arrive(step, reached);
  }
}

RuleWalk::Reach RuleWalk::hop(OperatorId op, Reach from) {
  const Reach reached = {entities_.size(), 0};
  // Beyond the frontier some are followed on, evenly spread.
  const std::size_t followed = std::min(from.size, frontier_);
  for (std::size_t i = 0; i < followed; ++i) {
    const std::size_t place = from.offset + (followed == from.size ? i : i * from.size / followed);
    const EntityId entity = entities_[place];
    const std::uint32_t flow = flows_[place];
    const std::span<const Edge> edges = graph_.edges(entity, op);
    // Of what a row hides, the next edge; whole parts of a graph may be hidden.
    const std::size_t* hidden = nullptr;
    const std::size_t* last = nullptr;
    const auto first = static_cast<std::size_t>(edges.data() - graph_.edges().data());
    if (mask_ != nullptr && mask_->touches(entity)) {
      hidden = mask_->hidden_from(first);
      last = mask_->places().data() + mask_->places().size();
    }
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
      if (hidden != last && *hidden == first + edge) {
        ++hidden;
        continue;
      }
      std::uint32_t& count = counts_[edges[edge].target];
      if (count == 0) entities_.push_back(edges[edge].target);
      count = std::min(count + flow, most_groundings);
    }
  }
  flows_.resize(entities_.size());
  for (std::size_t i = reached.offset; i < entities_.size(); ++i) {
    flows_[i] = static_cast<std::uint16_t>(counts_[entities_[i]]);
    counts_[entities_[i]] = 0;
  }
  return {reached.offset, entities_.size() - reached.offset};
}

RuleWalk::Reach RuleWalk::filter(std::uint32_t literal, Reach all) {
  const std::size_t offset = entities_.size();
  for (std::size_t i = all.offset; i < all.offset + all.size; ++i) {
    if (!literals_.holds(literal, entities_[i], mask_)) continue;
    entities_.push_back(entities_[i]);
    flows_.push_back(flows_[i]);
  }
  return {offset, entities_.size() - offset};
}

}  // namespace lerpp
