#include "model/engine.hpp"

#include <algorithm>
#include <numeric>

#include <lerp/base/parallel.hpp>

#include "base/random.hpp"
#include "model/score_loss.hpp"

namespace lerpp {
namespace {

/// A ball costs its finding besides: beyond this share of the graph, going over all of it is
/// cheaper.
constexpr double most_ball_share = 0.4;

/// Fewer queries than this are not worth sharing: the workers would mostly wait for each other.
constexpr std::size_t least_shared = 8;

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
    finder.find(start, {hops, graph.entities()}, nullptr, ball);
    total += ball.edges.size();
  }
  return static_cast<double>(total) / (static_cast<double>(sample) * static_cast<double>(facts));
}

template <class Real>
struct Engine<Real>::Worker {
  explicit Worker(const Graph& graph)
      : finder(graph), nodes_of(graph.entities(), kernels::no_slot) {}

  BallFinder finder;
  BallRules<Real> rules;
  std::vector<std::uint32_t> slots;
  std::vector<std::uint32_t> starts;  ///< nodes of a pack's queries
  Buffer<Real> score_gradient;
  // Of rules that add evidence: scores of all entities, what is learned from them, and where the
  // entities of a lesson are in the ball.
  Buffer<Real> scores;
  ScoreLoss<Real> score_loss;
  std::vector<std::uint32_t> nodes_of;
  std::vector<std::uint32_t> lesson_nodes;
  std::vector<Real> lesson_gradient;
  Buffer<Real> constraint_gradient;
  typename RuleWeights<Real>::Sums sums;
  double loss = 0;
};

template <class Real>
Engine<Real>::Engine(const Graph& graph, const ModelShape& shape, Team& team, Path path,
                     double thin)
    : graph_(graph),
      shape_(shape),
      team_(team),
      path_(path),
      thin_(thin),
      length_(shape.length),
      mask_(graph),
      weights_(shape) {
  // A frontier is the nearest part of a ball: the whole graph has none.
  if (shape.frontier > 0) path_ = Path::balls;
  if (path_ == Path::automatic) {
    path_ = sampled_ball_share(graph, shape.length) > most_ball_share ? Path::whole : Path::balls;
  }
  // On the whole graph, one pass over the edges serves several queries.
  if (path_ == Path::whole) weights_ = RuleWeights<Real>(shape, rule_copies(shape));
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
  team_.work_alone(batch.starts.size() < least_shared);
  mask_.hide(batch.hidden);
  weights_.prepare(parameters, batch.target, length_, &team_);
  find_balls(batch);
  if (functions_) {
    functions_->prepare(parameters);
    functions_->forward(needed_.rows(), &mask_, true);
  }
  evaluate_constraints();
  const View<Real> view = {&mask_, shape_.pairs > 0 ? functions_->values() : nullptr};
  for (const auto& term : terms_) term->begin(parameters, batch.target, view);
  const double loss = evaluate_rules(batch);
  backward(batch, gradient);
  return loss;
}

template <class Real>
void Engine<Real>::find_balls(const Batch& batch) {
  const std::size_t queries = batch.starts.size();
  const bool whole = path_ == Path::whole;
  const std::size_t most = shape_.frontier > 0
                               ? graph_.entities()
                               : static_cast<std::size_t>(most_ball_share * graph_.entities()) + 1;
  balls_.resize(std::max(balls_.size(), queries));
  whole_.assign(queries, 1);
  if (!whole) {
    std::atomic<std::size_t> next = 0;
    team_.run([&](unsigned worker) {
      for (std::size_t query = next++; query < queries; query = next++) {
        whole_[query] =
            workers_[worker].finder.find(batch.starts[query], {length_, most, shape_.frontier},
                                         &mask_, balls_[query])
                ? 0
                : 1;
      }
    });
  }
  needed_.clear();
  if (shape_.pairs > 0) needed_.add_all();
  if (std::find(whole_.begin(), whole_.end(), 1) != whole_.end()) {
    whole_ball(graph_, &mask_, length_, all_);
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
  // A pack is what the copies of the rules serve at once: one query, or several on the whole graph.
  const std::size_t queries = batch.starts.size();
  const std::size_t copies = weights_.copies();
  std::vector<std::size_t> costs((queries + copies - 1) / copies);
  for (std::size_t query = 0; query < queries; ++query) {
    const std::size_t edges = (whole_[query] != 0 ? all_ : balls_[query]).edges.size();
    costs[query / copies] += edges;
    edges_ += edges;
  }
  const auto shares = deal(costs, team_.size());
  const std::size_t width = functions_ ? functions_->width() : 0;
  team_.run([&](unsigned number) {
    Worker& worker = workers_[number];
    weights_.clear(worker.sums, width);
    worker.constraint_gradient.assign(constraints_.size(), Real{0});
    worker.loss = 0;
    for (const std::size_t pack : shares[number]) {
      const std::size_t query = pack * copies;
      const std::size_t count = std::min(copies, queries - query);
      const bool whole = whole_[query] != 0;
      const Ball& ball = whole ? all_ : balls_[query];
      worker.slots.resize(ball.nodes.size());
      for (std::size_t node = 0; node < ball.nodes.size(); ++node)
        worker.slots[node] = needed_.slot(ball.nodes[node]);
      worker.starts.assign(count, 0);  // the node of a ball's own start
      if (whole) std::copy_n(batch.starts.begin() + query, count, worker.starts.begin());
      worker.rules.forward(weights_, ball, worker.starts, constraints_.data(), worker.slots.data());
      if (shape_.evidence) {
        learn_evidence(number, batch, query);
      } else {
        learn_sum(worker, batch, query, count);
      }
    }
  });
  double loss = 0;
  for (const Worker& worker : workers_) loss += worker.loss;
  return loss;
}

template <class Real>
void Engine<Real>::learn_sum(Worker& worker, const Batch& batch, std::size_t first,
                             std::size_t count) {
  const Ball& ball = whole_[first] != 0 ? all_ : balls_[first];
  const std::size_t nodes = ball.nodes.size();
  const Real weight = Real{1} / static_cast<Real>(batch.starts.size());
  worker.score_gradient.resize(count * nodes);
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = std::find(ball.nodes.begin(), ball.nodes.end(), batch.answers[first + i]);
    const std::uint32_t answer = found == ball.nodes.end()
                                     ? kernels::no_slot
                                     : static_cast<std::uint32_t>(found - ball.nodes.begin());
    worker.loss += static_cast<double>(
        query_loss<Real>(worker.rules.scores().subspan(i * nodes, nodes), answer, weight,
                         std::span(worker.score_gradient).subspan(i * nodes, nodes)));
  }
  worker.rules.backward(weights_, ball, constraints_.data(), worker.slots.data(),
                        worker.score_gradient, worker.sums, worker.constraint_gradient.data());
}

template <class Real>
void Engine<Real>::learn_evidence(unsigned number, const Batch& batch, std::size_t query) {
  Worker& worker = workers_[number];
  const Ball& ball = whole_[query] != 0 ? all_ : balls_[query];
  worker.scores.assign(graph_.entities(), Real{0});
  if (softmax_ == Softmax::one) {
    for (const auto& term : terms_) term->add(number, batch.starts[query], worker.scores);
  }
  const std::span<const Real> own = worker.rules.scores();
  for (std::size_t node = 0; node < own.size(); ++node) {
    worker.scores[ball.nodes[node]] += own[node];
    worker.nodes_of[ball.nodes[node]] = static_cast<std::uint32_t>(node);
  }
  const Lesson<Real> lesson = draw_lesson(worker, batch, query);
  worker.lesson_nodes.clear();
  worker.lesson_gradient.clear();
  for (std::size_t i = 0; i < lesson.entities.size(); ++i) {
    const std::uint32_t node = worker.nodes_of[lesson.entities[i]];
    if (node == kernels::no_slot) continue;
    worker.lesson_nodes.push_back(node);
    worker.lesson_gradient.push_back(lesson.gradient[i]);
  }
  for (const EntityId entity : ball.nodes) worker.nodes_of[entity] = kernels::no_slot;
  worker.rules.backward(weights_, ball, constraints_.data(), worker.slots.data(),
                        {worker.lesson_nodes, worker.lesson_gradient}, worker.sums,
                        worker.constraint_gradient.data());
  const std::span<const std::unique_ptr<Term<Real>>> terms(terms_);
  switch (softmax_) {
    case Softmax::one:
      for (const auto& term : terms) term->learn(number, lesson);
      break;
    case Softmax::two:
      learn_terms(number, batch, query, terms);
      break;
    case Softmax::each:
      for (std::size_t first = 0, last = 0; first < terms.size(); first = last) {
        for (++last; last < terms.size() && terms[last]->joins();) ++last;
        learn_terms(number, batch, query, terms.subspan(first, last - first));
      }
      break;
  }
}

template <class Real>
void Engine<Real>::learn_terms(unsigned number, const Batch& batch, std::size_t query,
                               std::span<const std::unique_ptr<Term<Real>>> terms) {
  if (terms.empty()) return;
  Worker& worker = workers_[number];
  worker.scores.assign(graph_.entities(), Real{0});
  for (const auto& term : terms) term->add(number, batch.starts[query], worker.scores);
  const Lesson<Real> lesson = draw_lesson(worker, batch, query);
  for (const auto& term : terms) term->learn(number, lesson);
}

template <class Real>
Lesson<Real> Engine<Real>::draw_lesson(Worker& worker, const Batch& batch,
                                       std::size_t query) const {
  const EntityId start = batch.starts[query];
  const EntityId answer = batch.answers[query];
  for (const Edge& known : graph_.edges(start, batch.target)) {
    if (known.target != answer) worker.scores[known.target] = ScoreLoss<Real>::nothing;
  }
  Random random(batch.seed, query);
  worker.loss += worker.score_loss.evaluate(
      worker.scores, {answer, 1 / static_cast<double>(batch.starts.size()), thin_, random.real()});
  return {start, answer, worker.score_loss.entities(), worker.score_loss.gradient()};
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
  weights_.store(sums, width, batch.target, gradient, &team_);
  for (std::size_t number = 0; number < workers_.size(); ++number)
    workers_[number].sums = std::move(sums[number]);
  for (const auto& term : terms_) term->finish(gradient, value_gradient_);
  if (functions_) functions_->backward(value_gradient_, gradient);
}

template class Engine<float>;
template class Engine<double>;

}  // namespace lerpp
