#include "read/read_off.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "read/soft_walks.hpp"

namespace lerpp {
namespace {

using Sequence = std::vector<OperatorId>;

/// What a sequence carries in all, and at each hop of the soft rules.
struct Credit {
  double sum = 0;
  std::map<std::size_t, double> at = {};
};
using Weighed = std::map<Sequence, Credit>;

/// The heaviest of them, heaviest first.
std::vector<Weighed::const_iterator> heaviest(const Weighed& all, std::size_t most) {
  std::vector<Weighed::const_iterator> sorted;
  for (auto one = all.begin(); one != all.end(); ++one) sorted.push_back(one);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](auto a, auto b) { return a->second.sum > b->second.sum; });
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
          if (sequence.empty()) continue;
          Credit& to = result[sequence];
          to.sum += credit;
          to.at[rule * (shape.length + std::size_t{1}) + hop] += credit;
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
    result[{operators.begin(), operators.end()}].sum =
        std::abs(double{weights[2 * i]} + std::log(2.0) * double{weights[2 * i + 1]});
  }
  return result;
}

/// What a walk along a sequence counts at a hop of a soft rule, wherever it stays in place.
double amount_of(const Model& model, OperatorId target, std::size_t place,
                 const Sequence& sequence) {
  const std::size_t places = model.shape().length + std::size_t{1};
  std::vector<double> come(sequence.size() + 1);  // so far along the sequence
  come[0] = 1;
  for (std::size_t hop = 0; hop < place % places; ++hop) {
    const std::vector<double> weights = hop_weights(model, target, place / places, hop);
    for (std::size_t at = sequence.size() + 1; at-- > 0;) {
      come[at] *= weights.back();
      if (at > 0) come[at] += come[at - 1] * weights[sequence[at - 1]];
    }
  }
  return come.back() * std::exp(double{model.parameters.of(Part::scale, target)[place]});
}

}  // namespace

std::vector<Candidate> read_off(const Model& model, const Graph& graph, OperatorId target,
                                std::span<const Question> questions, std::size_t most,
                                Random& random) {
  Weighed soft;
  Tracer tracer(model, graph, target);
  for (const Question& question : questions) tracer.trace(question, random, soft);
  // That x is y is always worth a word; that the target leads to y is what is asked.
  std::set<Sequence> taken = {{}, {target}};
  std::vector<Candidate> candidates = {{path_rule(target, {})}};
  for (const auto& one : heaviest(soft, most)) {
    const auto& [sequence, credit] = *one;
    if (!taken.insert(sequence).second) continue;
    candidates.push_back({path_rule(target, sequence)});
    if (!model.shape().evidence) continue;
    const auto best = std::max_element(credit.at.begin(), credit.at.end(),
                                       [](auto& a, auto& b) { return a.second < b.second; });
    candidates.back().place = best->first;
    candidates.back().amount = amount_of(model, target, best->first, sequence);
  }
  const Weighed table = table_sequences(model, target);
  for (const auto& one : heaviest(table, most)) {
    if (taken.insert(one->first).second) candidates.push_back({path_rule(target, one->first)});
  }
  return candidates;
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
