#include "explain/distill_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace lerpp {
namespace {

using Sequence = std::vector<OperatorId>;
using Weighed = std::map<Sequence, double>;

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
  return weight * std::log1p(scale * reached);
}

/// Retraces how the soft rules get from a start to an entity: walks are drawn as they carry weight.
class Tracer {
 public:
  Tracer(const Model& model, const Graph& graph, OperatorId target)
      : model_(model), graph_(graph), target_(target), finder_(graph), mask_(graph) {
    const ModelShape& shape = model.shape();
    for (std::size_t rule = 0; rule < shape.rules; ++rule) {
      for (std::size_t hop = 0; hop < shape.length; ++hop)
        hops_.push_back(hop_weights(model, target, rule, hop));
    }
    node_of_.assign(graph.entities(), none);
  }

  void trace(const Question& question, Random& random, Weighed& result) {
    const ModelShape& shape = model_.shape();
    mask_.hide(hidden_facts(graph_, target_, {&question, 1}));
    finder_.find(question.start, {shape.length, graph_.entities(), frontier}, &mask_, ball_);
    for (std::size_t node = 0; node < ball_.nodes.size(); ++node)
      node_of_[ball_.nodes[node]] = static_cast<std::uint32_t>(node);
    scores_.assign(ball_.nodes.size(), 0);
    forward();
    if (node_of_[question.answer] != none) retrace(node_of_[question.answer], random, result);
    // What speaks for wrong answers is worth speaking against.
    for (const Edge& known : graph_.edges(question.start, target_)) {
      if (node_of_[known.target] != none) scores_[node_of_[known.target]] = least;
    }
    for (std::size_t i = 0; i < wrong; ++i) {
      const auto best = std::max_element(scores_.begin(), scores_.end());
      retrace(static_cast<std::uint32_t>(best - scores_.begin()), random, result);
      *best = least;
    }
    for (const EntityId entity : ball_.nodes) node_of_[entity] = none;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr double least = -1e30;
  static constexpr std::size_t wrong = 2;
  static constexpr std::size_t walks = 4;
  static constexpr std::size_t frontier = 1000;

  std::vector<double>& mass(std::size_t rule, std::size_t hop) {
    return mass_[rule * (model_.shape().length + std::size_t{1}) + hop];
  }
  const std::vector<double>& weights(std::size_t rule, std::size_t hop) const {
    return hops_[rule * model_.shape().length + hop - 1];
  }

  void forward() {
    const ModelShape& shape = model_.shape();
    mass_.resize(shape.rules * (shape.length + std::size_t{1}));
    for (std::size_t rule = 0; rule < shape.rules; ++rule) {
      mass(rule, 0).assign(1, 1);
      for (std::size_t hop = 1; hop <= shape.length; ++hop) {
        const std::vector<double>& from = mass(rule, hop - 1);
        std::vector<double>& to = mass(rule, hop);
        const std::vector<double>& weight = weights(rule, hop);
        to.assign(ball_.within[hop], 0);
        for (std::size_t node = 0; node < from.size(); ++node) {
          to[node] += from[node] * weight.back();
          for (std::size_t i = ball_.starts[node]; i < ball_.starts[node + 1]; ++i)
            to[ball_.edges[i].target] += from[node] * weight[ball_.edges[i].op];
        }
        for (std::size_t node = 0; node < to.size(); ++node)
          scores_[node] += readout(model_, target_, rule, hop, to[node]);
      }
    }
  }

  void retrace(std::uint32_t end, Random& random, Weighed& result) {
    const ModelShape& shape = model_.shape();
    for (std::size_t rule = 0; rule < shape.rules; ++rule) {
      for (std::size_t hop = 1; hop <= shape.length; ++hop) {
        if (end >= ball_.within[hop] || !(mass(rule, hop)[end] > 0)) continue;
        const double credit =
            std::abs(readout(model_, target_, rule, hop, mass(rule, hop)[end])) / walks;
        for (std::size_t walk = 0; walk < walks && credit > 0; ++walk) {
          Sequence sequence;
          if (draw(rule, hop, end, random, sequence)) result[sequence] += credit;
        }
      }
    }
  }

  /// A walk that ends here, from its end to its beginning.
  bool draw(std::size_t rule, std::size_t hops, std::uint32_t node, Random& random,
            Sequence& sequence) {
    for (std::size_t hop = hops; hop > 0; --hop) {
      const std::vector<double>& before = mass(rule, hop - 1);
      const std::vector<double>& weight = weights(rule, hop);
      double left = random.real() * mass(rule, hop)[node];
      std::uint32_t next = none;
      if (node < before.size()) {
        next = node;
        left -= before[node] * weight.back();
      }
      OperatorId op = shape_identity();
      const std::span<const Edge> edges = graph_.edges(ball_.nodes[node]);
      for (std::size_t i = 0; i < edges.size() && left > 0; ++i) {
        const std::uint32_t from = node_of_[edges[i].target];
        if (from >= before.size() || from >= frontier ||
            mask_.hides(graph_.start(ball_.nodes[node]) + i))
          continue;
        next = from;
        op = graph_.inverse(edges[i].op);
        left -= before[from] * weight[op];
      }
      if (next == none) return false;
      if (op != shape_identity()) sequence.push_back(op);
      node = next;
    }
    std::reverse(sequence.begin(), sequence.end());
    return node == 0 && !sequence.empty();
  }
  OperatorId shape_identity() const { return graph_.operators(); }

  const Model& model_;
  const Graph& graph_;
  OperatorId target_;
  BallFinder finder_;
  Mask mask_;
  Ball ball_;
  std::vector<std::vector<double>> hops_;  ///< weights of the operators, of each rule and hop
  std::vector<std::vector<double>> mass_;  ///< of each node, of each rule and hop
  std::vector<std::uint32_t> node_of_;
  std::vector<double> scores_;
};

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

std::vector<Rule> read_off(const Model& model, const Graph& graph, OperatorId target,
                           std::span<const Question> questions, std::size_t most, Random& random) {
  Weighed soft;
  Tracer tracer(model, graph, target);
  for (const Question& question : questions) tracer.trace(question, random, soft);
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
