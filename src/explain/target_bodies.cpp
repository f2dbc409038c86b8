// SPDX-License-Identifier: Apache-2.0
#include "explain/target_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "explain/best_walks.hpp"
#include "explain/witness.hpp"

namespace lerpp {
namespace {

using Sequence = std::vector<OperatorId>;

constexpr std::size_t most_bodies = 200;
/// Facts of the target that are asked about.
constexpr std::size_t questions = 12;
/// Walks of a rule that are retraced at each hop.
constexpr std::size_t most_walks = 4;

struct Said {
  double sum = 0;
  std::size_t times = 0;
};

/// Facts of a target, spread over the graph.
std::vector<Fact> some_facts(const Graph& graph, OperatorId target) {
  const RelationId relation = target % graph.relations();
  std::vector<Fact> all;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    for (const Edge& edge : graph.edges(entity, relation))
      all.push_back({entity, relation, edge.target});
  }
  if (all.size() <= questions) return all;
  std::vector<Fact> some;
  for (std::size_t i = 0; i < questions; ++i) some.push_back(all[i * all.size() / questions]);
  return some;
}

/// What the walks of the soft rules say for an answer to the last question.
void retrace(const RuleTrace& model, EntityId answer, std::map<Sequence, double>& said) {
  const std::uint32_t node = model.node(answer);
  if (node == kernels::no_slot) return;
  BestWalks walks(model);
  for (std::uint32_t rule = 0; rule < model.rules(); ++rule) {
    for (std::uint32_t k = 1; k <= model.length(); ++k) {
      const double reached = model.reached(rule, k, node);
      const double share = model.share(rule, k, node);
      if (!(share > 0) || !(reached > 0)) continue;
      for (const SoftWalk& walk : walks.find(rule, k, node, most_walks, reached)) {
        Sequence hops = walk.operators;
        std::erase(hops, model.graph().operators());
        said[hops] += share * walk.weight / reached;
      }
    }
  }
}

/// What one grounding of a rule of a list says, by its hops.
void add_listed(const RuleList& list, OperatorId target, std::map<Sequence, double>& strengths) {
  for (const auto& [rule, more, group] : list.rules) {
    if (rule.target() != target || rule.is_pair()) continue;
    strengths[rule.hops()] +=
        group == 0 ? rule.weight() + std::log(2.0) * more : rule.weight() * std::log1p(more);
  }
}

}  // namespace

std::vector<TargetBody> target_bodies(MaskedModel& model, OperatorId target) {
  std::map<Sequence, Said> all;
  const RelationId relations = model.graph().relations();
  for (const Fact& fact : some_facts(model.graph(), target)) {
    const bool tail = target < relations;
    std::map<Sequence, double> said;
    model.ask({target, tail ? fact.subject : fact.object}, {&fact, 1});
    retrace(model.trace(), tail ? fact.object : fact.subject, said);
    for (const auto& [hops, share] : said) {
      all[hops].sum += share;
      ++all[hops].times;
    }
  }
  std::map<Sequence, double> strengths;
  for (const auto& [hops, said] : all) strengths[hops] = said.sum / static_cast<double>(said.times);
  if (model.model().paths) {
    const std::span<const float> weights = model.model().parameters.of(Part::path, target);
    const std::span<const RelationPath> paths = model.model().paths->of(target);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const std::span<const OperatorId> hops = paths[i].operators();
      strengths[{hops.begin(), hops.end()}] +=
          double{weights[2 * i]} + std::log(2.0) * double{weights[2 * i + 1]};
    }
  }
  if (model.model().list) add_listed(*model.model().list, target, strengths);
  std::vector<TargetBody> bodies;
  for (const auto& [hops, strength] : strengths) {
    if (strength > 0 && !hops.empty()) bodies.push_back({hops, strength});
  }
  std::stable_sort(bodies.begin(), bodies.end(), [](const TargetBody& a, const TargetBody& b) {
    return a.strength > b.strength;
  });
  if (bodies.size() > most_bodies) bodies.resize(most_bodies);
  return bodies;
}

}  // namespace lerpp
