// SPDX-License-Identifier: Apache-2.0
#include "embed/embedding_trainer.hpp"

#include <lerp/base/parallel.hpp>

#include "embed/adagrad_kernel.hpp"

namespace lerpp {
namespace {

/// The relations of all targets, which lie side by side.
std::span<float> relations_of(Parameters<float>& parameters) {
  const std::span<float> first = parameters.of(Part::relation, 0);
  return {first.data(), first.size() * parameters.shape().operators()};
}

}  // namespace

void EmbeddingOptimizer::step(double rate, Parameters<float>& parameters,
                              Parameters<float>& gradient) {
  team_.run([&](unsigned worker) {
    const auto move = [&](std::span<float> x, std::span<float> squares, std::span<float> d) {
      const auto [from, to] = slice(x.size(), worker, team_.size());
      adagrad_kernel(static_cast<float>(rate), to - from, x.data() + from, squares.data() + from,
                     d.data() + from);
    };
    move(relations_of(parameters), relations_of(squares_), relations_of(gradient));
    move(parameters.entities(), squares_.entities(), gradient.entities());
  });
}

EmbeddingTrainer::EmbeddingTrainer(const Graph& graph, const ModelShape& shape,
                                   const EmbeddingSettings& settings, Team& team)
    : settings_(settings),
      team_(team),
      loss_(graph, team, {settings.n3}),
      queries_(graph, settings.batch, settings.seed),
      gradient_(shape) {}

double EmbeddingTrainer::learn(std::size_t batch, Parameters<float>& parameters,
                               Parameters<float>& squares) {
  const std::span<const EmbeddingQuery> queries = queries_[batch];
  const double loss = loss_.learn(parameters, queries, gradient_);
  EmbeddingOptimizer(squares, team_).step(settings_.rate, parameters, gradient_);
  return static_cast<double>(queries.size()) * loss;
}

}  // namespace lerpp
