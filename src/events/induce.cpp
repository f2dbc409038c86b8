// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <lerp/events/induce.hpp>
#include <lerp/logic/evaluate.hpp>

#include "base/clock.hpp"
#include "events/contrast.hpp"
#include "events/equation_candidates.hpp"
#include "events/equation_choice.hpp"

namespace lerpp {
namespace {

void count_all(std::vector<InducedEquation>& induced, const std::vector<EventGraph>& train,
               const std::vector<EventGraph>& held_out, const EventShape& shape,
               const InduceOptions& options) {
  std::vector<Equation> equations;
  equations.reserve(induced.size());
  for (const InducedEquation& item : induced) equations.push_back(item.equation);
  const auto on_train = count_equations(equations, train, shape);
  const auto on_mutilated =
      count_equations(equations, mutilated(train, options.remove, options.seed), shape);
  const auto on_held_out = count_equations(equations, held_out, shape);
  for (std::size_t i = 0; i < induced.size(); ++i) {
    induced[i].train = on_train[i];
    induced[i].mutilated = on_mutilated[i];
    induced[i].held_out = on_held_out[i];
  }
  for (std::uint32_t round = 1; round <= options.shuffles; ++round) {
    const auto dealt =
        count_equations(equations, with_types_dealt_out(held_out, options.seed, round), shape);
    for (std::size_t i = 0; i < induced.size(); ++i) {
      induced[i].chance += dealt[i].share() / options.shuffles;
      induced[i].graph_chance += dealt[i].graph_share() / options.shuffles;
    }
  }
}

/// Graphs to learn from, and others to count in: every fifth where the data has no test graphs.
struct InduceGraphs {
  std::vector<EventGraph> train, held_out;
};

InduceGraphs graphs_of(const EventData& data) {
  InduceGraphs graphs;
  for (const EventGraph& graph : data[Split::train]) {
    if (graph.events.size() >= 2) graphs.train.push_back(graph);
  }
  graphs.held_out = data[Split::test];
  std::erase_if(graphs.held_out, [](const EventGraph& graph) { return graph.events.empty(); });
  if (!graphs.held_out.empty()) return graphs;
  std::vector<EventGraph> rest;
  for (std::size_t i = 0; i < graphs.train.size(); ++i) {
    (i % 5 == 4 ? graphs.held_out : rest).push_back(std::move(graphs.train[i]));
  }
  graphs.train = std::move(rest);
  return graphs;
}

/// What functions say, and what is frequent in the corpus and no function says.
std::vector<EquationCandidate> candidates_of(const EventModel& model,
                                             const std::vector<Formula>& frequent) {
  std::vector<EquationCandidate> candidates = learned_equations(model);
  std::set<std::pair<LabelId, Formula>> learned;
  for (const EquationCandidate& candidate : candidates) {
    learned.insert({candidate.equation.type, candidate.equation.body});
  }
  for (const Formula& body : frequent) {
    for (LabelId type = 0; type < model.shape.sizes.event_types; ++type) {
      if (!learned.contains({type, body})) candidates.push_back({{type, body}, false, 0});
    }
  }
  return candidates;
}

}  // namespace

std::vector<EquationCount> count_equations(const std::vector<Equation>& equations,
                                           const std::vector<EventGraph>& graphs,
                                           const EventShape& shape) {
  const NodeCorpus corpus = node_corpus(graphs, shape);
  Evaluator evaluator(corpus.graph);
  std::vector<std::vector<std::uint32_t>> nodes(shape.sizes.event_types);
  for (std::uint32_t node = 0; node < corpus.types.size(); ++node) {
    if (corpus.types[node] < nodes.size()) nodes[corpus.types[node]].push_back(node);
  }
  std::vector<EquationCount> result;
  for (const Equation& equation : equations) {
    const EntitySet& body = evaluator(equation.body);
    EquationCount count;
    const std::vector<std::uint32_t>& asked = nodes[equation.type];
    // The nodes of a graph stand together.
    for (std::size_t first = 0; first < asked.size();) {
      const std::uint32_t graph = corpus.graph_of[asked[first]];
      std::size_t last = first;
      std::size_t holds = 0;
      for (; last < asked.size() && corpus.graph_of[asked[last]] == graph; ++last) {
        if (body.contains(corpus.first_node + asked[last])) ++holds;
      }
      count.events += last - first;
      count.holds += holds;
      ++count.graphs;
      if (holds == last - first) ++count.all_graphs;
      first = last;
    }
    result.push_back(count);
  }
  return result;
}

Result<Induction> induce(const EventData& data, const InduceOptions& options,
                         const Observer& observer) {
  LERP_CHECK(check_options(options));
  const auto start = Clock::now();
  const InduceGraphs graphs = graphs_of(data);
  if (graphs.train.empty()) {
    return fail("no training graph has two events", data.source, "give graphs with more events");
  }
  const EventShape shape = contrast_shape(data, options);
  const std::vector<Formula> frequent =
      frequent_bodies(node_corpus(graphs.train, shape), shape, options.support, options.candidates);
  std::vector<Formula> seeds;
  if (!options.random) {
    seeds = promising_bodies(frequent, options.width, graphs.train, shape, options);
  }
  LERP_TRY(model, learn_contrast(graphs.train, seeds, data, options, observer));
  Induction result;
  result.data = data.name;
  result.names = data.names;
  result.shape = model.shape;
  result.seeded = !options.random;
  result.graphs = graphs.train.size();
  result.held_out_graphs = graphs.held_out.size();
  result.told_apart = told_apart(model, graphs.held_out, options);
  for (EquationCandidate& candidate :
       choose_equations(candidates_of(model, frequent), graphs.train, model.shape, options)) {
    InducedEquation item;
    item.equation = std::move(candidate.equation);
    item.learned = candidate.learned;
    item.certainty = candidate.certainty;
    result.equations.push_back(std::move(item));
  }
  count_all(result.equations, graphs.train, graphs.held_out, result.shape, options);
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace lerpp
