// SPDX-License-Identifier: Apache-2.0
#include "read/read_off.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "read/soft_walks.hpp"
#include "read/teacher.hpp"

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
  Tracer(const Model& model, const Background& background, OperatorId target)
      : target_(target), teacher_(model, background, frontier), trace_(teacher_.trace()) {}

  void trace(const Question& question, Random& random, Weighed& result) {
    teacher_.open(target_, {&question, 1});
    teacher_.answer(0, 1);
    find_scores();
    const std::uint32_t answer = trace_.node(question.answer);
    if (answer != kernels::no_slot) retrace(answer, random, result);
    // What speaks for wrong answers is worth speaking against.
    for (const Edge& known : trace_.graph().edges(question.start, target_)) {
      const std::uint32_t node = trace_.node(known.target);
      if (node != kernels::no_slot) scores_[node] = least;
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
  static constexpr std::uint32_t frontier = 1000;

  /// What the rules say, without the terms.
  void find_scores() {
    scores_.assign(trace_.ball().nodes.size(), 0);
    for (std::size_t rule = 0; rule < trace_.rules(); ++rule) {
      for (std::uint32_t hop = 1; hop <= trace_.length(); ++hop) {
        for (std::uint32_t node = 0; node < trace_.ball().within[hop]; ++node)
          scores_[node] += trace_.share(rule, hop, node);
      }
    }
  }

  void retrace(std::uint32_t end, Random& random, Weighed& result) {
    for (std::size_t rule = 0; rule < trace_.rules(); ++rule) {
      for (std::uint32_t hop = 1; hop <= trace_.length(); ++hop) {
        if (!(trace_.reached(rule, hop, end) > 0)) continue;
        const double credit = std::abs(trace_.share(rule, hop, end)) / walks;
        for (std::size_t walk = 0; walk < walks && credit > 0; ++walk) {
          if (!draw_walk(trace_, rule, hop, end, random, walk_)) continue;
          const Sequence sequence = operators_of(trace_, walk_);
          if (sequence.empty()) continue;
          Credit& to = result[sequence];
          to.sum += credit;
          to.at[rule * (trace_.length() + std::size_t{1}) + hop] += credit;
        }
      }
    }
  }

  OperatorId target_;
  Teacher teacher_;
  const RuleTrace& trace_;
  std::vector<SoftHop> walk_;
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

std::vector<Candidate> read_off(const Model& model, const Background& background, OperatorId target,
                                std::span<const Question> questions, std::size_t most,
                                Random& random, const Observer& observer) {
  Weighed soft;
  Tracer tracer(model, background, target);
  for (const Question& question : questions) {
    if (observer.stopped()) break;
    tracer.trace(question, random, soft);
  }
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
