// SPDX-License-Identifier: Apache-2.0
#include "events/contrast.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.hpp"
#include "events/corpus.hpp"

namespace lerpp {
namespace {

EventOptions contrast_options(const InduceOptions& options) {
  EventOptions result;
  result.width = options.width;
  result.columns = options.columns;
  result.epochs = options.epochs;
  result.seed = options.seed;
  result.threads = options.threads;
  result.sharpen = options.sharpen;
  result.readout = "each";
  result.types = result.last = result.idle = result.scenario = result.repeats = result.own = false;
  result.decay = 0.001;
  return result;
}

/// The heads of the types that are there say yes to true graphs and no to what is left of them when
/// events are removed.
LabelledGraphs contrast(const std::vector<EventGraph>& graphs, const InduceOptions& options,
                        std::uint64_t seed) {
  LabelledGraphs result;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const std::set<LabelId> types(graphs[i].events.begin(), graphs[i].events.end());
    result.graphs.push_back(mutilate(graphs[i], 0, 0));
    result.gold.emplace_back(types.begin(), types.end());
    result.graphs.push_back(mutilate(graphs[i], options.remove, seed + i));
    result.gold.emplace_back();
  }
  return result;
}

/// Parameters at random, but that functions have a choice each that makes them these bodies.
std::vector<float> near_bodies(const std::vector<Formula>& bodies, const EventShape& shape,
                               const InduceOptions& options) {
  constexpr float margin = 5;  // half of a choice among a hundred
  enum Operation : std::size_t { chain = 1, copy = 3 };
  std::vector<float> values(shape.parameters());
  Random random(options.seed, 1);
  for (std::size_t i = 0; i < shape.function_parameters(); ++i) {
    values[i] = static_cast<float>(random.real());
  }
  const Parameters<float> layout(shape.functions());
  for (std::size_t i = 0; i < std::min<std::size_t>(bodies.size(), shape.width); ++i) {
    const auto choose = [&](std::size_t tensor, std::size_t choice) {
      const Tensor& place = layout.tensors()[tensor];
      values[place.offset + i * place.dimensions.back() + choice] += margin;
    };
    // From the outside in: the last step of the formula is the first column.
    std::vector<OperatorId> steps;
    const Formula* formula = &bodies[i];
    for (; formula->is(Formula::Kind::exists); formula = &formula->inner()) {
      steps.push_back(function_operator(shape, formula->op()));
    }
    choose(layout.start(),
           formula->is(Formula::Kind::constant) ? formula->entity() : shape.node_types());
    for (std::uint32_t j = 1; j <= shape.columns; ++j) {
      choose(layout.p(j), steps.empty() ? copy : chain);
      if (steps.empty()) continue;
      choose(layout.alpha(j), steps.back());
      steps.pop_back();
    }
  }
  return values;
}

/// The mean over the heads that speak.
double truth_of(const EndingScorer& scorer, const EventGraph& graph, LabelId heads) {
  std::vector<double> scores(heads);
  scorer.score(graph, scores);
  double sum = 0;
  double spoke = 0;
  for (const double score : scores) {
    if (!std::isfinite(score)) continue;
    sum += score;
    ++spoke;
  }
  return spoke == 0 ? 0 : sum / spoke;
}

}  // namespace

/// Every event gets the type of another event of its graph.
std::vector<EventGraph> with_types_dealt_out(std::vector<EventGraph> graphs, std::uint64_t seed,
                                             std::uint64_t round) {
  Random random(seed, 1000 + round);
  for (EventGraph& graph : graphs) random.shuffle(graph.events);
  return graphs;
}

std::vector<EventGraph> mutilated(const std::vector<EventGraph>& graphs, std::size_t count,
                                  std::uint64_t seed) {
  std::vector<EventGraph> result;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    result.push_back(mutilate(graphs[i], count, seed + i));
  }
  return result;
}

EventGraph mutilate(const EventGraph& graph, std::size_t count, std::uint64_t seed) {
  count = std::min(count, graph.events.size() / 2);
  std::vector<std::uint32_t> events(graph.events.size());
  for (std::uint32_t i = 0; i < events.size(); ++i) events[i] = i;
  Random(seed, 3).shuffle(events);
  std::vector<bool> kept(graph.events.size(), true);
  for (std::size_t i = 0; i < count; ++i) kept[events[i]] = false;
  EventGraph result = keep_events(graph, kept);
  std::vector<bool> takes_part(result.entities.size());
  for (const EventLink& link : result.arguments) takes_part[link.to] = true;
  std::vector<std::uint32_t> place(result.entities.size());
  std::vector<LabelId> entities;
  for (std::size_t i = 0; i < place.size(); ++i) {
    place[i] = static_cast<std::uint32_t>(entities.size());
    if (takes_part[i]) entities.push_back(result.entities[i]);
  }
  result.entities = std::move(entities);
  for (EventLink& link : result.arguments) link.to = place[link.to];
  std::erase_if(result.relations, [&](const EventLink& link) {
    return !takes_part[link.from] || !takes_part[link.to];
  });
  for (EventLink& link : result.relations) link = {place[link.from], link.label, place[link.to]};
  return result;
}

EventShape contrast_shape(const EventData& data, const InduceOptions& options) {
  return event_shape(contrast_options(options), data.trained, data.trained.event_types);
}

Result<EventModel> learn_contrast(const std::vector<EventGraph>& train,
                                  const std::vector<Formula>& bodies, const EventData& data,
                                  const InduceOptions& options, const Observer& observer) {
  const EventOptions learning = contrast_options(options);
  const EventShape shape = contrast_shape(data, options);
  LERP_TRY(trained,
           train_events(contrast(train, options, options.seed),
                        contrast(data[Split::valid], options, options.seed + 1'000'000), shape,
                        learning, observer, {}, EventState(near_bodies(bodies, shape, options))));
  trained.model.names = data.names;
  return std::move(trained.model);
}

double told_apart(const EventModel& model, const std::vector<EventGraph>& graphs,
                  const InduceOptions& options) {
  const auto scorer = make_event_scorer(model);
  const std::uint64_t seed = options.seed + 2'000'000;
  double right = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const double whole = truth_of(*scorer, mutilate(graphs[i], 0, 0), model.shape.heads);
    const double rest =
        truth_of(*scorer, mutilate(graphs[i], options.remove, seed + i), model.shape.heads);
    right += whole > rest ? 1 : whole == rest ? 0.5 : 0;
  }
  return graphs.empty() ? 0 : right / static_cast<double>(graphs.size());
}

}  // namespace lerpp
