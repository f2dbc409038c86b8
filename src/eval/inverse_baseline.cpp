// SPDX-License-Identifier: Apache-2.0
#include "eval/inverse_baseline.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace lerpp {
namespace {

/// Pairs of the body without the head that every rule starts with: three of three is less than
/// ninety-nine of a hundred.
constexpr double unseen = 5;

/// Both hold between the same two entities, in this order.
std::uint64_t pair_of(OperatorId body, OperatorId target) {
  return std::uint64_t{body} << 32U | target;
}

}  // namespace

InverseBaseline::InverseBaseline(const Graph& known) : known_(known), rules_(known.operators()) {
  std::vector<std::uint64_t> bodies(known.operators());
  std::unordered_map<std::uint64_t, std::uint64_t> support;
  std::vector<Edge> row;
  for (EntityId entity = 0; entity < known.entities(); ++entity) {
    row.assign(known.edges(entity).begin(), known.edges(entity).end());
    std::sort(row.begin(), row.end(), [](const Edge& a, const Edge& b) {
      return a.target != b.target ? a.target < b.target : a.op < b.op;
    });
    for (std::size_t first = 0; first < row.size();) {
      std::size_t last = first + 1;
      while (last < row.size() && row[last].target == row[first].target) ++last;
      for (std::size_t body = first; body < last; ++body) {
        ++bodies[row[body].op];
        for (std::size_t head = first; head < last; ++head) {
          if (head != body) ++support[pair_of(row[body].op, row[head].op)];
        }
      }
      first = last;
    }
  }
  for (const auto& [pair, count] : support) {
    const auto body = static_cast<OperatorId>(pair >> 32U);
    const double confidence =
        static_cast<double>(count) / (static_cast<double>(bodies[body]) + unseen);
    rules_[static_cast<OperatorId>(pair)].push_back({body, confidence});
  }
  for (std::vector<Rule>& rules : rules_) {
    std::sort(rules.begin(), rules.end(),
              [](const Rule& a, const Rule& b) { return a.body < b.body; });
  }
}

void InverseBaseline::score(std::span<const Query> queries, std::span<Scores> scores) const {
  struct Evidence {
    EntityId entity = 0;
    double confidence = 0;

    bool operator<(const Evidence& other) const {
      return entity != other.entity ? entity < other.entity : confidence < other.confidence;
    }
  };
  std::vector<Evidence> found;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    found.clear();
    for (const Rule& rule : rules_[queries[i].target]) {
      for (const Edge& edge : known_.edges(queries[i].start, rule.body)) {
        found.push_back({edge.target, rule.confidence});
      }
    }
    std::sort(found.begin(), found.end());
    scores[i].clear();
    for (std::size_t first = 0; first < found.size();) {
      const EntityId entity = found[first].entity;
      // -log of the product of (1 - confidence): the order of noisy or, without its ties near 1.
      double evidence = 0;
      for (; first < found.size() && found[first].entity == entity; ++first) {
        evidence -= std::log1p(-found[first].confidence);
      }
      scores[i].add(entity, static_cast<float>(evidence));
    }
  }
}

}  // namespace lerpp
