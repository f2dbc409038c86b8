// SPDX-License-Identifier: Apache-2.0
#include "explain/open_answers.hpp"

#include <gtest/gtest.h>

#include <lerp/kg/generate.hpp>
#include <lerp/model/model.hpp>
#include <lerp/model/rule_list.hpp>

#include "base/random.hpp"
#include "explain/list_asker.hpp"

namespace lerpp {
namespace {

Dataset family() {
  FamilyOptions options;
  options.people = 120;
  return generate_family(options).dataset;
}

/// Paths, some in groups, and what answers take part in, with weights that give many equal scores.
RuleList some_list(const Graph& graph, Random& random) {
  RuleList list;
  const auto weight = [&] { return 0.5 * static_cast<double>(random.below(7)) - 1.5; };
  const auto any = [&] { return static_cast<OperatorId>(random.below(graph.operators())); };
  for (OperatorId target = 0; target < graph.operators(); ++target) {
    for (std::uint32_t group = 0; group < 3; ++group) {
      for (OperatorId hop = 0; hop < 2; ++hop) {
        // Of different lengths or first hops, so that no body is there twice.
        const Rule rule =
            path_rule(target, group == 0 ? std::vector<OperatorId>{hop}
                                         : std::vector<OperatorId>{hop, group, any()});
        list.rules.push_back(
            {with_weight(rule, group == 0 ? weight() : 0.7), group == 0 ? weight() : 2, group});
      }
    }
    list.rules.push_back({pair_rule(target, Formula::truth(), Formula::exists(any()), weight()),
                          random.chance(0.5) ? 0 : weight()});
  }
  return list;
}

/// The same questions of a list, from a score of every entity and from where they lead.
class SameAnswers : public testing::Test {
 protected:
  SameAnswers()
      : dataset_(family()),
        graph_(dataset_.known_graph()),
        list_(some_list(graph_, random_)),
        scorer_(make_scorer(list_, graph_)),
        asker_(std::make_shared<ListIndex>(std::make_shared<const RuleList>(list_), graph_)) {}

  void take(const Query& query) {
    std::vector<Scores> scores(1);
    scorer_->score({&query, 1}, scores);
    dense_.take(scores.front(), graph_.entities());
    changes_ = asker_.ask(query);
    listed_.take(asker_.index().base(query.target), *changes_);
  }

  void expect_same(std::span<const Edge> known) {
    dense_.know(known);
    listed_.know(known);
    for (const std::size_t count : {std::size_t{0}, std::size_t{7}, std::size_t{1000}})
      ASSERT_EQ(listed_.best(count), dense_.best(count));
    for (EntityId answer = 0; answer < graph_.entities(); ++answer) {
      ASSERT_EQ(listed_.score(answer), dense_.score(answer));
      ASSERT_EQ(listed_.rank(answer), dense_.rank(answer));
      const Side a = listed_.side(answer);
      const Side b = dense_.side(answer);
      ASSERT_EQ(a.margin, b.margin);
      ASSERT_EQ(a.better, b.better);
      // The same masses, summed in another order.
      ASSERT_NEAR(a.log_share, b.log_share, 1e-9);
      ASSERT_NEAR(listed_.share(answer), dense_.share(answer), 1e-9);
    }
  }

  Random random_{5};
  Dataset dataset_;
  Graph graph_;
  RuleList list_;
  std::unique_ptr<ListScorer> scorer_;
  ListAsker asker_;
  std::shared_ptr<const ListAsker::Changes> changes_;
  DenseAnswers dense_{true};
  ListAnswers listed_;
};

TEST_F(SameAnswers, WhereverAQuestionStarts) {
  std::size_t changed = 0;
  for (OperatorId target = 0; target < graph_.operators(); ++target) {
    ASSERT_TRUE(asker_.index().has_base(target));
    for (EntityId start = target; start < graph_.entities(); start += 17) {
      take({target, start});
      changed += changes_->size();
      expect_same(graph_.edges(start, target));
    }
  }
  EXPECT_GT(changed, 300U);
}

TEST_F(SameAnswers, WhateverIsKnown) {
  std::vector<Edge> all;
  for (EntityId entity = 0; entity < graph_.entities(); ++entity) all.push_back({0, entity});
  take({3, 11});
  expect_same({});
  expect_same(std::span(all).subspan(1));
  expect_same(std::span(all).first(all.size() / 2));
}

TEST_F(SameAnswers, WhenAskedAgain) {
  const Query query = {2, 5};
  const auto first = asker_.ask(query);
  EXPECT_EQ(asker_.ask(query), first);
  // More than there is room for: the answers are the same, found anew.
  for (OperatorId target = 0; target < graph_.operators(); ++target) {
    for (EntityId start = 0; start < graph_.entities(); ++start) asker_.ask({target, start});
  }
  take(query);
  expect_same(graph_.edges(query.start, query.target));
}

TEST(ListAnswers, RulesThatAskForTheStartHaveNoBase) {
  const Dataset dataset = family();
  const Graph graph = dataset.known_graph();
  RuleList list;
  list.rules.push_back({pair_rule(0, Formula::exists(1), Formula::truth()), 0});
  list.rules.push_back({pair_rule(1, Formula::truth(), Formula::exists(1)), 0});
  const ListIndex index(std::make_shared<const RuleList>(list), graph);
  EXPECT_FALSE(index.has_base(0));
  EXPECT_TRUE(index.has_base(1));
}

}  // namespace
}  // namespace lerpp
