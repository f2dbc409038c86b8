// SPDX-License-Identifier: Apache-2.0
#include "model/path_miner.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include <lerp/base/parallel.hpp>

#include "base/pieces.hpp"
#include "base/random.hpp"

namespace lerpp {
namespace {

/// Facts whose starts show which short paths there are at all.
constexpr std::size_t most_starts = 10'000;
/// Of the paths that lead to answers most often, so many times those wanted are looked at closer.
constexpr std::size_t candidates = 4;
/// Of a block: small enough to keep many threads busy with one target.
constexpr std::size_t questions_together = 32;
constexpr std::size_t walks_together = 8;
/// Reach is summed in whole numbers of such parts of an entity.
constexpr double reach_parts = 65536;

std::size_t blocks_of(std::size_t count, std::size_t together) {
  return (count + together - 1) / together;
}

/// The first `count` of the facts in a random order.
std::vector<Fact> draw(std::span<const Fact> facts, std::size_t count, Random random) {
  std::vector<Fact> drawn;
  if (facts.size() <= 4 * count) {
    drawn.assign(facts.begin(), facts.end());
    for (std::size_t i = 0; i < count; ++i)
      std::swap(drawn[i], drawn[i + random.below(drawn.size() - i)]);
    drawn.resize(count);
    return drawn;
  }
  // The same without a copy of them all: only what was swapped is noted.
  std::unordered_map<std::size_t, std::size_t> swapped;
  const auto at = [&](std::size_t place) {
    const auto found = swapped.find(place);
    return found == swapped.end() ? place : found->second;
  };
  drawn.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t other = i + random.below(facts.size() - i);
    drawn.push_back(facts[at(other)]);
    swapped[other] = at(i);
  }
  return drawn;
}

/// Keeps the `count` paths of the largest value, the earlier ones where they tie, in their order.
template <class Value>
void keep(std::vector<PathWorth>& paths, std::size_t count, const Value& value) {
  if (paths.size() <= count) return;
  std::vector<double> values(paths.size());
  std::transform(paths.begin(), paths.end(), values.begin(), value);
  const auto last = values.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::nth_element(values.begin(), last, values.end(), std::greater<>());
  const double least = *last;
  std::size_t ties = static_cast<std::size_t>(std::count(values.begin(), last + 1, least));
  std::erase_if(paths, [&](const PathWorth& path) {
    const double its = value(path);
    if (its == least && ties > 0) {
      --ties;
      return false;
    }
    return its <= least;
  });
}

}  // namespace

FactsByRelation::FactsByRelation(const Graph& graph, unsigned threads, const Observer& observer)
    : firsts_(graph.relations() + std::size_t{1}) {
  const unsigned workers = worker_count(threads);
  const std::size_t relations = graph.relations();
  const auto for_each = [&](unsigned worker, auto&& action) {
    const auto [first, last] = slice(graph.entities(), worker, workers);
    in_pieces(first, last, observer, [&](std::size_t from, std::size_t to) {
      for (auto entity = static_cast<EntityId>(from); entity < to; ++entity) {
        for (const Edge& edge : graph.edges(entity)) {
          if (edge.op < relations) action(Fact{entity, edge.op, edge.target});
        }
      }
    });
  };
  // Where the facts of each worker and relation begin.
  std::vector<std::size_t> places(workers * relations);
  run_workers(workers, [&](unsigned worker) {
    for_each(worker, [&](const Fact& fact) { ++places[worker * relations + fact.relation]; });
  });
  std::size_t place = 0;
  for (std::size_t relation = 0; relation < relations; ++relation) {
    firsts_[relation] = place;
    for (unsigned worker = 0; worker < workers; ++worker)
      place += std::exchange(places[worker * relations + relation], place);
  }
  firsts_[relations] = place;
  if (observer.stopped()) return;
  facts_.resize(place);
  run_workers(workers, [&](unsigned worker) {
    for_each(worker, [&](const Fact& fact) {
      facts_[places[worker * relations + fact.relation]++] = fact;
    });
  });
}

MiningGround::MiningGround(const OperatorRows& operator_rows, const PathOptions& path_options,
                           const Observer& who_watches)
    : rows(operator_rows),
      graph(operator_rows.graph()),
      options(path_options),
      observer(who_watches),
      facts(graph, options.threads, observer),
      codes(graph.operators()),
      small(PathReach::fits(rows)) {
  if (options.length < 3) return;
  hops.resize(graph.entities());
  run_blocks(graph.entities(), 4096, worker_count(options.threads),
             [&](unsigned, std::size_t first, std::size_t last) {
               if (observer.stopped()) return;
               for (auto entity = static_cast<EntityId>(first); entity < last; ++entity) {
                 for (const Edge& edge : graph.edges(entity))
                   hops[entity] += graph.edges(edge.target).size();
               }
             });
}

MiningSpace::MiningSpace(const MiningGround& ground)
    : support(ground.codes.end(), ground.codes.step(ground.options.length)),
      meeting(ground.rows, ground.options.length, ground.options.fanout),
      mask(ground.graph) {
  if (ground.small) {
    reach.emplace(ground.rows, ground.options.fanout);
  } else {
    const std::size_t targets = PathWalk::limits_for(ground.graph).targets;
    walk.emplace(ground.rows, PathWalk::Limits{ground.options.fanout, targets});
  }
}

PathMiner::PathMiner(const MiningGround& ground, OperatorId target)
    : ground_(ground), target_(target) {}

std::size_t PathMiner::blocks() const {
  switch (stage_) {
    case Stage::starts:
      return 1;
    case Stage::support:
      return blocks_of(questions_.size(), questions_together);
    case Stage::reach:
      return blocks_of(walks(), walks_together);
  }
  return 0;
}

void PathMiner::work(std::size_t block, MiningSpace& space) {
  switch (stage_) {
    case Stage::starts:
      return look_around();
    case Stage::support:
      return count_support(block, space);
    case Stage::reach:
      return count_reached(block, space);
  }
}

bool PathMiner::next() {
  if (stage_ == Stage::starts) {
    if (most_ == 0 || sample_.empty()) return false;
    search(shortest_, most_);
    return true;
  }
  if (stage_ == Stage::support) {
    choose_candidates();
    stage_ = Stage::reach;
    return !worths_.empty();
  }
  choose_best();
  return false;
}

std::vector<RelationPath> PathMiner::paths() const {
  std::vector<std::uint64_t> codes = chosen_;
  std::sort(codes.begin(), codes.end());
  const auto middle = codes.insert(codes.end(), worths_.size(), 0);
  std::transform(worths_.begin(), worths_.end(), middle,
                 [](const PathWorth& path) { return path.code; });
  std::inplace_merge(codes.begin(), middle, codes.end());
  // What never leads to an answer can still speak against one; those met first are common.
  const std::size_t found = codes.size();
  for (const std::uint64_t code : others_) {
    if (codes.size() == ground_.options.paths) break;
    const auto end = codes.begin() + static_cast<std::ptrdiff_t>(found);
    if (!std::binary_search(codes.begin(), end, code)) codes.push_back(code);
  }
  if (codes.size() > found) std::sort(codes.begin(), codes.end());
  std::vector<RelationPath> paths;
  paths.reserve(codes.size());
  for (const std::uint64_t code : codes)
    paths.push_back(*RelationPath::from_code(code, ground_.graph.operators()));
  return paths;
}

void PathMiner::sample() {
  const std::span<const Fact> all = ground_.facts.of(target_ % ground_.graph.relations());
  const std::size_t wanted =
      std::min(all.size(), std::max<std::size_t>(most_starts, ground_.options.queries));
  sample_ = draw(all, wanted, Random(ground_.options.seed, target_));
}

EntityId PathMiner::start(const Fact& fact) const {
  return target_ < ground_.graph.relations() ? fact.subject : fact.object;
}

void PathMiner::look_around() {
  const PathOptions& options = ground_.options;
  sample();
  chosen_ = short_paths(options.paths);
  if (chosen_.size() > options.paths) {
    others_.swap(chosen_);
    shortest_ = options.direct ? 1 : 2;
    most_ = options.paths;
  } else if (options.length > 2) {
    shortest_ = 3;
    most_ = options.paths - chosen_.size();
  }
}

std::vector<std::uint64_t> PathMiner::short_paths(std::size_t most) const {
  const PathOptions& options = ground_.options;
  std::vector<std::uint64_t> met;
  NumberSet codes;
  NumberSet starts;
  NumberSet steps;  // a step by an operator to an entity is looked at once
  const auto see = [&](std::uint64_t code) {
    if (codes.insert(code)) met.push_back(code);
  };
  for (const Fact& fact : sample_) {
    const EntityId from = start(fact);
    if (ground_.observer.stopped() || met.size() > most) break;
    if (!starts.insert(from + std::uint64_t{1})) continue;
    for (const Edge& edge : ground_.graph.edges(from)) {
      if (!steps.insert(std::uint64_t{edge.op} << 32U | (edge.target + std::uint64_t{1}))) continue;
      const std::uint64_t begun = ground_.codes.part(edge.op, 0);
      if (options.direct) see(begun);
      if (options.length == 1) continue;
      const OperatorRow row = ground_.rows[edge.target];
      for (std::size_t run = 0; run < row.size(); ++run)
        see(begun + ground_.codes.part(row.op(run), 1));
    }
  }
  return met;
}

std::size_t PathMiner::queries() const {
  return std::min<std::size_t>(sample_.size(), ground_.options.queries);
}

std::size_t PathMiner::walks() const {
  return std::min<std::size_t>(queries(), ground_.options.walks);
}

void PathMiner::search(std::size_t shortest, std::size_t most) {
  shortest_ = shortest;
  most_ = most;
  stage_ = Stage::support;
  const Graph& graph = ground_.graph;
  const auto cost = [&](EntityId from) {
    return ground_.hops.empty() ? graph.edges(from).size() : ground_.hops[from];
  };
  for (std::size_t i = 0; i < queries(); ++i) {
    const Fact& fact = sample_[i];
    const bool tail = target_ < graph.relations();
    const EntityId from = tail ? fact.subject : fact.object;
    const EntityId to = tail ? fact.object : fact.subject;
    if (cost(to) < cost(from)) {
      questions_.push_back({to, from, graph.inverse(target_), true});
    } else {
      questions_.push_back({from, to, target_, false});
    }
  }
  // What leads to the same entity is asked together.
  std::sort(questions_.begin(), questions_.end(), [](const auto& a, const auto& b) {
    return a.to != b.to ? a.to < b.to : a.from < b.from;
  });
  support_.emplace(ground_.codes.end(), ground_.codes.step(ground_.options.length));
}

void PathMiner::count_support(std::size_t block, MiningSpace& space) {
  const std::size_t first = block * questions_together;
  const std::size_t last = std::min(questions_.size(), first + questions_together);
  space.support.clear();
  for (std::size_t i = first; i < last && !ground_.observer.stopped(); ++i) {
    space.meeting.see(questions_[i], ground_.observer, space.support);
    space.support.end_query();
  }
  const std::scoped_lock lock(mutex_);
  support_->add(space.support);
}

void PathMiner::choose_candidates() {
  support_->for_each([&](std::uint64_t code, std::uint32_t seen) {
    if (ground_.codes.at_least(code, shortest_)) worths_.push_back({code, seen, 0, 0});
  });
  support_.reset();
  questions_.clear();
  const auto earlier = [](const auto& a, const auto& b) { return a.code < b.code; };
  if (!std::is_sorted(worths_.begin(), worths_.end(), earlier))
    std::sort(worths_.begin(), worths_.end(), earlier);
  keep(worths_, candidates * most_, [](const PathWorth& path) { return path.support; });
  std::vector<RelationPath> sorted;
  sorted.reserve(worths_.size());
  for (const PathWorth& path : worths_)
    sorted.push_back(*RelationPath::from_code(path.code, ground_.graph.operators()));
  trie_ = PathTrie(sorted);
  reached_.assign(worths_.size(), 0);
}

void PathMiner::count_reached(std::size_t block, MiningSpace& space) {
  const std::size_t first = block * walks_together;
  const std::size_t last = std::min(walks(), first + walks_together);
  const double most = ground_.graph.entities();
  space.reached.assign(worths_.size(), 0);
  const auto add = [&](std::uint32_t path, std::size_t size, float share) {
    const double reached = static_cast<double>(size) / static_cast<double>(share);
    space.reached[path] +=
        static_cast<std::uint64_t>(std::llround(reach_parts * std::min(reached, most)));
  };
  for (std::size_t i = first; i < last && !ground_.observer.stopped(); ++i) {
    const Fact& fact = sample_[i];
    if (space.reach) {
      for (const auto& found : space.reach->walk(trie_, start(fact), fact))
        add(found.path, found.size, found.share);
    } else {
      space.mask.hide({&fact, 1});
      space.walk->walk(trie_, start(fact), &space.mask);
      for (const auto& found : space.walk->findings()) add(found.path, found.size, found.share);
    }
  }
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < reached_.size(); ++i) reached_[i] += space.reached[i];
}

void PathMiner::choose_best() {
  const auto asked = static_cast<double>(queries());
  for (std::size_t i = 0; i < worths_.size(); ++i) {
    PathWorth& path = worths_[i];
    path.reached = static_cast<double>(reached_[i]) / reach_parts;
    const double hits = path.support / asked;
    const double reached = std::max(hits, path.reached / static_cast<double>(walks()));
    path.score = path.support * std::sqrt(hits / reached);
  }
  keep(worths_, most_, [](const PathWorth& path) { return path.score; });
}

}  // namespace lerpp
