#include "model/constant_tables.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <utility>

#include <lerp/base/parallel.hpp>

namespace lerpp {
namespace {

/// Calls `action(first, last)` for the runs of equal operators in a row of the graph.
template <class Action>
void for_each_group(std::span<const Edge> row, Action&& action) {
  for (std::size_t first = 0; first < row.size();) {
    std::size_t last = first + 1;
    while (last < row.size() && row[last].op == row[first].op) ++last;
    action(first, last);
    first = last;
  }
}

}  // namespace

/// What one worker counts: the traits of a range of constants, by target.
struct ConstantTables::Slice {
  std::vector<std::vector<Row>> rows;
  std::vector<std::vector<Entry>> entries;
  std::size_t kept = 0;

  std::vector<OperatorId> targets;    ///< of the trait at hand
  std::vector<std::size_t> ends;      ///< by target, where its answers end in `answers`
  std::vector<EntityId> answers;      ///< of all examples of the trait, by target
  std::vector<std::uint32_t> counts;  ///< of each entity as an answer
  std::vector<EntityId> counted;      ///< whose counts are not zero

  explicit Slice(const Graph& graph)
      : rows(graph.operators()),
        entries(graph.operators()),
        ends(graph.operators()),
        counts(graph.entities()) {}

  /// Counts what those who have a trait have besides.
  void add(const ConstantTables& tables, std::uint32_t trait, std::span<const Edge> members);
  void keep(std::uint32_t trait, OperatorId target, std::uint32_t least);
};

void ConstantTables::Slice::add(const ConstantTables& tables, std::uint32_t trait,
                                std::span<const Edge> members) {
  if (tables.examples(trait) < 2) return;  // the start, and who else?
  const auto for_each_edge = [&](auto&& action) {
    for (const Edge& member : members) {
      if (!tables.is_example(member.target)) continue;
      for (const Edge& edge : tables.graph_->edges(member.target)) action(edge);
    }
  };
  targets.clear();
  for_each_edge([&](const Edge& edge) {
    if (ends[edge.op]++ == 0) targets.push_back(edge.op);
  });
  std::size_t total = 0;
  for (const OperatorId target : targets) total += std::exchange(ends[target], total);
  answers.resize(total);
  for_each_edge([&](const Edge& edge) { answers[ends[edge.op]++] = edge.target; });
  std::size_t begin = 0;
  for (const OperatorId target : targets) {
    const std::size_t end = std::exchange(ends[target], 0);
    for (; begin < end; ++begin) {
      if (counts[answers[begin]]++ == 0) counted.push_back(answers[begin]);
    }
    keep(trait, target, counted.size() <= tables.few_ ? 1 : tables.least_);
  }
}

void ConstantTables::Slice::keep(std::uint32_t trait, OperatorId target, std::uint32_t least) {
  std::vector<Entry>& to = entries[target];
  const std::size_t first = to.size();
  for (const EntityId answer : counted) {
    const std::uint32_t count = std::exchange(counts[answer], 0U);
    if (count >= least) to.push_back({answer, count});
  }
  counted.clear();
  if (to.size() == first) return;
  std::sort(to.begin() + static_cast<std::ptrdiff_t>(first), to.end(),
            [](const Entry& a, const Entry& b) { return a.answer < b.answer; });
  const auto size = static_cast<std::uint32_t>(to.size() - first);
  rows[target].push_back({trait, static_cast<std::uint32_t>(first), size, least});
  kept += size;
}

ConstantTables::ConstantTables(const Graph& graph, Team& team, const ConstantLimits& limits)
    : graph_(&graph), most_degree_(limits.degree), few_(limits.few) {
  number_traits();
  const std::size_t most =
      std::min<std::size_t>(limits.entries, std::numeric_limits<std::uint32_t>::max());
  while (!count(team, most)) {
    least_ = few_ > 0 ? least_ : least_ + (least_ + 1) / 2;
    few_ = 0;
  }
}

/// The trait r(x, c) is the run of the inverse of r in row c; runs are numbered as they lie.
void ConstantTables::number_traits() {
  const Graph& graph = *graph_;
  trait_of_place_.resize(graph.edges().size());
  answering_.assign(graph.operators(), 0);
  answer_starts_.assign(graph.operators() + std::size_t{1}, 0);
  std::vector<std::pair<OperatorId, Answer>> answers;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    const std::span<const Edge> row = graph.edges(entity);
    for_each_group(row, [&](std::size_t first, std::size_t last) {
      const OperatorId target = graph.inverse(row[first].op);
      const auto trait = static_cast<std::uint32_t>(examples_.size());
      std::uint32_t members = 0;
      for (std::size_t at = first; at < last; ++at) {
        trait_of_place_[graph.find(row[at].target, target, entity)] = trait;
        if (is_example(row[at].target)) ++members;
      }
      examples_.push_back(members);
      answers.push_back({target, {entity, members}});
      ++answer_starts_[target + 1];
      if (is_example(entity)) ++answering_[row[first].op];
    });
  }
  std::partial_sum(answer_starts_.begin(), answer_starts_.end(), answer_starts_.begin());
  answers_.resize(answers.size());
  std::vector<std::size_t> next(answer_starts_.begin(), answer_starts_.end() - 1);
  for (const auto& [target, answer] : answers) answers_[next[target]++] = answer;
}

/// Counts all that is kept; false where it does not fit.
bool ConstantTables::count(Team& team, std::size_t most_entries) {
  const Graph& graph = *graph_;
  const std::size_t entities = graph.entities();
  // A constant costs the edges of those who have it. Ranges of constants rise with the worker, so
  // that the tables are the same for any number of workers.
  std::vector<std::size_t> costs(entities + 1);
  for (EntityId entity = 0; entity < entities; ++entity) {
    costs[entity + 1] = costs[entity] + 1;
    for (const Edge& edge : graph.edges(entity)) {
      if (is_example(edge.target)) costs[entity + 1] += graph.edges(edge.target).size();
    }
  }
  const auto bound = [&](unsigned worker) {
    const std::size_t cost = slice(costs.back(), worker, team.size()).first;
    return static_cast<EntityId>(std::lower_bound(costs.begin(), costs.end() - 1, cost) -
                                 costs.begin());
  };
  std::vector<Slice> slices(team.size(), Slice(graph));
  std::atomic<std::size_t> kept = 0;
  team.run([&](unsigned worker) {
    Slice& mine = slices[worker];
    const EntityId last = worker + 1 == team.size() ? graph.entities() : bound(worker + 1);
    for (EntityId entity = bound(worker); entity < last && kept <= most_entries; ++entity) {
      const std::span<const Edge> row = graph.edges(entity);
      const std::size_t before = mine.kept;
      for_each_group(row, [&](std::size_t first, std::size_t end) {
        const std::size_t place =
            graph.find(row[first].target, graph.inverse(row[first].op), entity);
        mine.add(*this, trait_of_place_[place], row.subspan(first, end - first));
      });
      kept += mine.kept - before;
    }
  });
  if (kept > most_entries) return false;
  entries_.reserve(kept);
  row_starts_.assign(1, 0);
  for (OperatorId target = 0; target < graph.operators(); ++target) {
    for (Slice& part : slices) {
      for (Row row : part.rows[target]) {
        row.first += static_cast<std::uint32_t>(entries_.size());
        rows_.push_back(row);
      }
      entries_.insert(entries_.end(), part.entries[target].begin(), part.entries[target].end());
      part.entries[target] = {};
    }
    row_starts_.push_back(rows_.size());
  }
  return true;
}

std::size_t ConstantTables::bytes() const {
  const auto held = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
  return held(trait_of_place_) + held(examples_) + held(rows_) + held(row_starts_) +
         held(entries_) + held(answers_) + held(answer_starts_) + held(answering_);
}

}  // namespace lerpp
