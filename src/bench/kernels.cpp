#include <numeric>

#include <lerp/base/parallel.hpp>
#include <lerp/base/team.hpp>
#include <lerp/bench/train.hpp>

#include "base/random.hpp"
#include "bench/timing.hpp"
#include "model/ball_rules.hpp"
#include "model/buffer.hpp"

namespace lerpp {
namespace {

constexpr int repetitions = 7;
constexpr double giga = 1e-9;

/// Everything that the column kernels work on, filled with plausible numbers.
struct Columns {
  Columns(const Graph& graph, const ModelShape& shape, unsigned workers)
      : width(kernels::padded(shape.width)),
        rows(graph.entities()),
        values(rows * width, 0.5F),
        chain(rows * width, 0.5F),
        partner_and(rows * width, 0.5F),
        partner_or(rows * width, 0.5F),
        out(rows * width, 0.5F),
        weights(shape.operators() * width, 0.01F),
        beta(shape.width * width, 0.01F),
        weight_sums(workers, Buffer<float>(weights.size())),
        beta_sums(workers, Buffer<float>(beta.size())),
        slots(rows) {
    std::iota(slots.begin(), slots.end(), 0U);
  }

  std::size_t width, rows;
  Buffer<float> values, chain, partner_and, partner_or, out;
  Buffer<float> weights, beta;
  std::vector<Buffer<float>> weight_sums, beta_sums;
  std::vector<std::uint32_t> slots;
};

/// Bytes a second that rows of this width can be read at random places of a table of this size:
/// what a chain over a graph without any locality could reach.
double random_gather_gb_s(const Columns& data, Team& team) {
  Random random(1);
  std::vector<Edge> edges(std::size_t{1} << 20U);
  for (Edge& edge : edges) edge.target = static_cast<EntityId>(random.below(data.rows));
  const double seconds = least_seconds(repetitions, [&] {
    team.run([&](unsigned worker) {
      const auto [first, last] = slice(edges.size(), worker, team.size());
      Buffer<float> sum(data.width);
      kernels::columns<float>().gather(data.width, edges.data() + first, last - first,
                                       data.weights.data(), data.values.data(), data.slots.data(),
                                       sum.data());
    });
  });
  return static_cast<double>(edges.size() * data.width * sizeof(float)) / seconds * giga;
}

void bench_columns(const Graph& graph, const ModelShape& shape, Team& team, const Machine& machine,
                   std::vector<BenchResult>& results) {
  Columns data(graph, shape, team.size());
  const double gather_limit = random_gather_gb_s(data, team);
  const auto& kernel = kernels::columns<float>();
  const auto by_rows = [&](auto&& action) {
    return least_seconds(repetitions, [&] {
      team.run([&](unsigned worker) {
        const auto [first, last] = slice(data.rows, worker, team.size());
        for (std::size_t row = first; row < last; ++row) action(worker, row);
      });
    });
  };
  const double edge_bytes = static_cast<double>(graph.edges().size()) *
                            (sizeof(Edge) + static_cast<double>(data.width * sizeof(float)));
  const double forward = by_rows([&](unsigned, std::size_t row) {
    const auto edges = graph.edges(static_cast<EntityId>(row));
    kernel.gather(data.width, edges.data(), edges.size(), data.weights.data(), data.values.data(),
                  data.slots.data(), data.out.data() + row * data.width);
  });
  const double backward = by_rows([&](unsigned worker, std::size_t row) {
    const auto edges = graph.edges(static_cast<EntityId>(row));
    kernel.gather_backward(data.width, edges.data(), edges.size(), data.weights.data(),
                           data.chain.data(), data.slots.data(),
                           data.values.data() + row * data.width,
                           data.out.data() + row * data.width, data.weight_sums[worker].data());
  });
  results.push_back({"chain_gb_s", edge_bytes / forward * giga, "GB/s", gather_limit,
                     "random gathers of such rows"});
  results.push_back({"chain_backward_gb_s", edge_bytes / backward * giga, "GB/s", gather_limit,
                     "random gathers of such rows"});

  // Merging: the partners of and / or, as one product each, in the blocks that the engine uses.
  constexpr std::size_t block = 128;
  const auto multiply = [&](auto&& action) {
    return least_seconds(repetitions, [&] {
      team.run([&](unsigned worker) {
        const auto [begin, end] = slice(data.rows, worker, team.size());
        for (std::size_t first = begin; first < end; first += block)
          action(worker, first, std::min(block, end - first));
      });
    });
  };
  const auto& matrix = kernels::matrix<float>();
  const double operations =
      2.0 * static_cast<double>(data.rows) * static_cast<double>(data.width) * shape.width;
  const double merge = multiply([&](unsigned, std::size_t first, std::size_t rows) {
    matrix.multiply(rows, data.width, shape.width, data.values.data() + first * data.width,
                    data.width, 1, data.beta.data(), data.width,
                    data.partner_and.data() + first * data.width, data.width, false);
  });
  const double merge_backward = multiply([&](unsigned worker, std::size_t first, std::size_t rows) {
    const std::size_t at = first * data.width;
    matrix.multiply(rows, data.width, shape.width, data.partner_and.data() + at, data.width, 1,
                    data.beta.data(), data.width, data.out.data() + at, data.width, true);
    matrix.multiply(shape.width, data.width, rows, data.partner_and.data() + at, 1, data.width,
                    data.values.data() + at, data.width, data.beta_sums[worker].data(), data.width,
                    true);
  });
  results.push_back(
      {"merge_gflop_s", operations / merge * giga, "GFLOP/s", machine.fma_gflop_s, "fma peak"});
  results.push_back({"merge_backward_gflop_s", 2 * operations / merge_backward * giga, "GFLOP/s",
                     machine.fma_gflop_s, "fma peak"});
}

void bench_rules(const Graph& graph, const ModelShape& shape, Team& team, const Machine& machine,
                 std::vector<BenchResult>& results) {
  constexpr std::size_t queries = 64;
  const std::size_t width = kernels::padded_rules(shape.rules);
  BallFinder finder(graph);
  std::vector<Ball> balls(queries);
  double edges = 0;
  for (std::size_t i = 0; i < queries; ++i) {
    finder.find(graph.edges()[graph.edges().size() * i / queries].target,
                {shape.length, graph.entities()}, nullptr, balls[i]);
    edges += static_cast<double>(balls[i].edges.size());
  }
  const auto& kernel = kernels::rules<float>();
  const auto each = [&](auto&& action) {
    return least_seconds(repetitions, [&] {
      team.run([&](unsigned worker) {
        Buffer<float> x, next, out, weights((shape.operators() + std::size_t{1}) * width, 0.01F),
            sums(weights.size());
        for (std::size_t i = worker; i < queries; i += team.size()) {
          x.assign(balls[i].nodes.size() * width, 0.5F);
          next.assign(balls[i].nodes.size() * width, 0.5F);
          out.resize(balls[i].nodes.size() * width);
          action(balls[i], weights.data(), x.data(), next.data(), out.data(), sums.data());
        }
      });
    });
  };
  // The last hop: every expanded node has something, every node may be reached. A pass that touches
  // the same memory and does nothing else is taken off.
  const double idle = each([](const Ball&, const float*, const float*, float*, float*, float*) {});
  const double forward = each(
      [&](const Ball& ball, const float* weights, const float* x, float* next, float*, float*) {
        kernel.hop(width, ball.view(), ball.within[shape.length - 1], ball.nodes.size(), weights,
                   shape.operators(), x, next);
      });
  const double backward = each([&](const Ball& ball, const float* weights, const float* x,
                                   float* next, float* out, float* sums) {
    kernel.hop_backward(width, ball.view(), 0, ball.within[shape.length - 1], weights,
                        shape.operators(), x, next, out, sums);
  });
  const double row = static_cast<double>(width * sizeof(float));
  const double forward_bytes = edges * (sizeof(Edge) + 2 * row);
  const double backward_bytes = edges * (sizeof(Edge) + row);
  results.push_back({"hop_gb_s", forward_bytes / std::max(1e-9, forward - idle) * giga, "GB/s",
                     machine.triad_gb_s, "memory bandwidth"});
  results.push_back({"hop_backward_gb_s", backward_bytes / std::max(1e-9, backward - idle) * giga,
                     "GB/s", machine.triad_gb_s, "memory bandwidth"});
  results.push_back({"hop_edges_per_second", edges / std::max(1e-9, forward - idle), "1/s"});
  results.push_back(
      {"hop_backward_edges_per_second", edges / std::max(1e-9, backward - idle), "1/s"});
}

}  // namespace

std::vector<BenchResult> bench_kernels(const Graph& graph, const ModelShape& shape,
                                       unsigned threads, const Machine& machine) {
  Team team(threads);
  std::vector<BenchResult> results;
  if (graph.edges().empty()) return results;
  if (shape.depth > 0) bench_columns(graph, shape, team, machine, results);
  bench_rules(graph, shape, team, machine, results);
  return results;
}

}  // namespace lerpp
