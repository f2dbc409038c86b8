#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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
  const auto flat = table.flat();
  RC_ASSERT(flat.size() == std::size_t{table.operators()} * table.capacity());
  const auto back = PathTable::from_flat(relations, table.capacity(), flat);
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == table);
}

TEST(PathTable, BadNumbersAreErrors) {
  const std::uint64_t a = RelationPath{0, 1}.code(2);
  const std::uint64_t b = RelationPath{1}.code(2);
  const auto what = [](std::vector<std::uint64_t> flat) {
    const auto table = PathTable::from_flat(1, 2, flat);
    return table ? std::string() : to_string(table.error());
  };
  EXPECT_EQ(what({a, b, 0, 0}), "");
  EXPECT_EQ(what({a, b, 0}),
            "there are 3 paths instead of 2 for each of 2 targets (paths): the file is damaged; "
            "train the model again");
  EXPECT_NE(what({27, 0, 0, 0}).find("27 is no path over 2 operators"), std::string::npos);
  EXPECT_NE(what({1, 0, 0, 0}).find("1 is no path"), std::string::npos);
  for (const auto& flat : {std::vector{b, a, 0UL, 0UL}, {a, a, 0UL, 0UL}, {0UL, 0UL, 0UL, a}})
    EXPECT_NE(what(flat).find("are out of order"), std::string::npos);
}

// Support and reach of every path, against walks enumerated one by one.
RC_GTEST_PROP(PathMiner, CountsWhatWalksFind, ()) {
  const Graph graph = any_graph();
  const auto length = *rc::gen::inRange<std::uint32_t>(1, 4);
  const OperatorRows rows(graph);
  const FactsByRelation facts(graph);
  PathMiner miner(rows, facts, exact(100'000, length));
  const auto target = *rc::gen::inRange<OperatorId>(0, graph.operators());
  miner.sample(target);
  const auto found = miner.best(target, 1, 100'000);
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
                           [](const auto& a, const auto& b) { return a.score > b.score; }));
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
  const FactsByRelation facts(graph);
  PathMiner miner(rows, facts, options);
  for (OperatorId target = 0; target < graph.operators(); ++target) {
    miner.sample(target);
    const auto list = table->of(target);
    RC_ASSERT(list.size() <= options.paths);
    if (miner.short_paths(target, options.paths).size() <= options.paths) continue;
    RC_ASSERT(list.size() == options.paths);
    for (const PathWorth& worth : miner.best(target, 1, options.paths)) {
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
  options.threads = 3;
  RC_ASSERT(*mine_paths(graph, options) == *one);
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
