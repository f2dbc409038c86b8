// SPDX-License-Identifier: Apache-2.0
#include "model/engine.hpp"

#include <algorithm>
#include <numeric>

#include "model/real.hpp"

namespace lerpp {
namespace {

/// Beyond this share of the graph's edges, one pass over all of them for several queries is
/// cheaper than a ball for each.
constexpr double most_ball_share = 0.4;

}  // namespace

double sampled_ball_share(const Graph& graph, std::uint32_t hops) {
  constexpr std::size_t sample = 64;
  const std::size_t facts = graph.edges().size();
  if (facts == 0) return 0;
  BallFinder finder(graph);
  Ball ball;
  std::size_t total = 0;
  for (std::size_t i = 0; i < sample; ++i) {
    // Ends of edges, as queries are: hubs count as often as they are asked about.
    const EntityId start = graph.edges()[facts * i / sample].target;
    finder.find(start, {hops, graph.entities()}, nullptr, ball);
    total += ball.edges.size();
  }
  return static_cast<double>(total) / (static_cast<double>(sample) * static_cast<double>(facts));
}

template <class Real>
Engine<Real>::Engine(const Background& background, Team& team, Path path)
    : background_(background), team_(team), path_(path), function_weights_(background.shape()) {
  const ModelShape& shape = background.shape();
  // A frontier is the nearest part of a ball: the whole graph has none.
  if (path == Path::automatic && shape.frontier == 0 &&
      sampled_ball_share(background.graph(), shape.length) > most_ball_share)
    path_ = Path::whole;
  // On the whole graph, one pass over the edges serves several queries.
  if (path_ == Path::whole) copies_ = rule_copies(shape);
}

template <class Real>
template <class Count, class Action>
void Engine<Real>::phase(const Count& count, const Action& action) {
  items_.clear();
  for (std::uint32_t lane = 0; lane < used_; ++lane) {
    const auto numbers = static_cast<std::uint32_t>(count(lanes_[lane]));
    for (std::uint32_t number = 0; number < numbers; ++number) items_.push_back({lane, number, 0});
  }
  team_.each(items_.size(), [&](unsigned worker, std::size_t item) {
    if (!stopped()) action(worker, lanes_[items_[item].lane], items_[item].number);
  });
}

template <class Real>
void Engine<Real>::learn(const Parameters<Real>& parameters, std::span<const Batch> lanes,
                         const StepSettings& settings, Parameters<Real>& gradient,
                         StepFindings<Real>& findings) {
  observer_ = settings.observer;
  begin(parameters, lanes, settings);
  forward();
  if (stopped()) return;
  learn_parts();
  if (stopped()) return;
  backward();
  if (stopped()) return;
  findings.losses.resize(used_);
  findings.shared.resize(std::max(findings.shared.size(), used_));
  team_.each(used_, [&](unsigned /*worker*/, std::size_t lane) {
    findings.shared[lane].resize(parameters.shared().size());
    lanes_[lane].store(gradient, findings.shared[lane]);
    findings.losses[lane] = lanes_[lane].loss();
  });
}

template <class Real>
void Engine<Real>::begin(const Parameters<Real>& parameters, std::span<const Batch> lanes,
                         const StepSettings& settings) {
  used_ = lanes.size();
  while (lanes_.size() < used_) lanes_.emplace_back(background_, copies_);
  while (learners_.size() < team_.size()) learners_.emplace_back(lanes_.front().pass());
  // The softmaxes of the functions, and those of each target.
  const std::size_t tensors = function_weights_.tensors();
  team_.each(tensors + used_, [&](unsigned /*worker*/, std::size_t item) {
    if (stopped()) return;
    if (item < tensors) {
      function_weights_.take(parameters, item);
    } else {
      lanes_[item - tensors].begin(parameters, lanes[item - tensors], settings, path_);
    }
  });
}

template <class Real>
void Engine<Real>::forward() {
  phase([](Lane<Real>& lane) { return lane.pass().starts().size(); },
        [this](unsigned worker, Lane<Real>& lane, std::uint32_t query) {
          lane.pass().find_ball(learners_[worker].asker, query);
        });
  phase([](Lane<Real>&) { return 1; },
        [this](unsigned /*worker*/, Lane<Real>& lane, std::uint32_t /*number*/) {
          lane.pass().collect({&function_weights_});
          lane.divide();
        });
  const std::uint32_t depth = background_.shape().depth;
  for (std::uint32_t j = depth; j-- > 1;) {
    if (stopped()) return;
    phase([j](Lane<Real>& lane) { return lane.pass().functions()->reach_blocks(j); },
          [j](unsigned /*worker*/, Lane<Real>& lane, std::uint32_t block) {
            lane.pass().functions()->reach(j, block);
          });
    phase([](Lane<Real>&) { return 1; },
          [j](unsigned /*worker*/, Lane<Real>& lane, std::uint32_t /*number*/) {
            lane.pass().functions()->collect(j);
          });
  }
  if (stopped()) return;
  for (std::uint32_t j = 1; j <= depth; ++j) {
    phase([j](Lane<Real>& lane) { return lane.pass().functions()->blocks(j); },
          [this, j](unsigned worker, Lane<Real>& lane, std::uint32_t block) {
            lane.pass().functions()->forward(j, block, learners_[worker].asker.functions);
          });
  }
  phase([](Lane<Real>& lane) { return lane.pass().constraint_blocks(); },
        [](unsigned /*worker*/, Lane<Real>& lane, std::uint32_t block) {
          lane.pass().constrain(block);
        });
}

template <class Real>
void Engine<Real>::learn_parts() {
  // Large ones first, so that nobody is left with one in the end.
  items_.clear();
  costs_.clear();
  for (std::uint32_t lane = 0; lane < used_; ++lane) {
    for (std::uint32_t part = 0; part < lanes_[lane].parts(); ++part) {
      const std::size_t cost = lanes_[lane].cost(part);
      edges_ += cost;
      for (std::uint32_t group = 0; group < lanes_[lane].groups(); ++group) {
        items_.push_back({lane, part, group});
        costs_.push_back(cost);
      }
    }
  }
  std::vector<std::uint32_t> order(items_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return costs_[a] > costs_[b]; });
  team_.each(order.size(), [&](unsigned worker, std::size_t item) {
    const Item& part = items_[order[item]];
    if (!stopped()) lanes_[part.lane].learn(learners_[worker], part.number, part.group);
  });
}

template <class Real>
void Engine<Real>::backward() {
  const std::uint32_t depth = background_.shape().depth;
  if (depth == 0) return;
  phase([](Lane<Real>& lane) { return lane.chunks(); },
        [](unsigned /*worker*/, Lane<Real>& lane, std::uint32_t chunk) {
          lane.learn_constraints(chunk);
        });
  for (std::uint32_t j = depth; j >= 1; --j) {
    if (j > 1) {
      phase([j](Lane<Real>& lane) { return lane.pass().functions()->chunks(j); },
            [j](unsigned /*worker*/, Lane<Real>& lane, std::uint32_t chunk) {
              lane.pass().functions()->merge_backward(j, chunk);
            });
    }
    phase([j](Lane<Real>& lane) { return lane.pass().functions()->chain_chunks(j); },
          [j](unsigned /*worker*/, Lane<Real>& lane, std::uint32_t chunk) {
            lane.pass().functions()->chain_backward(j, chunk);
          });
  }
}

template class Engine<LERP_REAL>;

}  // namespace lerpp
