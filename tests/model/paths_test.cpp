// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/parallel.hpp>
#include <lerp/model/paths.hpp>

#include "model/path_miner.hpp"
#include "model/random_case.hpp"
#include "model/walks_by_hand.hpp"

namespace lerpp {
namespace {

Graph any_graph() {
  ModelShape shape;
  shape.relations = *rc::gen::inRange<RelationId>(1, 4);
  const auto entities = *rc::gen::inRange<EntityId>(1, 12);
  const auto facts = *rc::gen::inRange<std::size_t>(1, 40);
  return random_case(shape, {entities, facts, 1}, *rc::gen::inRange<std::uint64_t>(0, 1'000'000))
      .graph;
}

/// Nothing sampled, nothing cut off.
PathOptions exact(std::uint32_t paths, std::uint32_t length) {
  PathOptions options;
  options.paths = paths;
  options.length = length;
  options.queries = options.walks = 1'000'000;
  options.fanout = 0;
  options.threads = 1;
  return options;
}

std::vector<Fact> facts_of(const Graph& graph, RelationId relation) {
  std::vector<Fact> facts;
  for (EntityId s = 0; s < graph.entities(); ++s) {
    for (EntityId o = 0; o < graph.entities(); ++o) {
      if (graph.contains(s, relation, o)) facts.push_back({s, relation, o});
    }
  }
  return facts;
}

TEST(RelationPath, OrderAndCodesAgree) {
  const std::vector<RelationPath> paths = all_paths(5, 3);
  EXPECT_EQ(paths.size(), 5U + 25 + 125);
  EXPECT_TRUE(std::is_sorted(paths.begin(), paths.end()));
  std::uint64_t last = 0;
  for (const RelationPath& path : paths) {
    const std::uint64_t code = path.code(5);
    EXPECT_GT(code, last);
    EXPECT_EQ(RelationPath::from_code(code, 5), path);
    last = code;
  }
  EXPECT_LT(last, 6U * 6 * 6);
}

TEST(RelationPath, OtherNumbersAreNoPaths) {
  std::size_t paths = 0;
  for (std::uint64_t code = 0; code < 1000; ++code)
    paths += RelationPath::from_code(code, 5) ? 1 : 0;
  EXPECT_EQ(paths, 5U + 25 + 125);
  EXPECT_FALSE(RelationPath::from_code(~std::uint64_t{0}, 5));
}

RC_GTEST_PROP(PathTable, FlatAndBack, ()) {
  const auto relations = *rc::gen::inRange<RelationId>(1, 4);
  const PathTable table = random_table(relations, *rc::gen::inRange<std::uint32_t>(1, 40),
                                       *rc::gen::inRange<std::uint64_t>(0, 1'000'000));
  // With room to spare, and without.
  std::vector<std::uint32_t> counts(table.operators(), table.capacity());
  for (int round = 0; round < 2; ++round) {
    const auto flat = table.flat(counts);
    RC_ASSERT(flat.size() == std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    const auto back = PathTable::from_flat(relations, table.capacity(), counts, flat);
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == table);
    for (OperatorId target = 0; target < table.operators(); ++target)
      counts[target] = static_cast<std::uint32_t>(table.of(target).size());
  }
}

TEST(PathTable, BadNumbersAreErrors) {
  const std::uint64_t a = RelationPath{0, 1}.code(2);
  const std::uint64_t b = RelationPath{1}.code(2);
  const auto what = [](std::vector<std::uint64_t> flat) {
    const auto table = PathTable::from_flat(1, 2, std::array{2U, 2U}, flat);
    return table ? std::string() : to_string(table.error());
  };
  EXPECT_EQ(what({a, b, 0, 0}), "");
  EXPECT_EQ(what({a, b, 0}),
            "target 1 has 2 paths (paths): the file is damaged; train the model again");
  EXPECT_NE(what({a, b, 0, 0, 0}).find("there are 5 paths instead of 4"), std::string::npos);
  EXPECT_NE(what({27, 0, 0, 0}).find("27 is no path over 2 operators"), std::string::npos);
  EXPECT_NE(what({1, 0, 0, 0}).find("1 is no path"), std::string::npos);
  for (const auto& flat : {std::vector{b, a, 0UL, 0UL}, {a, a, 0UL, 0UL}, {0UL, 0UL, 0UL, a}})
    EXPECT_NE(what(flat).find("are out of order"), std::string::npos);
}

/// Searches as the schedule does, its blocks last to first by two workers in turn: the order must
/// not matter.
std::vector<PathWorth> search(const MiningGround& ground, PathMiner& miner, std::size_t shortest,
                              std::size_t most) {
  MiningSpace one(ground);
  MiningSpace other(ground);
  miner.search(shortest, most);
  do {
    for (std::size_t block = miner.blocks(); block-- > 0;)
      miner.work(block, block % 2 == 0 ? one : other);
  } while (miner.next());
  return {miner.found().begin(), miner.found().end()};
}

// Support and reach of every path, against walks enumerated one by one.
RC_GTEST_PROP(PathMiner, CountsWhatWalksFind, ()) {
  const Graph graph = any_graph();
  const auto length = *rc::gen::inRange<std::uint32_t>(1, 4);
  const OperatorRows rows(graph);
  const Observer observer;
  MiningGround ground(rows, exact(100'000, length), observer);
  ground.small = *rc::gen::arbitrary<bool>();
  const auto target = *rc::gen::inRange<OperatorId>(0, graph.operators());
  PathMiner miner(ground, target);
  miner.sample();
  const auto found = search(ground, miner, 1, 100'000);
  const auto queries = facts_of(graph, target % graph.relations());
  std::size_t supported = 0;
  for (const RelationPath& path : all_paths(graph.operators(), length)) {
    std::uint32_t support = 0;
    std::size_t reached = 0;
    for (const Fact& fact : queries) {
      const bool tail = target < graph.relations();
      const auto flows = walks_by_hand(graph, {&fact, 1}, tail ? fact.subject : fact.object, path);
      support += flows.contains(tail ? fact.object : fact.subject) ? 1 : 0;
      reached += flows.size();
    }
    const auto worth = std::find_if(found.begin(), found.end(), [&](const PathWorth& one) {
      return one.code == path.code(graph.operators());
    });
    RC_ASSERT((worth != found.end()) == (support > 0));
    if (support == 0) continue;
    ++supported;
    RC_ASSERT(worth->support == support);
    RC_ASSERT(worth->reached == static_cast<double>(reached));
    const double precision = support / static_cast<double>(reached);
    RC_ASSERT(std::abs(worth->score - support * std::sqrt(precision)) <= 1e-9 * worth->score);
  }
  RC_ASSERT(found.size() == supported);
  RC_ASSERT(std::is_sorted(found.begin(), found.end(),
                           [](const auto& a, const auto& b) { return a.code < b.code; }));
}

// The best are the best of all, and the earlier ones where they tie.
RC_GTEST_PROP(PathMiner, KeepsTheBest, ()) {
  const Graph graph = any_graph();
  const OperatorRows rows(graph);
  const Observer observer;
  const MiningGround ground(rows, exact(100'000, 3), observer);
  PathMiner all(ground, 0);
  PathMiner some(ground, 0);
  all.sample();
  some.sample();
  auto expected = search(ground, all, 1, 100'000);
  const auto most = *rc::gen::inRange<std::size_t>(1, 20);
  // Candidates are those with the most support.
  std::stable_sort(expected.begin(), expected.end(),
                   [](const auto& a, const auto& b) { return a.support > b.support; });
  if (expected.size() > 4 * most) expected.resize(4 * most);
  std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) {
    return a.score != b.score ? a.score > b.score : a.code < b.code;
  });
  if (expected.size() > most) expected.resize(most);
  std::set<std::uint64_t> codes;
  for (const PathWorth& worth : expected) codes.insert(worth.code);
  std::set<std::uint64_t> kept;
  for (const PathWorth& worth : search(ground, some, 1, most)) kept.insert(worth.code);
  RC_ASSERT(kept == codes);
}

// Sets of bits and walks tell the same of how far paths reach, on graphs of any size.
RC_GTEST_PROP(PathReach, IsWhatWalksReach, ()) {
  ModelShape shape;
  shape.relations = *rc::gen::inRange<RelationId>(1, 5);
  const auto entities = *rc::gen::inRange<EntityId>(2, 400);
  const auto facts = *rc::gen::inRange<std::size_t>(1, 1000);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const Graph graph = random_case(shape, {entities, facts, 1}, seed).graph;
  const OperatorRows rows(graph);
  RC_ASSERT(PathReach::fits(rows));
  PathReach reach(rows, 0);
  PathWalk walk(rows);
  Mask mask(graph);
  const auto paths = all_paths(graph.operators(), 3);
  const PathTrie trie(paths);
  Random random(seed);
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Edge any = graph.edges()[random.below(graph.edges().size())];
    const auto all = facts_of(graph, any.op % graph.relations());
    const Fact fact = all[random.below(all.size())];
    mask.hide({&fact, 1});
    walk.walk(trie, fact.subject, &mask);
    const auto found = reach.walk(trie, fact.subject, fact);
    RC_ASSERT(found.size() == walk.findings().size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      RC_ASSERT(found[i].path == walk.findings()[i].path);
      RC_ASSERT(found[i].size == walk.findings()[i].size);
    }
  }
}

// A table and a list count the same.
RC_GTEST_PROP(PathSupport, TableAndListCountTheSame, ()) {
  const auto queries = *rc::gen::container<std::vector<std::vector<std::uint64_t>>>(
      rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 300)));
  std::map<std::uint64_t, std::uint32_t> expected;
  for (const auto& query : queries) {
    for (const std::uint64_t code : std::set(query.begin(), query.end())) ++expected[7 * code];
  }
  for (const std::uint64_t end : {std::uint64_t{2100}, std::uint64_t{1} << 40U}) {
    PathSupport total(end, 7);
    PathSupport part(end, 7);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (const std::uint64_t code : queries[i]) part.see(7 * code);
      part.end_query();
      if (i % 3 != 2 && i + 1 < queries.size()) continue;
      total.add(part);
      part.clear();
    }
    std::map<std::uint64_t, std::uint32_t> counted;
    total.for_each([&](std::uint64_t code, std::uint32_t seen) { counted[code] = seen; });
    RC_ASSERT(counted == expected);
  }
}

TEST(PathMiner, DrawsFromManyFactsWithoutRepeating) {
  std::vector<Fact> facts;
  for (EntityId e = 1; e < 60'000; ++e) facts.push_back({0, 0, e});
  const Graph graph(60'000, 1, {facts});
  const OperatorRows rows(graph);
  const Observer observer;
  const MiningGround ground(rows, PathOptions{}, observer);
  PathMiner miner(ground, 0);
  miner.sample();
  std::set<Fact> drawn(miner.drawn().begin(), miner.drawn().end());
  EXPECT_EQ(drawn.size(), 10'000U);
  EXPECT_EQ(miner.drawn().size(), 10'000U);
  for (const Fact& fact : drawn) EXPECT_TRUE(graph.contains(fact));
  EXPECT_GT(drawn.rbegin()->object, 59'000U);
}

RC_GTEST_PROP(MinePaths, AllShortPathsWhereTheyFit, ()) {
  const Graph graph = any_graph();
  const auto length = *rc::gen::inRange<std::uint32_t>(1, 4);
  const auto table = mine_paths(graph, exact(1000, length));
  RC_ASSERT(table.has_value());
  for (OperatorId target = 0; target < graph.operators(); ++target) {
    std::set<EntityId> starts;
    for (const Fact& fact : facts_of(graph, target % graph.relations()))
      starts.insert(target < graph.relations() ? fact.subject : fact.object);
    const auto list = table->of(target);
    for (const RelationPath& path : all_paths(graph.operators(), std::min(length, 2U))) {
      const bool occurs = std::any_of(starts.begin(), starts.end(), [&](EntityId start) {
        return !walks_by_hand(graph, {}, start, path).empty();
      });
      RC_ASSERT(std::binary_search(list.begin(), list.end(), path) == occurs);
    }
  }
}

RC_GTEST_PROP(MinePaths, TheBestWhereTheyDoNot, ()) {
  const Graph graph = any_graph();
  const auto length = *rc::gen::inRange<std::uint32_t>(2, 4);
  const auto options = exact(*rc::gen::inRange(1U, 12U), length);
  const auto table = mine_paths(graph, options);
  const OperatorRows rows(graph);
  const Observer observer;
  const MiningGround ground(rows, options, observer);
  for (OperatorId target = 0; target < graph.operators(); ++target) {
    PathMiner miner(ground, target);
    miner.sample();
    const auto list = table->of(target);
    RC_ASSERT(list.size() <= options.paths);
    if (miner.short_paths(options.paths).size() <= options.paths) continue;
    RC_ASSERT(list.size() == options.paths);
    for (const PathWorth& worth : search(ground, miner, 1, options.paths)) {
      const auto path = RelationPath::from_code(worth.code, graph.operators());
      RC_ASSERT(std::binary_search(list.begin(), list.end(), *path));
    }
  }
}

RC_GTEST_PROP(MinePaths, ThreadsChangeNothing, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  ModelShape shape;
  shape.relations = 4;
  const Graph graph = random_case(shape, {50, 400, 1}, seed).graph;
  PathOptions options;
  options.paths = *rc::gen::inRange(1U, 100U);
  options.length = *rc::gen::inRange(1U, 4U);
  options.queries = *rc::gen::inRange(1U, 60U);
  options.walks = *rc::gen::inRange(1U, 60U);
  options.fanout = *rc::gen::inRange(0U, 5U);
  options.seed = seed;
  options.threads = 1;
  const auto one = mine_paths(graph, options);
  for (const unsigned threads : {3U, 16U}) {
    options.threads = exactly(threads);
    RC_ASSERT(*mine_paths(graph, options) == *one);
  }
}

TEST(MinePaths, ReportsToTheEnd) {
  ModelShape shape;
  shape.relations = 4;
  const Graph graph = random_case(shape, {50, 400, 1}, 1).graph;
  Progress last;
  Observer observer;
  observer.progress = [&](const Progress& progress) {
    EXPECT_GE(progress.done, last.done);
    last = progress;
  };
  PathOptions options;
  options.threads = exactly(4);
  ASSERT_TRUE(mine_paths(graph, options, observer));
  EXPECT_EQ(last.done, 8U);
  EXPECT_EQ(last.total, 8U);
  EXPECT_EQ(last.unit, "targets");
}

TEST(PathWalk, IsBoundedAtHubsAndSpreadsEvenly) {
  // Entity 0 leads to a hundred others, and each of these to fifty of its own.
  std::vector<Fact> facts;
  for (EntityId e = 1; e <= 100; ++e) {
    facts.push_back({0, 0, e});
    for (EntityId i = 0; i < 50; ++i) facts.push_back({e, 1, 101 + 50 * (e - 1) + i});
  }
  const Graph graph(5101, 2, {facts});
  const OperatorRows rows(graph);
  const std::vector<RelationPath> paths = {{0, 1}};
  const PathTrie trie(paths);
  const auto reached = [&](const PathWalk::Limits& limits) {
    PathWalk walk(rows, limits);
    walk.walk(trie, 0, nullptr);
    const auto& found = walk.findings().front();
    const std::span<const EntityId> entities = walk.entities(found);
    return std::pair(std::vector<EntityId>(entities.begin(), entities.end()), found.share);
  };
  EXPECT_EQ(reached({}).first.size(), 5000U);
  EXPECT_EQ(reached({0, 5000}).first.size(), 5000U);
  EXPECT_EQ(reached({20, 0}).first.size(), 1000U);
  auto [some, share] = reached({0, 500});
  EXPECT_FLOAT_EQ(share, 0.1F);
  ASSERT_EQ(some.size(), 500U);  // five of each fifty
  std::sort(some.begin(), some.end());
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i], 101 + 10 * i);
  // One of each, whatever the bound.
  EXPECT_EQ(reached({0, 10}).first.size(), 100U);
}

TEST(OperatorRows, AreTheSameWithAnyThreads) {
  ModelShape shape;
  shape.relations = 3;
  const Graph graph = random_case(shape, {40'000, 60'000, 1}, 1).graph;
  const OperatorRows one(graph, exactly(1));
  const OperatorRows many(graph, exactly(3));
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    ASSERT_EQ(one[entity].size(), many[entity].size());
    std::size_t edges = 0;
    for (std::size_t run = 0; run < one[entity].size(); ++run) {
      ASSERT_EQ(one[entity].op(run), many[entity].op(run));
      ASSERT_TRUE(std::ranges::equal(one[entity].targets(run), many[entity].targets(run)));
      edges += one[entity].targets(run).size();
    }
    ASSERT_EQ(edges, graph.edges(entity).size());
  }
}

TEST(MinePaths, StopsOnTheWay) {
  ModelShape shape;
  shape.relations = 4;
  const Graph graph = random_case(shape, {50, 400, 1}, 1).graph;
  std::stop_source source;
  Observer observer;
  observer.stop = source.get_token();
  observer.progress = [&](const Progress&) { source.request_stop(); };
  PathOptions options;
  options.threads = exactly(4);
  const auto stopped = mine_paths(graph, options, observer);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
}

TEST(MinePaths, MistakesAndStops) {
  const Graph graph(2, 1, {std::vector<Fact>{{0, 0, 1}}});
  EXPECT_FALSE(mine_paths(graph, exact(10, 4)));
  EXPECT_FALSE(mine_paths(graph, exact(0, 2)));
  std::stop_source source;
  source.request_stop();
  const auto stopped = mine_paths(graph, exact(10, 2), {{}, source.get_token()});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
}

}  // namespace
}  // namespace lerpp
