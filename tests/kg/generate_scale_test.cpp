// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <lerp/kg/generate.hpp>

#include "kg/rule_text.hpp"
#include "kg/zipf.hpp"

namespace lerpp {
namespace {

ScaleOptions sized(std::uint64_t facts, std::uint32_t relations = 100) {
  ScaleOptions options;
  options.facts = facts;
  options.relations = relations;
  return options;
}

Generated generate(const ScaleOptions& options) {
  auto generated = generate_scale(options);
  if (!generated) throw std::runtime_error(to_string(generated.error()));
  return std::move(*generated);
}

std::vector<Fact> all_facts(const Dataset& dataset) {
  std::vector<Fact> all;
  for (const auto& split : dataset.splits) all.insert(all.end(), split.begin(), split.end());
  return all;
}

TEST(GenerateScale, HasExactlyTheFactsAskedFor) {
  for (const std::uint64_t facts : {10, 11, 57, 100, 1000, 33'333}) {
    for (const std::uint32_t relations : {4U, 5U, 7U, 30U, 200U}) {
      for (const double planted : {0.0, 0.3, 0.9}) {
        ScaleOptions options = sized(facts, relations);
        options.planted = planted;
        const Dataset dataset = generate(options).dataset;
        const std::vector<Fact> all = all_facts(dataset);
        const std::set<Fact> distinct(all.begin(), all.end());
        EXPECT_EQ(all.size(), facts);
        EXPECT_EQ(distinct.size(), facts);
        EXPECT_EQ(dataset.name, "scale-" + std::to_string(facts));
        for (const Fact& fact : distinct) EXPECT_NE(fact.subject, fact.object);
      }
    }
  }
}

TEST(GenerateScale, MentionsAllEntitiesAndRelations) {
  ScaleOptions options = sized(20'000, 20);
  options.entities = 4000;
  const Dataset dataset = generate(options).dataset;
  EXPECT_EQ(dataset.entities.size(), 4000);
  EXPECT_EQ(dataset.relations.size(), 20);
  EXPECT_EQ(dataset.entities.name(123), "e123");
  EXPECT_EQ(dataset.relations.name(12), "r12");
}

TEST(GenerateScale, HoldsOutWhatTrainHasSeen) {
  for (const std::uint64_t facts : {10, 200, 5000, 500'000}) {
    const Dataset dataset = generate(sized(facts)).dataset;
    std::vector<bool> seen(dataset.entities.size());
    std::vector<bool> seen_relation(dataset.relations.size());
    for (const Fact& fact : dataset[Split::train]) {
      seen[fact.subject] = seen[fact.object] = seen_relation[fact.relation] = true;
    }
    for (const Split split : {Split::valid, Split::test}) {
      EXPECT_EQ(dataset[split].size(), std::min<std::uint64_t>(facts / 20, 20'000));
      for (const Fact& fact : dataset[split]) {
        EXPECT_TRUE(seen[fact.subject] && seen[fact.object] && seen_relation[fact.relation]);
      }
    }
    EXPECT_TRUE(dataset[Split::facts].empty());
  }
}

TEST(GenerateScale, PlantsRulesThatHold) {
  for (const double planted : {0.1, 0.3, 0.6, 0.9}) {
    for (const double skew : {0.0, 0.8, 1.3}) {
      ScaleOptions options = sized(20'000, 30);
      options.planted = planted;
      options.skew = skew;
      const Generated generated = generate(options);
      const Graph graph = generated.dataset.full_graph();
      const test::RuleParser parser(generated.dataset.relations);
      std::set<Fact> proved;
      std::set<std::size_t> lengths;
      for (const std::string& text : generated.rules) {
        const test::TextRule rule = parser.parse(text);
        lengths.insert(rule.chain.size());
        const test::Tally tally = test::evaluate(rule, graph, &proved);
        EXPECT_GT(tally.support, 0) << text;
        EXPECT_GE(tally.confidence(), rule.chain.size() == 1 ? 0.999 : 0.8) << text;
      }
      EXPECT_EQ(lengths, (std::set<std::size_t>{1, 2}));
      EXPECT_NEAR(static_cast<double>(proved.size()) / 20'000, planted, 0.02)
          << "planted " << planted << ", skew " << skew;
    }
  }
}

TEST(GenerateScale, SkewsDegreesAndSizes) {
  std::map<double, std::uint32_t> largest;
  for (const double skew : {0.0, 0.8, 1.2}) {
    ScaleOptions options = sized(50'000);
    options.skew = skew;
    const Dataset dataset = generate(options).dataset;
    std::vector<std::uint32_t> degrees(dataset.entities.size());
    std::vector<std::uint32_t> sizes(dataset.relations.size());
    for (const Fact& fact : all_facts(dataset)) {
      ++degrees[fact.subject];
      ++degrees[fact.object];
      ++sizes[fact.relation];
    }
    const auto hub = std::max_element(degrees.begin(), degrees.end());
    largest[skew] = *hub;
    EXPECT_NE(hub - degrees.begin(), 0) << "hubs should not be the first entities";
    const auto [small, large] = std::minmax_element(sizes.begin(), sizes.end());
    if (skew > 0) {
      EXPECT_GT(*large, 10 * *small);
    }
  }
  EXPECT_LT(largest[0.0], 60U);  // the mean is 20
  EXPECT_GT(largest[0.8], 300U);
  EXPECT_GT(largest[1.2], 2 * largest[0.8]);
}

TEST(GenerateScale, GivesTheSameForTheSameSeed) {
  ScaleOptions options = sized(30'000);
  const Generated one = generate(options);
  const Generated same = generate(options);
  EXPECT_EQ(one.dataset.splits, same.dataset.splits);
  EXPECT_EQ(one.rules, same.rules);
  // Written down once, so that another machine or library can be seen to agree.
  std::uint64_t digest = 0;
  for (const Fact& fact : all_facts(one.dataset)) {
    digest = (digest ^ fact.subject) * 0x9e3779b97f4a7c15U;
    digest = (digest ^ fact.relation) * 0x9e3779b97f4a7c15U;
    digest = (digest ^ fact.object) * 0x9e3779b97f4a7c15U;
  }
  EXPECT_EQ(digest, 5396673532048483613U);
  options.seed = 2;
  EXPECT_NE(one.dataset.splits, generate(options).dataset.splits);
}

TEST(GenerateScale, RefusesWhatDoesNotFit) {
  ScaleOptions options = sized(1000, 4);
  options.entities = 10;
  const auto full = generate_scale(options);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().kind, ErrorKind::usage);
  options.entities = 1;
  EXPECT_FALSE(generate_scale(options));
  options = sized(5);
  EXPECT_FALSE(generate_scale(options));
  options = sized(1000);
  options.skew = 3;
  EXPECT_FALSE(generate_scale(options));
  options = sized(std::uint64_t{7} * 40 * 39 / 10, 7);
  options.entities = 40;
  options.planted = 0.01;
  options.skew = 1.5;
  EXPECT_EQ(all_facts(generate(options).dataset).size(), options.facts) << "as full as can be";
}

TEST(GenerateScale, ReportsAndStops) {
  std::uint64_t last = 0;
  Observer observer;
  observer.progress = [&](const Progress& progress) {
    if (progress.stage == "drawing") {
      EXPECT_LE(last, progress.done);
      EXPECT_EQ(progress.total, 200'000U);
      last = progress.done;
    }
  };
  EXPECT_TRUE(generate_scale(sized(200'000), observer));
  EXPECT_GT(last, 0U);
  // At whatever stage.
  for (const std::string_view stage : {"splitting", "drawing"}) {
    std::stop_source another;
    observer.stop = another.get_token();
    observer.progress = [&](const Progress& progress) {
      if (progress.stage == stage) another.request_stop();
    };
    const auto stopped = generate_scale(sized(200'000), observer);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
  }
}

TEST(Zipf, FollowsItsLaw) {
  EXPECT_NEAR(portable_power(10, 0.8), 6.30957344480193, 1e-9);
  EXPECT_NEAR(portable_power(3, 0), 1, 1e-12);
  Random random(1);
  for (const double exponent : {0.0, 0.8, 1.5}) {
    constexpr std::uint64_t count = 300;
    constexpr int draws = 400'000;
    const Zipf zipf(count, exponent);
    std::vector<double> drawn(count);
    for (int i = 0; i < draws; ++i) ++drawn.at(zipf.draw(random));
    double total = 0;
    for (std::uint64_t k = 0; k < count; ++k) total += std::pow(k + 1, -exponent);
    for (const std::uint64_t k : {0, 1, 5, 15, 40, 299}) {
      const double expected = draws * std::pow(k + 1, -exponent) / total;
      EXPECT_NEAR(drawn[k], expected, 0.1 * expected + 4 * std::sqrt(expected));
    }
  }
}

}  // namespace
}  // namespace lerpp
