// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/events/baseline.hpp>

#include "events/event_text.hpp"
#include "events/prefix_span.hpp"

namespace lerpp {
namespace {

/// The same scores for every graph.
class FixedScorer : public EndingScorer {
 public:
  explicit FixedScorer(std::vector<double> scores) : scores_(std::move(scores)) {}
  void score(const EventGraph&, std::span<double> scores) const override {
    std::copy(scores_.begin(), scores_.end(), scores.begin());
  }

 private:
  std::vector<double> scores_;
};

TEST(EndingCases, isolated_events_end_a_graph_only_where_asked) {
  const formats::EventReading reading =
      read_lines(R"({"events":[["a","A"],["b","B"],["c","C"]],"order":[["a","b"]]})"
                 "\n"
                 R"({"events":[["a","A"]]})"
                 "\n"
                 R"({"events":[["a","A"],["b","B"]],"order":[["a","b"],["b","a"]]})");
  const EndingCases reached = ending_cases(reading.graphs, Ending::reached);
  ASSERT_EQ(reached.cases.size(), 1U);
  EXPECT_EQ(reached.cases[0].gold, (std::vector<LabelId>{1}));
  EXPECT_EQ(reached.cases[0].context.events, (std::vector<LabelId>{0, 2}));
  EXPECT_EQ(reached.without_order, 1U);
  EXPECT_EQ(reached.without_ending, 1U);
  const EndingCases unfollowed = ending_cases(reading.graphs, Ending::unfollowed);
  EXPECT_EQ(unfollowed.cases[0].gold, (std::vector<LabelId>{1, 2}));
}

TEST(EndingCases, a_split_that_asks_nothing_is_refused) {
  EventData data;
  data.source = "stories";
  data[Split::test] = read_lines(R"({"events":[["a","A"]]})").graphs;
  const auto cases = ending_cases(data, Split::test, Ending::reached);
  ASSERT_FALSE(cases);
  EXPECT_EQ(to_string(cases.error()),
            "no graph of the test split has an ending event (stories): give graphs whose 'order' "
            "is not empty, or choose another --split");
}

TEST(RankEndings, computes_the_metrics_as_defined) {
  EndingCases cases;
  cases.cases.push_back({{}, {0, 2}});  // ranks 1 and 3; filtered 1 and 2
  cases.cases.push_back({{}, {1}});     // rank 2
  const EndingReport report = rank_endings(FixedScorer({3, 2, 1, 0}), cases, Ending::reached, 4);
  EXPECT_DOUBLE_EQ(report.raw.hits_at_1, 0.5);
  EXPECT_DOUBLE_EQ(report.raw.mrr, (1 + 1.0 / 3 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(report.raw.mrr_by_graph, ((1 + 1.0 / 3) / 2 + 0.5) / 2);
  EXPECT_DOUBLE_EQ(report.filtered.mrr, (1 + 0.5 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(report.filtered.hits_at_1, 1.0 / 3);
  EXPECT_DOUBLE_EQ(report.ceiling.mrr, (1 + 0.5 + 1) / 3);
  EXPECT_EQ(report.gold, 3U);
  EXPECT_NE(to_text(report).find("2 graphs, 3 gold types"), std::string::npos);
  EXPECT_EQ(to_json(report)["raw"]["hits_at_1"], 0.5);
}

TEST(RankEndings, equal_scores_share_a_rank_and_what_is_no_number_ranks_last) {
  EndingCases cases;
  cases.cases.push_back({{}, {0}});
  const EndingReport equal = rank_endings(FixedScorer({1, 1, 1}), cases, Ending::reached, 3);
  EXPECT_DOUBLE_EQ(equal.raw.hits_at_1, 1.0 / 3);
  EXPECT_DOUBLE_EQ(equal.raw.mrr, 1.0 / 2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const EndingReport last = rank_endings(FixedScorer({nan, 1, 1}), cases, Ending::reached, 3);
  EXPECT_DOUBLE_EQ(last.raw.mrr, 1.0 / 3);
  EXPECT_EQ(last.unseen, 1U);
  EXPECT_EQ(rank_endings(FixedScorer({}), {}, Ending::reached, 0).graphs, 0U);
}

EventData data_of(const std::string& train) {
  EventData data;
  formats::EventReading reading = read_lines(train);
  data[Split::train] = std::move(reading.graphs);
  data.names = std::move(reading.names);
  data.trained = data.names.sizes();
  return data;
}

/// Attacks end with deaths, sales with payments; deaths are more frequent.
const char* const two_stories = R"({"events":[["a","Attack"],["d","Die"]],"order":[["a","d"]]})"
                                "\n"
                                R"({"events":[["a","Attack"],["d","Die"]],"order":[["a","d"]]})"
                                "\n"
                                R"({"events":[["a","Attack"],["d","Die"]],"order":[["a","d"]]})"
                                "\n"
                                R"({"events":[["s","Sale"],["p","Pay"]],"order":[["s","p"]]})"
                                "\n"
                                R"({"events":[["s","Sale"],["p","Pay"]],"order":[["s","p"]]})"
                                "\n"
                                R"({"events":[["s","Sale"],["p","Pay"]],"order":[["s","p"]]})"
                                "\n"
                                R"({"events":[["a","Attack"],["d","Die"]],"order":[["a","d"]]})";

LabelId best(const EndingScorer& scorer, const EventGraph& context, LabelId types) {
  std::vector<double> scores(types);
  scorer.score(context, scores);
  return static_cast<LabelId>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

TEST(EventBaseline, all_but_frequency_look_at_the_context) {
  const EventData data = data_of(two_stories);
  const LabelId types = data.names.event_types.size();
  const LabelId attack = *data.names.event_types.find("Attack");
  const LabelId sale = *data.names.event_types.find("Sale");
  const LabelId die = *data.names.event_types.find("Die");
  const LabelId pay = *data.names.event_types.find("Pay");
  EventGraph attacked;
  attacked.events = {attack};
  EventGraph sold;
  sold.events = {sale};
  for (const char* name : {"frequency", "ngram", "pairwise", "prefixspan", "schema"}) {
    const EventBaseline baseline = *event_baseline_named(name);
    const auto scorer = make_event_baseline(baseline, data, Ending::reached, data[Split::train]);
    EXPECT_EQ(best(*scorer, attacked, types), die) << name;
    EXPECT_EQ(best(*scorer, sold, types), baseline == EventBaseline::frequency ? die : pay) << name;
    EventGraph unknown;
    unknown.events = {types + 5};
    std::vector<double> scores(types + 6);
    scorer->score(unknown, scores);  // types never seen do no harm, and rank last
    EXPECT_EQ(scores.back(), -std::numeric_limits<double>::infinity()) << name;
    EXPECT_TRUE(std::isfinite(scores[die])) << name;
  }
  EXPECT_FALSE(event_baseline_named("oracle"));
}

TEST(EventBaseline, frequency_has_the_figures_measured_elsewhere) {
  for (const auto& [name, hits, mrr] :
       {std::tuple{"event-general", .448, .350}, std::tuple{"event-ied", .956, .248}}) {
    const auto path = std::filesystem::path(LERP_SHARED) / "datasets" / name;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "the shared data is absent";
    const auto data = load_events(path);
    ASSERT_TRUE(data);
    const auto scorer = make_event_baseline(EventBaseline::frequency, *data, Ending::reached);
    const EndingReport report =
        rank_endings(*scorer, ending_cases((*data)[Split::test], Ending::reached), Ending::reached,
                     data->names.event_types.size());
    EXPECT_NEAR(report.raw.hits_at_1, hits, .0005) << name;
    EXPECT_NEAR(report.raw.mrr, mrr, .0005) << name;
  }
}

/// Support of a pattern the slow way.
std::size_t brute_support(const std::vector<std::vector<Item>>& sequences,
                          const std::vector<Item>& pattern) {
  std::size_t count = 0;
  for (const std::vector<Item>& sequence : sequences) {
    std::function<bool(std::size_t, std::size_t)> found = [&](std::size_t at, std::size_t next) {
      if (next == pattern.size()) return true;
      for (std::size_t i = at; i < sequence.size(); ++i) {
        if (sequence[i] == pattern[next] && found(i + 1, next + 1)) return true;
      }
      return false;
    };
    if (found(0, 0)) ++count;
  }
  return count;
}

RC_GTEST_PROP(PrefixSpan, finds_what_trying_every_pattern_finds, ()) {
  constexpr Item items = 3;
  constexpr std::size_t longest = 3;
  std::vector<std::vector<Item>> sequences(*rc::gen::inRange<std::size_t>(0, 6));
  for (auto& sequence : sequences) {
    sequence = *rc::gen::container<std::vector<Item>>(rc::gen::inRange<Item>(0, items));
    if (sequence.size() > 8) sequence.resize(8);
  }
  const auto least = *rc::gen::inRange<std::size_t>(1, 4);
  std::vector<SequencePattern> expected;
  std::vector<Item> pattern;
  std::function<void()> extend = [&] {
    if (pattern.size() == longest) return;
    for (Item item = 0; item < items; ++item) {
      pattern.push_back(item);
      const std::size_t support = brute_support(sequences, pattern);
      if (support >= least) expected.push_back({pattern, support});
      extend();
      pattern.pop_back();
    }
  };
  extend();
  RC_ASSERT(prefix_span(sequences, least, longest) == expected);
  for (const auto& sequence : sequences) {
    for (const SequencePattern& found : expected) {
      RC_ASSERT(holds_pattern(sequence, found.items) ==
                (brute_support({sequence}, found.items) == 1));
    }
  }
}

}  // namespace
}  // namespace lerpp
