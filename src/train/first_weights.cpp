// SPDX-License-Identifier: Apache-2.0
#include "train/first_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace lerpp {
namespace {

/// Until other targets say otherwise, one answer in ten comes back; that guess counts as much as a
/// tenth of a target.
constexpr double guessed_chance = 0.1;
constexpr double guess_counts = 0.1;

struct Pair {
  EntityId start = 0;
  EntityId answer = 0;
};

/// How often each entity answers a target, entities that never do left out, and the sum.
struct Answers {
  std::vector<std::uint32_t> times;
  double sum = 0;
};

std::vector<Answers> answers_of_targets(const Graph& graph) {
  std::vector<Answers> answers(graph.operators());
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    const std::span<const Edge> row = graph.edges(entity);
    for (std::size_t first = 0; first < row.size();) {
      std::size_t last = first + 1;
      while (last < row.size() && row[last].op == row[first].op) ++last;
      // What leads out of the entity by op leads to it by the inverse.
      Answers& own = answers[graph.inverse(row[first].op)];
      own.times.push_back(static_cast<std::uint32_t>(last - first));
      own.sum += static_cast<double>(last - first);
      first = last;
    }
  }
  return answers;
}

/// That the answer of one fact is among those of `facts` others, all drawn from a target's.
double chance_within(const Answers& answers, std::uint32_t facts) {
  double chance = 0;
  for (const std::uint32_t times : answers.times) {
    const double another = (times - 1) / (answers.sum - 1);
    chance += times / answers.sum * (1 - std::pow(1 - another, facts));
  }
  return chance;
}

double mean_chance(const std::vector<Answers>& answers, std::uint32_t facts) {
  double sum = guess_counts * guessed_chance;
  double targets = guess_counts;
  for (const Answers& own : answers) {
    if (own.sum <= facts) continue;
    sum += chance_within(own, facts);
    ++targets;
  }
  return sum / targets;
}

/// What a small target begins with. Everything is counted on the few facts themselves.
class FirstWeights {
 public:
  FirstWeights(const Graph& graph, OperatorId target, std::vector<Pair> facts,
               Parameters<float>& parameters)
      : graph_(graph),
        target_(target),
        facts_(std::move(facts)),
        count_(static_cast<double>(facts_.size())),
        parameters_(parameters) {}

  /// score(y) += lift + log((1 + times) / 2): the odds grow as y answers more often.
  void count_answers(double chance) {
    const std::span<float> weights = parameters_.of(Part::prior, target_);
    const std::span<const OperatorId> operators = parameters_.operators(target_);
    const auto slot = std::ranges::find(operators, graph_.inverse(target_));
    if (weights.empty() || slot == operators.end()) return;
    const double others = std::max(1.0, graph_.entities() - count_);
    const double lift = std::max(0.0, std::log(chance / (1 - chance) * others / count_));
    const auto at = 2 * static_cast<std::size_t>(slot - operators.begin());
    weights[at] = static_cast<float>(lift - std::numbers::ln2);
    weights[at + 1] = 1;
  }

  /// Paths of one hop count what they tell about the facts; where several tell the same, each has
  /// a share.
  void count_links(std::span<const RelationPath> paths) {
    const std::span<float> weights = parameters_.of(Part::path, target_);
    std::vector<double> lifts(paths.size());
    double firing = 0;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (paths[i].length() > 1 || paths[i].operators()[0] == target_) continue;
      const double linked = linked_by(paths[i].operators()[0]);
      if (linked == 0) continue;
      lifts[i] = lift_of(paths[i].operators()[0], linked);
      firing += linked / count_;
    }
    const double share = 1 / std::max(1.0, firing);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (lifts[i] > 0) weights[2 * i] = static_cast<float>(share * lifts[i]);
    }
  }

 private:
  /// Facts of the target whose ends the operator links too.
  double linked_by(OperatorId op) const {
    return static_cast<double>(std::ranges::count_if(
        facts_, [&](const Pair& fact) { return graph_.contains(fact.start, op, fact.answer); }));
  }

  /// log of how much more often the operator links the ends of a fact than a start and anything,
  /// with one fact more that says it does neither more nor less.
  double lift_of(OperatorId op, double linked) const {
    double edges = 0;
    for (const Pair& fact : facts_)
      edges += static_cast<double>(graph_.edges(fact.start, op).size());
    const double chance = edges / count_ / graph_.entities();
    return std::log((linked + chance) / ((count_ + 1) * chance));
  }

  const Graph& graph_;
  OperatorId target_;
  std::vector<Pair> facts_;
  double count_;
  Parameters<float>& parameters_;
};

/// The facts of targets that have few, and nothing for the others.
std::vector<std::vector<Pair>> facts_of_small_targets(const Graph& graph,
                                                      const std::vector<Answers>& answers) {
  std::vector<std::vector<Pair>> facts(graph.operators());
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    for (const Edge& edge : graph.edges(entity)) {
      if (answers[edge.op].sum <= few_facts_of_relation)
        facts[edge.op].push_back({entity, edge.target});
    }
  }
  return facts;
}

}  // namespace

double chance_of_known_answer(const Graph& graph, std::uint32_t facts) {
  return mean_chance(answers_of_targets(graph), facts);
}

void begin_small_targets(const Graph& graph, const PathTable* paths,
                         Parameters<float>& parameters) {
  if (!parameters.shape().evidence) return;
  const std::vector<Answers> answers = answers_of_targets(graph);
  std::vector<std::vector<Pair>> facts = facts_of_small_targets(graph, answers);
  std::array<std::optional<double>, few_facts_of_relation + 1> chances;
  for (OperatorId target = 0; target < facts.size(); ++target) {
    const auto count = static_cast<std::uint32_t>(facts[target].size());
    if (count == 0) continue;
    if (!chances[count]) chances[count] = mean_chance(answers, count);
    FirstWeights first(graph, target, std::move(facts[target]), parameters);
    first.count_answers(*chances[count]);
    if (paths != nullptr) first.count_links(paths->of(target));
  }
}

}  // namespace lerpp
