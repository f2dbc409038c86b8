#include "explain/distill_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace lerpp {
namespace {

using Sequence = std::vector<OperatorId>;
using Weighed = std::map<Sequence, double>;

constexpr std::size_t beam = 256;

/// The heaviest of them, heaviest first.
std::vector<std::pair<Sequence, double>> heaviest(const Weighed& all, std::size_t most) {
  std::vector<std::pair<Sequence, double>> sorted(all.begin(), all.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (sorted.size() > most) sorted.resize(most);
  return sorted;
}

/// What operators weigh at a hop of a rule.
std::vector<double> hop_weights(const Model& model, OperatorId target, std::size_t rule,
                                std::size_t hop) {
  const ModelShape& shape = model.shape();
  const std::size_t count = shape.rule_operators();
  const auto raw = model.parameters.a(target).subspan((rule * shape.length + hop) * count, count);
  std::vector<double> weights(raw.begin(), raw.end());
  const double top = shape.positive ? 0 : *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - top);
  if (!shape.positive) {
    for (double& weight : weights) weight /= sum;
  }
  return weights;
}

/// How loudly a rule speaks at a hop about what it has reached with this weight.
double readout(const Model& model, OperatorId target, std::size_t rule, std::size_t hop,
               double reached) {
  const ModelShape& shape = model.shape();
  if (!shape.evidence) return hop == shape.length ? reached : 0;
  const std::size_t at = rule * (shape.length + std::size_t{1}) + hop;
  const double weight = double{model.parameters.of(Part::weight, target)[at]};
  const double scale = std::exp(double{model.parameters.of(Part::scale, target)[at]});
  return std::abs(weight) * std::log1p(scale * reached);
}

Weighed soft_sequences(const Model& model, OperatorId target) {
  const ModelShape& shape = model.shape();
  Weighed result;
  for (std::size_t rule = 0; rule < shape.rules; ++rule) {
    std::vector<std::pair<Sequence, double>> reached = {{{}, 1.0}};
    for (std::size_t hop = 0; hop < shape.length; ++hop) {
      const std::vector<double> weights = hop_weights(model, target, rule, hop);
      Weighed next;
      for (const auto& [sequence, weight] : reached) {
        next[sequence] += weight * weights.back();
        for (OperatorId op = 0; op < shape.operators(); ++op) {
          Sequence longer = sequence;
          longer.push_back(op);
          next[std::move(longer)] += weight * weights[op];
        }
      }
      reached = heaviest(next, beam);
      for (const auto& [sequence, weight] : reached)
        result[sequence] += readout(model, target, rule, hop + 1, weight);
    }
  }
  return result;
}

Weighed table_sequences(const Model& model, OperatorId target) {
  Weighed result;
  if (model.paths == nullptr) return result;
  const std::span<const float> weights = model.parameters.of(Part::path, target);
  const std::span<const RelationPath> paths = model.paths->of(target);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto operators = paths[i].operators();
    result[{operators.begin(), operators.end()}] =
        std::abs(double{weights[2 * i]} + std::log(2.0) * double{weights[2 * i + 1]});
  }
  return result;
}

}  // namespace

std::vector<Rule> read_off(const Model& model, OperatorId target, std::size_t most) {
  const Weighed soft = soft_sequences(model, target);
  const Weighed table = table_sequences(model, target);
  const auto first = heaviest(soft, most);
  const auto second = heaviest(table, most);
  // That x is y is always worth a word; that the target leads to y is what is asked.
  std::map<Sequence, bool> taken = {{{}, true}, {{target}, true}};
  std::vector<Rule> rules = {path_rule(target, {})};
  for (std::size_t i = 0; i < most; ++i) {
    for (const auto* list : {&first, &second}) {
      if (i >= list->size() || rules.size() >= most) continue;
      const Sequence& sequence = (*list)[i].first;
      if (taken.try_emplace(sequence, true).second) rules.push_back(path_rule(target, sequence));
    }
  }
  return rules;
}

std::vector<OperatorId> telling_operators(const Graph& graph, std::size_t most) {
  std::vector<std::size_t> having(graph.operators());
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    const std::span<const Edge> edges = graph.edges(entity);
    for (std::size_t i = 0; i < edges.size(); ++i)
      having[edges[i].op] += i == 0 || edges[i].op != edges[i - 1].op ? 1 : 0;
  }
  // Half of the entities is the most telling.
  std::vector<std::pair<std::size_t, OperatorId>> order;
  for (OperatorId op = 0; op < graph.operators(); ++op)
    order.emplace_back(std::min(having[op], graph.entities() - having[op]), op);
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<OperatorId> operators;
  for (const auto& [entities, op] : order) {
    if (entities > 0 && operators.size() < most) operators.push_back(op);
  }
  return operators;
}

std::vector<Rule> with_literals(const Rule& rule, const std::vector<OperatorId>& operators,
                                RelationId relations) {
  std::vector<Rule> result;
  const auto inverse = [&](OperatorId op) {
    return op < relations ? op + relations : op - relations;
  };
  for (std::size_t k = 0; k < rule.constraints().size(); ++k) {
    for (const OperatorId op : operators) {
      if (k < rule.hops().size() && rule.hops()[k] == op) continue;
      if (k > 0 && !rule.hops().empty() && inverse(rule.hops()[k - 1]) == op) continue;
      const Formula exists = Formula::exists(op);
      for (const Formula& literal : {exists, Formula::negation(exists)}) {
        const Formula& own = rule.constraints()[k];
        std::vector<Formula> parts;
        if (own.is(Formula::Kind::conjunction)) {
          parts = own.parts();
        } else if (!own.is(Formula::Kind::truth)) {
          parts = {own};
        }
        const bool said = std::any_of(parts.begin(), parts.end(), [&](const Formula& part) {
          return part == exists || part == Formula::negation(exists);
        });
        if (said) continue;
        parts.push_back(literal);
        std::sort(parts.begin(), parts.end());
        std::vector<Formula> constraints = rule.constraints();
        constraints[k] = Formula::conjunction(std::move(parts));
        result.push_back(path_rule(rule.target(), rule.hops(), std::move(constraints)));
      }
    }
  }
  return result;
}

}  // namespace lerpp
