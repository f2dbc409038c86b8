#include "model/engine.hpp"

#include <algorithm>
#include <numeric>

#include <lerp/base/parallel.hpp>

namespace lerpp {
namespace {

/// A ball costs its finding besides: beyond this share of the graph, going over all of it is
/// cheaper.
constexpr double most_ball_share = 0.4;

/// Deals queries out so that the workers have about the same number of edges, always in the same
/// way.
std::vector<std::vector<std::size_t>> deal(std::span<const std::size_t> costs, unsigned workers) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  std::vector<std::vector<std::size_t>> shares(workers);
  std::vector<std::size_t> loads(workers);
  for (const std::size_t query : order) {
    const std::size_t least =
        static_cast<std::size_t>(std::min_element(loads.begin(), loads.end()) - loads.begin());
    shares[least].push_back(query);
    loads[least] += costs[query] + 1;
  }
  return shares;
}

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
    finder.find(start, hops, nullptr, graph.entities(), ball);
    total += ball.edges.size();
  }
  return static_cast<double>(total) / (static_cast<double>(sample) * static_cast<double>(facts));
}

template <class Real>
struct Engine<Real>::Worker {
  explicit Worker(const Graph& graph) : finder(graph) {}

  BallFinder finder;
  BallRules<Real> rules;
  std::vector<std::uint32_t> slots;
  Buffer<Real> score_gradient;
  Buffer<Real> constraint_gradient;
  typename RuleWeights<Real>::Sums sums;
  double loss = 0;
};

template <class Real>
Engine<Real>::Engine(const Graph& graph, const ModelShape& shape, Team& team, Path path)
    : graph_(graph), shape_(shape), team_(team), path_(path), mask_(graph), weights_(shape) {
  if (path_ == Path::automatic) {
    path_ = sampled_ball_share(graph, shape.length) > most_ball_share ? Path::whole : Path::balls;
  }
  if (shape.depth > 0) functions_.emplace(graph, shape, team);
  needed_.resize(graph.entities());
  workers_.reserve(team.size());
  for (unsigned worker = 0; worker < team.size(); ++worker) workers_.emplace_back(graph);
}

template <class Real>
Engine<Real>::~Engine() = default;

template <class Real>
double Engine<Real>::learn(const Parameters<Real>& parameters, const Batch& batch,
                           Parameters<Real>& gradient) {
  const auto clear = [](std::span<Real> part) { std::fill(part.begin(), part.end(), Real{0}); };
  clear(gradient.shared());
  for (std::size_t part = 0; part < part_count; ++part)
    clear(gradient.of(static_cast<Part>(part), batch.target));
  mask_.hide(batch.hidden);
  weights_.prepare(parameters, batch.target);
  find_balls(batch);
  if (functions_) {
    functions_->prepare(parameters);
    functions_->forward(needed_.rows(), &mask_, true);
  }
  evaluate_constraints();
  const double loss = evaluate_rules(batch);
  backward(batch, gradient);
  return loss;
}

template <class Real>
void Engine<Real>::find_balls(const Batch& batch) {
  const std::size_t queries = batch.starts.size();
  const std::size_t most =
      path_ == Path::whole ? 0 : static_cast<std::size_t>(most_ball_share * graph_.entities()) + 1;
  balls_.resize(std::max(balls_.size(), queries));
  whole_.assign(queries, 1);
  if (path_ == Path::balls) {
    std::atomic<std::size_t> next = 0;
    team_.run([&](unsigned worker) {
      for (std::size_t query = next++; query < queries; query = next++) {
        whole_[query] = workers_[worker].finder.find(batch.starts[query], shape_.length, &mask_,
                                                     most, balls_[query])
                            ? 0
                            : 1;
      }
    });
  }
  needed_.clear();
  if (std::find(whole_.begin(), whole_.end(), 1) != whole_.end()) {
    whole_ball(graph_, &mask_, shape_.length, all_);
    for (const EntityId entity : all_.nodes) needed_.add(entity);
    return;
  }
  for (std::size_t query = 0; query < queries; ++query) {
    for (const EntityId entity : balls_[query].nodes) needed_.add(entity);
  }
}

template <class Real>
void Engine<Real>::evaluate_constraints() {
  constraints_.resize(needed_.size() * weights_.stride());
  const std::size_t width = functions_ ? functions_->width() : 0;
  team_.run([&](unsigned worker) {
    const auto [first, last] = slice(needed_.size(), worker, team_.size());
    weights_.constraints(last - first, functions_ ? functions_->values() + first * width : nullptr,
                         width, constraints_.data() + first * weights_.stride());
  });
}

template <class Real>
double Engine<Real>::evaluate_rules(const Batch& batch) {
  const std::size_t queries = batch.starts.size();
  std::vector<std::size_t> costs(queries);
  for (std::size_t query = 0; query < queries; ++query) {
    costs[query] = (whole_[query] != 0 ? all_ : balls_[query]).edges.size();
    edges_ += costs[query];
  }
  const auto shares = deal(costs, team_.size());
  const std::size_t width = functions_ ? functions_->width() : 0;
  team_.run([&](unsigned number) {
    Worker& worker = workers_[number];
    weights_.clear(worker.sums, width);
    worker.constraint_gradient.assign(constraints_.size(), Real{0});
    worker.loss = 0;
    for (const std::size_t query : shares[number]) {
      const bool whole = whole_[query] != 0;
      Ball& ball = whole ? all_ : balls_[query];
      std::uint32_t answer = kernels::no_slot;
      if (whole) {
        answer = batch.answers[query];
      } else {
        const auto found = std::find(ball.nodes.begin(), ball.nodes.end(), batch.answers[query]);
        if (found != ball.nodes.end())
          answer = static_cast<std::uint32_t>(found - ball.nodes.begin());
      }
      worker.slots.resize(ball.nodes.size());
      for (std::size_t node = 0; node < ball.nodes.size(); ++node)
        worker.slots[node] = needed_.slot(ball.nodes[node]);
      worker.rules.forward(weights_, ball, whole ? batch.starts[query] : 0, constraints_.data(),
                           worker.slots.data());
      worker.loss += static_cast<double>(query_loss<Real>(worker.rules.scores(), answer,
                                                          Real{1} / static_cast<Real>(queries),
                                                          worker.score_gradient));
      worker.rules.backward(weights_, ball, constraints_.data(), worker.slots.data(),
                            worker.score_gradient, worker.sums, worker.constraint_gradient.data());
    }
  });
  double loss = 0;
  for (const Worker& worker : workers_) loss += worker.loss;
  return loss;
}

template <class Real>
void Engine<Real>::backward(const Batch& batch, Parameters<Real>& gradient) {
  const std::size_t width = functions_ ? functions_->width() : 0;
  const std::size_t stride = weights_.stride();
  value_gradient_.resize(needed_.size() * width);
  team_.run([&](unsigned number) {
    // Each worker sums all workers' gradients of its own rows, in the workers' order.
    const auto [first, last] = slice(needed_.size(), number, team_.size());
    Real* sum = workers_[0].constraint_gradient.data();
    for (std::size_t other = 1; other < workers_.size(); ++other) {
      const Real* part = workers_[other].constraint_gradient.data();
      for (std::size_t i = first * stride; i < last * stride; ++i) sum[i] += part[i];
    }
    const Real* values = functions_ ? functions_->values() + first * width : nullptr;
    weights_.add_constraints(last - first, sum + first * stride, values, width,
                             workers_[number].sums);
    if (functions_) {
      weights_.functions_gradient(last - first, sum + first * stride, width,
                                  value_gradient_.data() + first * width);
    }
  });
  std::vector<typename RuleWeights<Real>::Sums> sums;
  sums.reserve(workers_.size());
  for (Worker& worker : workers_) sums.push_back(std::move(worker.sums));
  weights_.store(sums, width, batch.target, gradient);
  for (std::size_t number = 0; number < workers_.size(); ++number)
    workers_[number].sums = std::move(sums[number]);
  if (functions_) functions_->backward(value_gradient_, gradient);
}

template class Engine<float>;
template class Engine<double>;

}  // namespace lerpp
