#include "train/embedding_trainer.hpp"

#include <algorithm>
#include <cmath>

#include <lerp/base/parallel.hpp>

#include "base/random.hpp"
#include "train/adam_kernel.hpp"

namespace lerpp {
namespace {

constexpr double first_decay = 0.9;
constexpr double second_decay = 0.999;

/// The relations of all targets, which lie side by side.
std::span<float> relations_of(Parameters<float>& parameters) {
  const std::span<float> first = parameters.of(Part::relation, 0);
  return {first.data(), first.size() * parameters.shape().operators()};
}

}  // namespace

void EmbeddingOptimizer::step(double rate, std::uint64_t number, Parameters<float>& parameters,
                              Parameters<float>& gradient) {
  const auto count = static_cast<double>(number);
  const AdamStep step{static_cast<float>(rate / (1 - std::pow(first_decay, count))),
                      static_cast<float>(1 / (1 - std::pow(second_decay, count)))};
  team_.run([&](unsigned worker) {
    const auto move = [&](std::span<float> x, std::span<float> first, std::span<float> second,
                          std::span<float> d) {
      const auto [from, to] = slice(x.size(), worker, team_.size());
      adam_kernel(step, to - from, x.data() + from, first.data() + from, second.data() + from,
                  d.data() + from);
    };
    move(relations_of(parameters), relations_of(first_), relations_of(second_),
         relations_of(gradient));
    move(parameters.entities(), first_.entities(), second_.entities(), gradient.entities());
  });
}

EmbeddingTrainer::EmbeddingTrainer(const Graph& graph, const ModelShape& shape,
                                   const EmbeddingSettings& settings, Team& team)
    : settings_(settings), team_(team), loss_(graph, team, settings.n3), gradient_(shape) {
  for (EntityId start = 0; start < graph.entities(); ++start) {
    const std::span<const Edge> edges = graph.edges(start);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (i == 0 || edges[i].op != edges[i - 1].op) queries_.push_back({edges[i].op, start});
    }
  }
}

double EmbeddingTrainer::learn_epoch(std::uint32_t epoch, double share,
                                     Parameters<float>& parameters, Parameters<float>& first,
                                     Parameters<float>& second) {
  std::vector<EmbeddingQuery> queries = queries_;
  Random(settings_.seed, epoch).shuffle(queries);
  EmbeddingOptimizer optimizer(first, second, team_);
  std::uint64_t number = epoch * std::uint64_t{steps()};
  double loss = 0;
  for (std::size_t at = 0; at < queries.size(); at += settings_.batch) {
    const std::size_t count = std::min<std::size_t>(settings_.batch, queries.size() - at);
    loss += loss_.learn(parameters, std::span(queries).subspan(at, count), gradient_);
    optimizer.step(settings_.rate * share, ++number, parameters, gradient_);
  }
  return queries.empty() ? 0 : loss / static_cast<double>(steps());
}

}  // namespace lerpp
