#include "model/path_miner.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace lerpp {
namespace {

/// Facts whose starts show which short paths there are at all.
constexpr std::size_t most_starts = 10'000;
/// Of the paths that lead to answers most often, so many times those wanted are looked at closer.
constexpr std::size_t candidates = 4;

constexpr std::uint32_t none = PathTrie::none;

}  // namespace

bool PathCounter::see(std::uint64_t code, std::uint32_t query) {
  Entry& entry = find(code);
  const bool fresh = entry.code == 0;
  entry.code = code;
  if (entry.last != query) {
    entry.last = query;
    ++entry.queries;
  }
  if (fresh && 2 * ++size_ > entries_.size()) grow();
  return fresh;
}

void PathCounter::clear() {
  entries_.assign(1024, {});
  size_ = 0;
}

PathCounter::Entry& PathCounter::find(std::uint64_t code) {
  const std::size_t most = entries_.size() - 1;
  std::size_t place = (code * 0x9e3779b97f4a7c15U >> 32U) & most;
  while (entries_[place].code != 0 && entries_[place].code != code) place = (place + 1) & most;
  return entries_[place];
}

void PathCounter::grow() {
  std::vector<Entry> old(2 * entries_.size());
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.code != 0) find(entry.code) = entry;
  }
}

FactsByRelation::FactsByRelation(const Graph& graph) : firsts_(graph.relations() + std::size_t{2}) {
  const auto for_each = [&](auto&& action) {
    for (EntityId entity = 0; entity < graph.entities(); ++entity) {
      for (const Edge& edge : graph.edges(entity)) {
        if (edge.op < graph.relations()) action(Fact{entity, edge.op, edge.target});
      }
    }
  };
  // Counted two places on, so that placing them moves every first to where it belongs.
  for_each([&](const Fact& fact) { ++firsts_[fact.relation + std::size_t{2}]; });
  for (std::size_t i = 2; i < firsts_.size(); ++i) firsts_[i] += firsts_[i - 1];
  facts_.resize(graph.facts());
  for_each([&](const Fact& fact) { facts_[firsts_[fact.relation + std::size_t{1}]++] = fact; });
}

PathMiner::PathMiner(const OperatorRows& rows, const FactsByRelation& facts,
                     const PathOptions& options)
    : rows_(rows),
      graph_(rows.graph()),
      facts_(facts),
      options_(options),
      walk_(rows, options.fanout),
      mask_(graph_),
      heads_(graph_.entities(), none) {}

PathMiner::Asked PathMiner::asked(const Fact& fact, OperatorId target) const {
  if (target < graph_.relations()) return {fact.subject, target, fact.object};
  return {fact.object, target, fact.subject};
}

void PathMiner::sample(OperatorId target) {
  const std::span<const Fact> all = facts_.of(target % graph_.relations());
  sample_.assign(all.begin(), all.end());
  Random random(options_.seed, target);
  const std::size_t wanted =
      std::min(sample_.size(), std::max<std::size_t>(most_starts, options_.queries));
  for (std::size_t i = 0; i < wanted; ++i)
    std::swap(sample_[i], sample_[i + random.below(sample_.size() - i)]);
  sample_.resize(wanted);
}

std::vector<RelationPath> PathMiner::choose(OperatorId target) {
  sample(target);
  std::vector<std::uint64_t> chosen = short_paths(target, options_.paths);
  std::vector<std::uint64_t> others;
  const bool all = chosen.size() <= options_.paths;
  if (!all) others.swap(chosen);
  const std::size_t room = options_.paths - chosen.size();
  if (room > 0 && (!all || options_.length > 2)) {
    for (const PathWorth& worth : best(target, all ? 3 : options_.direct ? 1 : 2, room))
      chosen.push_back(worth.code);
  }
  // What never leads to an answer can still speak against one; those met first are common.
  std::vector<std::uint64_t> sorted = chosen;
  std::sort(sorted.begin(), sorted.end());
  for (const std::uint64_t code : others) {
    if (chosen.size() == options_.paths) break;
    if (!std::binary_search(sorted.begin(), sorted.end(), code)) chosen.push_back(code);
  }
  std::vector<RelationPath> paths;
  paths.reserve(chosen.size());
  for (const std::uint64_t code : chosen)
    paths.push_back(*RelationPath::from_code(code, graph_.operators()));
  return paths;
}

std::vector<std::uint64_t> PathMiner::short_paths(OperatorId target, std::size_t most) {
  std::vector<std::uint64_t> met;
  counter_.clear();
  PathCounter steps;  // a step by an operator to an entity is looked at once
  const auto see = [&](std::uint64_t code) {
    if (counter_.see(code, 1)) met.push_back(code);
  };
  for (const Fact& fact : sample_) {
    const EntityId start = asked(fact, target).start;
    for (const Edge& edge : graph_.edges(start)) {
      if (!steps.see(std::uint64_t{edge.op} << 32U | (edge.target + std::uint64_t{1}), 1)) continue;
      if (options_.direct) see(code({edge.op}, false));
      if (options_.length == 1) continue;
      const OperatorRow row = rows_[edge.target];
      for (std::size_t run = 0; run < row.size(); ++run) see(code({edge.op, row.op(run)}, false));
    }
    if (met.size() > most) break;
  }
  return met;
}

std::vector<PathWorth> PathMiner::best(OperatorId target, std::size_t shortest, std::size_t most) {
  const std::size_t queries = std::min<std::size_t>(sample_.size(), options_.queries);
  const std::size_t walks = std::min<std::size_t>(queries, options_.walks);
  counter_.clear();
  for (std::size_t i = 0; i < queries; ++i)
    count_support(asked(sample_[i], target), static_cast<std::uint32_t>(i + 1));
  std::vector<PathWorth> paths;
  for (const PathCounter::Entry& entry : counter_.entries()) {
    if (entry.code == 0) continue;
    const auto path = RelationPath::from_code(entry.code, graph_.operators());
    if (path->length() >= shortest) paths.push_back({entry.code, entry.queries, 0, 0});
  }
  const auto keep = [&](std::size_t count, auto value) {
    const auto better = [&](const PathWorth& a, const PathWorth& b) {
      return value(a) != value(b) ? value(a) > value(b) : a.code < b.code;
    };
    const auto middle = paths.begin() + static_cast<std::ptrdiff_t>(std::min(count, paths.size()));
    std::partial_sort(paths.begin(), middle, paths.end(), better);
    paths.erase(middle, paths.end());
  };
  keep(candidates * most, [](const PathWorth& path) { return path.support; });
  count_reached(target, paths);
  for (PathWorth& path : paths) {
    const double hits = path.support / static_cast<double>(queries);
    const double reached = std::max(hits, path.reached / static_cast<double>(walks));
    path.score = path.support * std::sqrt(hits / reached);
  }
  keep(most, [](const PathWorth& path) { return path.score; });
  return paths;
}

void PathMiner::count_support(const Asked& query, std::uint32_t number) {
  const bool backwards = options_.length > 2 && third_hops(query.answer) < third_hops(query.start);
  meet(query, number, backwards);
}

void PathMiner::meet(const Asked& query, std::uint32_t number, bool backwards) {
  const EntityId from = backwards ? query.answer : query.start;
  const EntityId to = backwards ? query.start : query.answer;
  const OperatorId inverse = graph_.inverse(query.target);
  const auto hidden = [&](EntityId entity, const Edge& edge) {
    return (edge.op == query.target && entity == query.start && edge.target == query.answer) ||
           (edge.op == inverse && entity == query.answer && edge.target == query.start);
  };
  ways_.clear();
  for (const Edge& edge : graph_.edges(to)) {
    if (hidden(to, edge)) continue;
    ways_.push_back({graph_.inverse(edge.op), heads_[edge.target]});
    heads_[edge.target] = static_cast<std::uint32_t>(ways_.size() - 1);
  }
  const auto for_each_way = [&](EntityId entity, auto&& action) {
    for (std::uint32_t at = heads_[entity]; at != none; at = ways_[at].next) action(ways_[at].op);
  };
  const auto see = [&](std::initializer_list<OperatorId> operators) {
    counter_.see(code(operators, backwards), number);
  };
  for_each_way(from, [&](OperatorId op) { see({op}); });
  for (const Edge& first : graph_.edges(from)) {
    if (options_.length < 2 || hidden(from, first)) continue;
    for_each_way(first.target, [&](OperatorId op) { see({first.op, op}); });
  }
  const auto for_each_edge = [&](EntityId entity, auto&& action) {
    const OperatorRow row = rows_[entity];
    for (std::size_t run = 0; run < row.size(); ++run) {
      const std::span<const EntityId> targets = row.targets(run);
      const std::size_t count = followed(targets.size());
      for (std::size_t i = 0; i < count; ++i) {
        const Edge edge{row.op(run),
                        targets[count == targets.size() ? i : i * targets.size() / count]};
        if (!hidden(entity, edge)) action(edge);
      }
    }
  };
  if (options_.length > 2) {
    for_each_edge(from, [&](const Edge& first) {
      for_each_edge(first.target, [&](const Edge& second) {
        for_each_way(second.target, [&](OperatorId op) { see({first.op, second.op, op}); });
      });
    });
  }
  for (const Edge& edge : graph_.edges(to)) heads_[edge.target] = none;
}

std::size_t PathMiner::third_hops(EntityId from) const {
  std::size_t hops = 0;
  for (const Edge& edge : graph_.edges(from)) hops += graph_.edges(edge.target).size();
  return hops;
}

void PathMiner::count_reached(OperatorId target, std::vector<PathWorth>& paths) {
  std::sort(paths.begin(), paths.end(),
            [](const PathWorth& a, const PathWorth& b) { return a.code < b.code; });
  std::vector<RelationPath> sorted;
  sorted.reserve(paths.size());
  for (const PathWorth& path : paths)
    sorted.push_back(*RelationPath::from_code(path.code, graph_.operators()));
  const PathTrie trie(sorted);
  const std::size_t walks =
      std::min<std::size_t>({sample_.size(), options_.queries, options_.walks});
  for (std::size_t i = 0; i < walks; ++i) {
    mask_.hide({&sample_[i], 1});
    walk_.walk(trie, asked(sample_[i], target).start, &mask_);
    for (const PathWalk::Finding& found : walk_.findings()) {
      paths[found.path].reached +=
          std::min(static_cast<double>(found.size) / static_cast<double>(found.share),
                   static_cast<double>(graph_.entities()));
    }
  }
}

std::uint64_t PathMiner::code(std::initializer_list<OperatorId> operators, bool backwards) const {
  if (!backwards) return RelationPath(operators).code(graph_.operators());
  std::array<OperatorId, RelationPath::most> turned = {};
  std::size_t place = operators.size();
  for (const OperatorId op : operators) turned[--place] = graph_.inverse(op);
  return RelationPath(std::span<const OperatorId>(turned.data(), operators.size()))
      .code(graph_.operators());
}

std::size_t PathMiner::followed(std::size_t size) const {
  return options_.fanout == 0 ? size : std::min<std::size_t>(size, options_.fanout);
}

}  // namespace lerpp
