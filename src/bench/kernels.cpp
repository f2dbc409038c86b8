// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <span>

#include <fmt/format.h>

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

double bytes_of(std::size_t floats) {
  return static_cast<double>(floats * sizeof(float));
}

/// Bytes a second, against the least seconds that they could take.
BenchResult byte_rate(const char* what, const KernelWork& work, double least,
                      std::string limit_is) {
  return {what,
          work.bytes / work.seconds * giga,
          "GB/s",
          work.bytes / least * giga,
          std::move(limit_is),
          work};
}

/// Operations a second, against what the machine does or, where rows are too short for that, what
/// it streams.
BenchResult operation_rate(const char* what, const KernelWork& work, const Machine& machine) {
  const double streamed = work.operations / work.bytes * machine.triad_gb_s;
  const bool streaming = streamed < machine.fma_gflop_s;
  return {what,
          work.operations / work.seconds * giga,
          "GFLOP/s",
          streaming ? streamed : machine.fma_gflop_s,
          streaming ? "as its columns stream" : "fma peak",
          work};
}

/// How many groups of edges with one operator there are: each is weighted once.
double runs_of(std::span<const Edge> edges) {
  double runs = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (i == 0 || edges[i].op != edges[i - 1].op) ++runs;
  }
  return runs;
}

/// Bytes a second that edges can be read and followed to rows of this width at random places of a
/// table of this size: what gathering over a graph without any locality could reach.
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
  return static_cast<double>(edges.size()) *
         (static_cast<double>(sizeof(Edge)) + bytes_of(data.width)) / seconds * giga;
}

/// Chaining a column over the whole graph, and back.
void bench_chaining(const Graph& graph, Columns& data, Team& team, const Machine& machine,
                    std::vector<BenchResult>& results) {
  const auto& kernel = kernels::columns<float>();
  const auto by_rows = [&](auto&& action) {
    return least_seconds(repetitions, [&] {
      team.run([&](unsigned worker) {
        const auto [first, last] = slice(data.rows, worker, team.size());
        for (std::size_t row = first; row < last; ++row) action(worker, row);
      });
    });
  };
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

  const auto width = static_cast<double>(data.width);
  const auto edges = static_cast<double>(graph.edges().size());
  double runs = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    runs += runs_of(graph.edges(static_cast<EntityId>(row)));
  const double gathered = edges * (static_cast<double>(sizeof(Edge)) + bytes_of(data.width));
  const double column = bytes_of(data.rows * data.width);
  const double gather_rate = random_gather_gb_s(data, team);
  const auto add = [&](const char* what, double columns, const char* which, double operations,
                       double seconds) {
    const KernelWork work{gathered + columns * column, operations, seconds};
    const double least = (gathered / gather_rate + columns * column / machine.triad_gb_s) * giga;
    results.push_back(byte_rate(
        what, work, least,
        fmt::format("edges and their rows as random gathers do, {:.1f} GB/s; {} as memory streams",
                    gather_rate, which)));
  };
  // Forward, the sums are written; backward, the own row is read and the sums are added to.
  add("chain_gb_s", 1, "a column written", width * (edges + 2 * runs), forward);
  add("chain_backward_gb_s", 3, "two columns read and one written", width * (edges + 4 * runs),
      backward);
}

/// Merging: the partners of and / or, as one product each, in the blocks that the engine uses.
void bench_merging(const ModelShape& shape, Columns& data, Team& team, const Machine& machine,
                   std::vector<BenchResult>& results) {
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
  // Forward, the values are read and the partner is written; backward, its gradient and the values
  // are read, and the gradient of the values is added to.
  const double column = bytes_of(data.rows * data.width);
  results.push_back(operation_rate("merge_gflop_s", {2 * column, operations, merge}, machine));
  results.push_back(operation_rate("merge_backward_gflop_s",
                                   {4 * column, 2 * operations, merge_backward}, machine));
}

void bench_rules(const Graph& graph, const ModelShape& shape, Team& team, const Machine& machine,
                 std::vector<BenchResult>& results) {
  constexpr std::size_t queries = 64;
  const std::size_t width = kernels::padded_rules(shape.rules);
  BallFinder finder(graph);
  std::vector<Ball> balls(queries);
  double edges = 0, runs = 0, expanded = 0, reached = 0;
  for (std::size_t i = 0; i < queries; ++i) {
    Ball& ball = balls[i];
    finder.find(graph.edges()[graph.edges().size() * i / queries].target,
                {shape.length, graph.entities()}, nullptr, ball);
    edges += static_cast<double>(ball.edges.size());
    expanded += static_cast<double>(ball.within[shape.length - 1]);
    reached += static_cast<double>(ball.nodes.size());
    for (std::size_t node = 0; node < ball.within[shape.length - 1]; ++node) {
      runs += runs_of(std::span(ball.edges)
                          .subspan(ball.starts[node], ball.starts[node + 1] - ball.starts[node]));
    }
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
  // Forward, a state is added to at the end of every edge, and every node's own is read and
  // written; backward, gradients are gathered along the edges.
  const double row = bytes_of(width);
  const auto rules = static_cast<double>(width);
  const KernelWork hop{edges * (sizeof(Edge) + 2 * row) + (expanded + reached) * row,
                       rules * (2 * edges + expanded), std::max(1e-9, forward - idle)};
  const KernelWork hop_backward{edges * (sizeof(Edge) + row) + 3 * expanded * row,
                                rules * (edges + 4 * runs + 3 * expanded),
                                std::max(1e-9, backward - idle)};
  const std::string limit_is = "memory bandwidth; balls that fit the caches may pass it";
  const auto streamed = [&](const KernelWork& work) {
    return work.bytes / machine.triad_gb_s * giga;
  };
  results.push_back(byte_rate("hop_gb_s", hop, streamed(hop), limit_is));
  results.push_back(byte_rate("hop_backward_gb_s", hop_backward, streamed(hop_backward), limit_is));
  results.push_back({"hop_edges_per_second", edges / hop.seconds, "1/s"});
  results.push_back({"hop_backward_edges_per_second", edges / hop_backward.seconds, "1/s"});
}

}  // namespace

std::vector<BenchResult> bench_kernels(const Graph& graph, const ModelShape& shape,
                                       unsigned threads, const Machine& machine) {
  Team team(threads);
  std::vector<BenchResult> results;
  if (graph.edges().empty()) return results;
  if (shape.depth > 0) {
    Columns data(graph, shape, team.size());
    bench_chaining(graph, data, team, machine, results);
    bench_merging(shape, data, team, machine, results);
  }
  bench_rules(graph, shape, team, machine, results);
  return results;
}

}  // namespace lerpp
