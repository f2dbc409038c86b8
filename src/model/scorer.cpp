#include <algorithm>
#include <mutex>
#include <numeric>

#include <lerp/model/model.hpp>

#include "model/background.hpp"
#include "model/ball_rules.hpp"
#include "model/embedding_scorer.hpp"
#include "model/functions.hpp"

namespace lerpp {
namespace {

constexpr double most_ball_share = 0.4;

/// What one thread needs for a call; kept for the next.
struct Workspace {
  Workspace(const Graph& graph, const ModelShape& shape, const Background& background)
      : finder(graph), weights(shape), terms(make_terms<float>(shape, graph, background, 1)) {
    needed.resize(graph.entities());
  }

  BallFinder finder;
  RuleWeights<float> weights;
  std::vector<std::unique_ptr<Term<float>>> terms;
  std::vector<Ball> balls;
  RowSet needed;
  BallRules<float> rules;
  Buffer<float> functions, constraints;
  std::vector<std::uint32_t> slots;
};

class ModelScorer final : public Scorer {
 public:
  ModelScorer(const Parameters<float>& parameters, std::shared_ptr<const PathTable> paths,
              const Graph& known, unsigned threads)
      : parameters_(parameters),
        known_(known),
        team_(threads),
        background_(parameters.shape(), known, std::move(paths), team_) {
    find_lengths();
    whole_ball(known, nullptr, parameters.shape().length, all_);
    if (parameters.shape().depth == 0) return;
    functions_.emplace(known, parameters.shape(), team_);
    functions_->prepare(parameters);
    functions_->forward(all_.nodes, nullptr, false);
  }

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    if (queries.empty()) return;
    std::unique_ptr<Workspace> space = borrow();
    const OperatorId target = queries.front().target;
    space->weights.prepare(parameters_, target, lengths_[target]);
    const View<float> view = {nullptr, functions_ ? functions_->values() : nullptr};
    for (const auto& term : space->terms) term->begin(parameters_, target, view);
    find_balls(queries, *space);
    evaluate_constraints(*space);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const bool whole = space->balls[i].nodes.empty();
      const Ball& ball = whole ? all_ : space->balls[i];
      space->slots.resize(ball.nodes.size());
      for (std::size_t node = 0; node < ball.nodes.size(); ++node) {
        space->slots[node] = space->needed.slot(ball.nodes[node]);
      }
      space->rules.forward(space->weights, ball, whole ? queries[i].start : 0,
                           space->constraints.data(), space->slots.data());
      scores[i].clear(0);
      const std::span<const float> values = space->rules.scores();
      if (parameters_.shape().evidence) {
        const std::span<float> all = scores[i].dense(known_.entities());
        std::fill(all.begin(), all.end(), 0.0F);
        for (const auto& term : space->terms) term->add(0, queries[i].start, all);
        for (std::size_t node = 0; node < values.size(); ++node)
          all[ball.nodes[node]] += values[node];
      } else if (whole) {
        std::copy(values.begin(), values.end(), scores[i].dense(known_.entities()).begin());
      } else {
        scores[i].entities = ball.nodes;
        scores[i].values.assign(values.begin(), values.end());
      }
    }
    give_back(std::move(space));
  }

 private:
  /// Hops that say nothing at all need not be walked: a model may have grown less than it could.
  void find_lengths() {
    const ModelShape& shape = parameters_.shape();
    lengths_.assign(shape.operators(), shape.length);
    if (!shape.evidence) return;
    const std::size_t hops = shape.length + std::size_t{1};
    for (OperatorId target = 0; target < shape.operators(); ++target) {
      const std::span<const float> weight = parameters_.of(Part::weight, target);
      std::uint32_t last = std::min(1U, shape.length);
      for (std::size_t at = 0; at < weight.size(); ++at) {
        if (weight[at] != 0) last = std::max(last, static_cast<std::uint32_t>(at % hops));
      }
      lengths_[target] = last;
    }
  }

  std::unique_ptr<Workspace> borrow() const {
    const std::lock_guard lock(mutex_);
    if (spaces_.empty())
      return std::make_unique<Workspace>(known_, parameters_.shape(), background_);
    std::unique_ptr<Workspace> space = std::move(spaces_.back());
    spaces_.pop_back();
    return space;
  }

  void give_back(std::unique_ptr<Workspace> space) const {
    const std::lock_guard lock(mutex_);
    spaces_.push_back(std::move(space));
  }

  /// A ball for each query; an empty one stands for the whole graph.
  void find_balls(std::span<const Query> queries, Workspace& space) const {
    const std::size_t frontier = parameters_.shape().frontier;
    const std::size_t most =
        frontier > 0 ? known_.entities()
                     : static_cast<std::size_t>(most_ball_share * known_.entities()) + 1;
    const BallFinder::Limits limits = {space.weights.length(), most, frontier};
    space.balls.resize(std::max(space.balls.size(), queries.size()));
    space.needed.clear();
    for (std::size_t i = 0; i < queries.size(); ++i) {
      Ball& ball = space.balls[i];
      if (!space.finder.find(queries[i].start, limits, nullptr, ball)) ball.nodes.clear();
      for (const EntityId entity : ball.nodes.empty() ? all_.nodes : ball.nodes)
        space.needed.add(entity);
    }
  }

  void evaluate_constraints(Workspace& space) const {
    const std::size_t rows = space.needed.size();
    const std::size_t width = functions_ ? functions_->width() : 0;
    space.functions.resize(rows * width);
    for (std::size_t row = 0; row < rows && functions_; ++row) {
      const float* from = functions_->values() + functions_->slot(space.needed.rows()[row]) * width;
      std::copy(from, from + width, space.functions.data() + row * width);
    }
    space.constraints.resize(rows * space.weights.stride());
    space.weights.constraints(rows, space.functions.data(), width, space.constraints.data());
  }

  const Parameters<float>& parameters_;
  const Graph& known_;
  Team team_;
  Background background_;
  std::vector<std::uint32_t> lengths_;  ///< of each target: hops in use
  Ball all_;
  std::optional<Functions<float>> functions_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> spaces_;
};

}  // namespace

std::unique_ptr<Scorer> make_scorer(const Parameters<float>& parameters,
                                    std::shared_ptr<const PathTable> paths, const Graph& known,
                                    unsigned threads) {
  const ModelShape& shape = parameters.shape();
  auto rules = std::make_unique<ModelScorer>(parameters, std::move(paths), known, threads);
  if (shape.embedding == 0 || shape.entities != known.entities()) return rules;
  return std::make_unique<EmbeddingScorer>(std::move(rules), parameters);
}

}  // namespace lerpp
