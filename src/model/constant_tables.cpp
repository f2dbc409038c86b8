// SPDX-License-Identifier: Apache-2.0
#include "model/constant_tables.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <numeric>

#include "model/constant_counter.hpp"

namespace lerpp {
namespace {

/// Parts of the entities that are worked on by whoever is free: many, since their costs differ.
constexpr std::size_t slice_count = 1024;
constexpr std::size_t looks_per_edge = 10;

/// Calls `action(op, members)` for the runs of equal operators in a row of the graph.
template <class Action>
void for_each_run(std::span<const Edge> row, Action&& action) {
  for (std::size_t first = 0; first < row.size();) {
    std::size_t last = first + 1;
    while (last < row.size() && row[last].op == row[first].op) ++last;
    action(row[first].op, row.subspan(first, last - first));
    first = last;
  }
}

/// Calls `work(worker, part, first, last)` for parts of the entities with about as many edges each.
template <class Work>
void for_each_part(const Graph& graph, Team& team, const Observer& observer, Work&& work) {
  const auto bound = [&](std::size_t part) {
    if (part == slice_count) return graph.entities();
    const std::size_t place = graph.edges().size() * part / slice_count;
    EntityId first = 0;
    for (EntityId last = graph.entities(); first < last;) {
      const EntityId middle = first + (last - first) / 2;
      if (graph.start(middle) < place) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first;
  };
  std::atomic<std::size_t> next = 0;
  team.run([&](unsigned worker) {
    for (std::size_t part = next++; part < slice_count && !observer.stopped(); part = next++)
      work(worker, part, bound(part), bound(part + 1));
  });
}

/// What to keep where everything is too much, from the most to nothing.
std::vector<ConstantTables::Keep> choices_of(std::size_t answers) {
  std::vector<ConstantTables::Keep> choices = {{answers, 1}};
  for (std::size_t fewer = answers / 2; fewer > 0; fewer /= 2) choices.push_back({fewer, 1});
  constexpr std::uint32_t highest = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t least = 2; least < highest / 2; least += std::max(1U, least / 4))
    choices.push_back({answers, least});
  choices.push_back({0, highest});
  return choices;
}

}  // namespace

struct ConstantTables::Range {
  unsigned worker = 0;
  std::size_t first = 0;  ///< of the worker's rows
  std::size_t last = 0;
};

ConstantTables::ConstantTables(const Graph& graph, Team& team, const ConstantLimits& limits,
                               const Observer& observer)
    : graph_(&graph),
      is_large_(graph.entities() > limits.arrays),
      hubs_(graph.entities() / 64 + std::size_t{1}),
      row_starts_(graph.operators() + std::size_t{1}) {
  find_hubs(limits);
  number_traits(team, limits.places, observer);
  if (observer.stopped()) return;
  list_answers();
  count(team, limits, observer);
}

void ConstantTables::find_hubs(const ConstantLimits& limits) {
  const Graph& graph = *graph_;
  // What entities cost whose number of edges has so many bits.
  std::array<std::size_t, 65> costs = {};
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    const std::size_t degree = graph.edges(entity).size();
    if (degree <= limits.degree) costs[std::bit_width(degree)] += degree * degree;
  }
  const std::size_t most = std::max(limits.looks, looks_per_edge * graph.edges().size());
  std::size_t cost = std::accumulate(costs.begin(), costs.end(), std::size_t{0});
  std::size_t most_degree = limits.degree;
  for (std::size_t bits = costs.size() - 1; cost > most && bits > 1; --bits) {
    cost -= costs[bits];
    most_degree = std::min(most_degree, (std::size_t{1} << (bits - 1)) - 1);
  }
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    if (graph.edges(entity).size() > most_degree)
      hubs_[entity / 64] |= std::uint64_t{1} << (entity % 64);
  }
}

/// The trait r(x, c) is the run of the inverse of r in row c; runs are numbered as they lie.
void ConstantTables::number_traits(Team& team, std::size_t most_places, const Observer& observer) {
  const Graph& graph = *graph_;
  const auto members_of = [&](std::span<const Edge> run) {
    return static_cast<std::uint32_t>(std::count_if(
        run.begin(), run.end(), [&](const Edge& edge) { return is_example(edge.target); }));
  };
  trait_starts_.assign(graph.entities() + std::size_t{1}, 0);
  trait_starts_[0] = 1;
  std::vector<std::vector<std::uint32_t>> answering(team.size(),
                                                    std::vector<std::uint32_t>(graph.operators()));
  for_each_part(graph, team, observer,
                [&](unsigned worker, std::size_t, EntityId first, EntityId last) {
                  for (EntityId entity = first; entity < last; ++entity) {
                    for_each_run(graph.edges(entity), [&](OperatorId op, auto run) {
                      if (is_example(entity)) ++answering[worker][op];
                      if (run.size() > 1 && members_of(run) > 1) ++trait_starts_[entity + 1];
                    });
                  }
                });
  answering_.assign(graph.operators(), 0);
  for (const auto& part : answering) {
    for (OperatorId op = 0; op < graph.operators(); ++op) answering_[op] += part[op];
  }
  std::partial_sum(trait_starts_.begin(), trait_starts_.end(), trait_starts_.begin());
  trait_operators_.resize(trait_starts_.back());
  examples_.resize(trait_starts_.back());
  for_each_part(graph, team, observer, [&](unsigned, std::size_t, EntityId first, EntityId last) {
    std::uint32_t trait = trait_starts_[first];
    for (EntityId entity = first; entity < last; ++entity) {
      for_each_run(graph.edges(entity), [&](OperatorId op, auto run) {
        const std::uint32_t members = run.size() > 1 ? members_of(run) : 0;
        if (members < 2) return;
        trait_operators_[trait] = op;
        examples_[trait++] = members;
      });
    }
  });
  if (graph.edges().size() > most_places) return;
  std::vector<std::uint32_t> of_place(graph.edges().size());
  for_each_part(graph, team, observer, [&](unsigned, std::size_t, EntityId first, EntityId last) {
    for (std::size_t place = graph.start(first); place < graph.start(last); ++place)
      of_place[place] = find(graph.edges()[place]);
  });
  trait_of_place_ = std::move(of_place);
}

std::uint32_t ConstantTables::find(const Edge& edge) const {
  const OperatorId op = graph_->inverse(edge.op);
  const auto first = trait_operators_.begin() + trait_starts_[edge.target];
  const auto last = trait_operators_.begin() + trait_starts_[edge.target + 1];
  const auto found = std::lower_bound(first, last, op);
  if (found == last || *found != op) return 0;
  return static_cast<std::uint32_t>(found - trait_operators_.begin());
}

/// What is a constant of r(x, c) is an answer of r.
void ConstantTables::list_answers() {
  const Graph& graph = *graph_;
  answer_starts_.assign(graph.operators() + std::size_t{1}, 0);
  for (std::size_t trait = 1; trait < examples_.size(); ++trait)
    ++answer_starts_[graph.inverse(trait_operators_[trait]) + 1];
  std::partial_sum(answer_starts_.begin(), answer_starts_.end(), answer_starts_.begin());
  answers_.resize(answer_starts_.back());
  std::vector<std::size_t> next(answer_starts_.begin(), answer_starts_.end() - 1);
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    for (std::uint32_t trait = trait_starts_[entity]; trait < trait_starts_[entity + 1]; ++trait) {
      const OperatorId target = graph.inverse(trait_operators_[trait]);
      answers_[next[target]++] = {entity, examples_[trait]};
    }
  }
}

void ConstantTables::count(Team& team, const ConstantLimits& limits, const Observer& observer) {
  const std::size_t most =
      std::min<std::size_t>(limits.entries, std::numeric_limits<std::uint32_t>::max());
  std::vector<ConstantCounter> counters(team.size(), ConstantCounter(*this));
  std::vector<Range> ranges(slice_count);
  // Counts with these choices until the first of them keeps too much, if it alone is asked for.
  const auto run = [&](std::span<const Keep> choices) {
    for (ConstantCounter& counter : counters) counter.start(choices);
    std::atomic<std::size_t> kept = 0;
    const auto over = [&] { return choices.size() == 1 && kept > most; };
    for_each_part(*graph_, team, observer,
                  [&](unsigned worker, std::size_t part, EntityId first, EntityId last) {
                    ConstantCounter& counter = counters[worker];
                    ranges[part] = {worker, counter.rows().size(), 0};
                    for (EntityId constant = first;
                         constant < last && !over() && !observer.stopped(); ++constant) {
                      const std::size_t before = counter.kept().front();
                      for_each_trait(constant,
                                     [&](std::uint32_t trait, std::span<const Edge> members) {
                                       counter.add(trait, members);
                                     });
                      kept += counter.kept().front() - before;
                    }
                    ranges[part].last = counter.rows().size();
                  });
    return !over();
  };
  const Keep all = {limits.answers, 1};
  if (!run({&all, 1})) {
    const std::vector<Keep> choices = choices_of(limits.answers);
    run(choices);
    std::size_t choice = 0;
    for (; choice + 1 < choices.size(); ++choice) {
      std::size_t kept = 0;
      for (const ConstantCounter& counter : counters) kept += counter.kept()[choice];
      if (kept <= most) break;
    }
    run({&choices[choice], 1});
  }
  if (!observer.stopped()) assemble(counters, ranges);
}

/// Lays the workers' rows out by target, in the order of the constants, and the entries as the
/// rows.
void ConstantTables::assemble(std::span<ConstantCounter> counters, std::span<const Range> ranges) {
  std::size_t entries = 0;
  for (ConstantCounter& counter : counters) {
    entries += counter.entries().size();
    for (const auto& found : counter.rows()) ++row_starts_[found.target + std::size_t{1}];
  }
  std::partial_sum(row_starts_.begin(), row_starts_.end(), row_starts_.begin());
  rows_.resize(row_starts_.back());
  std::vector<std::uint16_t> workers(rows_.size());
  std::vector<std::size_t> next(row_starts_.begin(), row_starts_.end() - 1);
  for (const Range& range : ranges) {
    for (std::size_t at = range.first; at < range.last; ++at) {
      const auto& found = counters[range.worker].rows()[at];
      workers[next[found.target]] = static_cast<std::uint16_t>(range.worker);
      rows_[next[found.target]++] = found.row;
    }
  }
  for (ConstantCounter& counter : counters) counter.rows() = {};
  entries_.reserve(entries);
  for (std::size_t at = 0; at < rows_.size(); ++at) {
    const auto from = counters[workers[at]].entries().begin() + rows_[at].first;
    rows_[at].first = static_cast<std::uint32_t>(entries_.size());
    entries_.insert(entries_.end(), from, from + rows_[at].size);
  }
}

std::size_t ConstantTables::bytes() const {
  const auto held = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
  return held(hubs_) + held(trait_starts_) + held(trait_operators_) + held(examples_) +
         held(trait_of_place_) + held(rows_) + held(row_starts_) + held(entries_) + held(answers_) +
         held(answer_starts_) + held(answering_);
}

}  // namespace lerpp
