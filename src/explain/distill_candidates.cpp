#include "explain/distill_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "explain/soft_walks.hpp"

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

/// Retraces how the soft rules get from a start to an entity.
class Tracer {
 public:
  Tracer(const Model& model, const Graph& graph, OperatorId target)
      : model_(model),
        graph_(graph),
        target_(target),
        finder_(graph),
        mask_(graph),
        walks_(model, graph, target, frontier) {}

  void trace(const Question& question, Random& random, Weighed& result) {
    mask_.hide(hidden_facts(graph_, target_, {&question, 1}));
    finder_.find(question.start, {model_.shape().length, graph_.entities(), frontier}, &mask_,
                 ball_);
    walks_.follow(ball_);
    find_scores();
    const std::uint32_t answer = walks_.node_of(question.answer);
    if (answer != SoftWalks::none) retrace(answer, random, result);
    // What speaks for wrong answers is worth speaking against.
    for (const Edge& known : graph_.edges(question.start, target_)) {
      const std::uint32_t node = walks_.node_of(known.target);
      if (node != SoftWalks::none) scores_[node] = least;
    }
    for (std::size_t i = 0; i < wrong; ++i) {
      const auto best = std::max_element(scores_.begin(), scores_.end());
      retrace(static_cast<std::uint32_t>(best - scores_.begin()), random, result);
      *best = least;
    }
  }

 private:
  static constexpr double least = -1e30;
  static constexpr std::size_t wrong = 2;
  static constexpr std::size_t walks = 4;
  static constexpr std::size_t frontier = 1000;

  void find_scores() {
    const ModelShape& shape = model_.shape();
    scores_.assign(ball_.nodes.size(), 0);
    for (std::size_t rule = 0; rule < shape.rules; ++rule) {
      for (std::size_t hop = 1; hop <= shape.length; ++hop) {
        for (std::uint32_t node = 0; node < ball_.within[hop]; ++node)
          scores_[node] += walks_.evidence(rule, hop, node);
      }
    }
  }

  void retrace(std::uint32_t end, Random& random, Weighed& result) {
    const ModelShape& shape = model_.shape();
    for (std::size_t rule = 0; rule < shape.rules; ++rule) {
      for (std::size_t hop = 1; hop <= shape.length; ++hop) {
        if (!walks_.reaches(rule, hop, end)) continue;
        const double credit = std::abs(walks_.evidence(rule, hop, end)) / walks;
        for (std::size_t walk = 0; walk < walks && credit > 0; ++walk) {
          if (!walks_.draw(rule, hop, end, mask_, random, walk_)) continue;
          const Sequence sequence = walks_.operators(walk_);
          if (!sequence.empty()) result[sequence] += credit;
        }
      }
    }
  }

  const Model& model_;
  const Graph& graph_;
  OperatorId target_;
  BallFinder finder_;
  Mask mask_;
  Ball ball_;
  SoftWalks walks_;
  std::vector<SoftWalks::Hop> walk_;
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
