// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <lerp/model/memory_need.hpp>

#include "model/ball.hpp"
#include "model/constant_tables.hpp"
#include "model/kernels.hpp"

namespace lerpp {
namespace {

/// Of a fact: both of its edges, where they lead, and the classes and walks of entities.
constexpr std::uint64_t bytes_per_fact = 64;
/// Of an entity: rows, names that were looked up, and sums.
constexpr std::uint64_t bytes_per_entity = 64;
/// Of an entity, in each thread: scores, marks and what was found.
constexpr std::uint64_t thread_bytes_per_entity = 64;
/// Of a weighed path: its operators, its place in the table and where it is looked up.
constexpr std::uint64_t bytes_per_path = 96;
/// Parameters, the best of them, their gradient, its two moments, and copies while they are weighed
/// and saved.
constexpr std::uint64_t learned_copies = 8;
/// Of functions that are learned: values, what they are made of, and the gradients of both.
constexpr std::uint64_t function_copies = 4;
/// Parts of a batch that have a gradient of their own, at most.
constexpr std::uint32_t most_parts = 17;
/// What comes beside: lists of rules, results, what is written.
constexpr std::uint64_t spare_bytes = std::uint64_t{16} << 20U;
/// Queries of one thread that are scored together.
constexpr std::uint64_t scored_together = 16;

/// Pairs of edges at one entity: each speaks of a constant and an answer.
std::uint64_t constant_bytes(const Graph& graph) {
  const ConstantLimits limits;
  std::uint64_t pairs = 0;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    const std::uint64_t degree = graph.edges(entity).size();
    if (degree <= limits.degree) pairs += degree * degree;
  }
  // While they are put together, there are two of each.
  const std::uint64_t entries = std::min<std::uint64_t>(pairs, limits.entries);
  return entries * sizeof(ConstantTables::Entry) * 5 / 4;
}

/// What is found out about a graph for a model.
std::uint64_t known_bytes(const ModelShape& shape, const Graph& graph) {
  std::uint64_t bytes = graph.facts() * bytes_per_fact + graph.entities() * bytes_per_entity;
  if (shape.constants > 0) bytes += constant_bytes(graph);
  return bytes + std::uint64_t{shape.operators()} * shape.paths * bytes_per_path;
}

std::uint64_t parameters_of(const ModelShape& shape) {
  std::uint64_t count = 0;
  for (const Tensor& tensor : tensors_of(shape)) count += tensor.size;
  // Where the paths of the targets are not known, each may have all that it is allowed.
  return count + std::uint64_t{shape.operators()} * shape.paths * 2;
}

/// Floats of the constraints of an entity.
std::uint64_t constraint_row(const ModelShape& shape) {
  if (shape.functions() == 0) return 0;
  return kernels::padded((shape.length + std::size_t{1}) *
                         kernels::padded_rules(shape.constrained()));
}

/// Floats that rules leave at a node.
std::uint64_t rule_row(const ModelShape& shape) {
  return (shape.length + std::uint64_t{1}) * kernels::padded_rules(shape.rules);
}

struct BallSizes {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
};

/// Of what queries reach, the mean: hubs are asked about as often as facts lead to them.
BallSizes ball_sizes(const ModelShape& shape, const Graph& graph, std::uint32_t frontier) {
  constexpr std::size_t sample = 64;
  const std::size_t edges = graph.edges().size();
  if (edges == 0) return {};
  BallFinder finder(graph);
  Ball ball;
  BallSizes sum;
  for (std::size_t i = 0; i < sample; ++i) {
    finder.find(graph.edges()[edges * i / sample].target,
                {shape.length, graph.entities(), frontier, 0}, nullptr, ball);
    sum.nodes += ball.nodes.size();
    sum.edges += ball.edges.size();
  }
  return {sum.nodes / sample + 1, sum.edges / sample};
}

/// Entities that balls of so many nodes in all hold, where these are spread at random.
std::uint64_t reached(std::uint64_t entities, std::uint64_t nodes) {
  if (entities == 0) return 0;
  const double share = static_cast<double>(nodes) / static_cast<double>(entities);
  return static_cast<std::uint64_t>(static_cast<double>(entities) * -std::expm1(-share)) + 1;
}

}  // namespace

MemoryNeed ranking_need(const ModelShape& shape, const Graph& known) {
  const std::uint64_t entities = known.entities();
  MemoryNeed need;
  need.fixed = spare_bytes + known_bytes(shape, known) +
               entities * kernels::padded(shape.functions()) * (shape.depth + 1) * sizeof(float);
  need.each_thread = entities * (thread_bytes_per_entity + scored_together * sizeof(float) +
                                 (constraint_row(shape) + rule_row(shape)) * sizeof(float));
  return need;
}

MemoryNeed learning_need(const ModelShape& shape, const Graph& known, const LearningSizes& sizes) {
  const std::uint64_t entities = known.entities();
  const BallSizes ball = ball_sizes(shape, known, sizes.frontier);
  const std::uint64_t rows = reached(entities, ball.nodes * sizes.batch);
  // Each column but the first is computed one step further than the next.
  const std::uint64_t columns = shape.depth < 2 ? shape.depth : 2 * shape.depth;
  const std::uint64_t row =
      function_copies * kernels::padded(shape.functions()) * columns + 2 * constraint_row(shape);
  const std::uint64_t parameters = parameters_of(shape);
  const std::uint64_t lane =
      rows * (row * sizeof(float) + bytes_per_entity) +
      sizes.batch * (ball.nodes * 16 + ball.edges * sizeof(Edge)) +
      std::min(sizes.batch + 1, most_parts) * parameters / shape.operators() * sizeof(float);
  const std::uint64_t lanes = std::min<std::uint64_t>(sizes.lanes, shape.operators());
  MemoryNeed need = ranking_need(shape, known);
  // Lanes keep the room of the largest batch that they have had.
  need.fixed += learned_copies * parameters * sizeof(float) + lanes * lane * 5 / 4;
  need.each_thread += 2 * ball.nodes * rule_row(shape) * sizeof(float);
  return need;
}

}  // namespace lerpp
