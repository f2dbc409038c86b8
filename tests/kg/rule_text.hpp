// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lerp/kg/dataset.hpp>

/// A slow and plain evaluator for rules as text, to check what the generators claim.
namespace lerpp::test {

struct Atom {
  RelationId relation = 0;
  std::string first;
  std::string second;
};
struct Constraint {
  Atom atom;  ///< one of its variables is w
  bool negated = false;
};
struct TextRule {
  std::vector<Atom> chain;  ///< from x to y
  std::vector<Constraint> constraints;
  Atom head;
};

class RuleParser {
 public:
  explicit RuleParser(const Vocabulary& relations) : relations_(relations) {}

  TextRule parse(std::string_view text) const {
    static constexpr std::string_view arrow = " ⇒ ";
    static constexpr std::string_view conjunction = " ∧ ";
    TextRule rule;
    const std::size_t at = text.find(arrow);
    if (at == std::string_view::npos) throw std::invalid_argument(std::string(text));
    rule.head = atom(text.substr(at + arrow.size()));
    std::string_view body = text.substr(0, at);
    while (!body.empty()) {
      const std::size_t end = std::min(body.find(conjunction), body.size());
      literal(body.substr(0, end), rule);
      body.remove_prefix(std::min(body.size(), end + conjunction.size()));
    }
    if (rule.head.first != "x" || rule.head.second != "y" || rule.chain.empty()) {
      throw std::invalid_argument(std::string(text));
    }
    return rule;
  }

 private:
  void literal(std::string_view text, TextRule& rule) const {
    static constexpr std::string_view no = "¬";
    static constexpr std::string_view some = "∃w ";
    const bool negated = text.substr(0, no.size()) == no;
    if (negated) text.remove_prefix(no.size());
    if (text.substr(0, some.size()) == some) {
      rule.constraints.push_back({atom(text.substr(some.size())), negated});
    } else {
      if (negated) throw std::invalid_argument(std::string(text));
      rule.chain.push_back(atom(text));
    }
  }

  Atom atom(std::string_view text) const {
    const std::size_t open = text.find('(');
    const std::size_t comma = text.find(',');
    if (open == std::string_view::npos || comma == std::string_view::npos || text.back() != ')') {
      throw std::invalid_argument(std::string(text));
    }
    const auto relation = relations_.find(text.substr(0, open));
    if (!relation) throw std::invalid_argument(std::string(text));
    return {*relation, std::string(text.substr(open + 1, comma - open - 1)),
            std::string(text.substr(comma + 1, text.size() - comma - 2))};
  }

  const Vocabulary& relations_;
};

/// How a rule fares on a graph, over pairs of different entities.
struct Tally {
  std::uint64_t body = 0;     ///< pairs that the body leads to
  std::uint64_t support = 0;  ///< those of them that are facts
  double confidence() const {
    return body == 0 ? 0 : static_cast<double>(support) / static_cast<double>(body);
  }
};

/// Inserts the facts that the rule proves into `proved`, if given.
inline Tally evaluate(const TextRule& rule, const Graph& graph, std::set<Fact>* proved = nullptr) {
  const auto allowed = [&](const std::string& variable, EntityId entity) {
    return std::all_of(rule.constraints.begin(), rule.constraints.end(), [&](const Constraint& c) {
      if (c.atom.first != variable && c.atom.second != variable) return true;
      const OperatorId op =
          c.atom.first == variable ? c.atom.relation : graph.inverse(c.atom.relation);
      return graph.edges(entity, op).empty() == c.negated;
    });
  };
  Tally tally;
  for (EntityId x = 0; x < graph.entities(); ++x) {
    if (!allowed("x", x)) continue;
    std::vector<EntityId> reached = {x};
    std::string variable = "x";
    for (const Atom& atom : rule.chain) {
      const bool forwards = atom.first == variable;
      if (!forwards && atom.second != variable) throw std::invalid_argument("not a chain");
      variable = forwards ? atom.second : atom.first;
      std::set<EntityId> next;
      for (const EntityId from : reached) {
        for (const Edge& edge :
             graph.edges(from, forwards ? atom.relation : graph.inverse(atom.relation))) {
          if (allowed(variable, edge.target)) next.insert(edge.target);
        }
      }
      reached.assign(next.begin(), next.end());
    }
    if (variable != "y") throw std::invalid_argument("the chain does not end in y");
    for (const EntityId y : reached) {
      if (y == x) continue;
      ++tally.body;
      const Fact fact = {x, rule.head.relation, y};
      if (!graph.contains(fact)) continue;
      ++tally.support;
      if (proved != nullptr) proved->insert(fact);
    }
  }
  return tally;
}

}  // namespace lerpp::test
