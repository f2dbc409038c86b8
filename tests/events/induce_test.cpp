// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/events/induce.hpp>

#include "events/corpus.hpp"
#include "events/event_text.hpp"
#include "support/picture_labels.hpp"

namespace lerpp {
namespace {

EventShape shape_of(const EventSizes& sizes) {
  EventOptions options;
  return event_shape(options, sizes, 1);
}

TEST(Equation, is_written_spoken_and_drawn) {
  const formats::EventReading reading = read_lines(small_story);
  const EventShape shape = shape_of(reading.names.sizes());
  const EquationNames names{shape, reading.names};
  const LabelId attack = *reading.names.event_types.find("Attack");
  const LabelId die = *reading.names.event_types.find("Die");
  const OperatorId after = corpus_operator(shape, shape.before(), true);
  const OperatorId victim = corpus_operator(shape, *reading.names.roles.find("Victim"), false);
  const Equation follows{die, Formula::exists(after, has_type(shape, attack))};
  EXPECT_EQ(to_text(follows, names), "Die(x) ⇒ ∃y (before(y,x) ∧ Attack(y))");
  EXPECT_EQ(to_english(follows, names, 1), "Every Die comes after some Attack.");
  EXPECT_EQ(to_english(follows, names, 0.87), "In 87 % of cases a Die comes after some Attack.");
  EXPECT_EQ(to_english({attack, has_type(shape, attack)}, names, 0.9999),
            "In more than 99 % of cases an Attack is an Attack.");
  EXPECT_EQ(to_english(follows, names, 0.001),
            "In less than 1 % of cases a Die comes after some Attack.");
  const Equation both{
      die, Formula::conjunction(
               {Formula::negation(Formula::exists(after)),
                Formula::exists(victim, Formula::disjunction(
                                            {has_type(shape, 3),
                                             Formula::exists(corpus_operator(shape, 3, true))}))})};
  EXPECT_EQ(to_text(both, names),
            "Die(x) ⇒ ¬∃y before(y,x) ∧ ∃z1 (Victim(x,z1) ∧ (PER(z1) ∨ ∃z2 Knows(z2,z1)))");
  EXPECT_EQ(to_english(both, names, 1),
            "Every Die does not come after anything and has something that is a PER or is linked "
            "to something by Knows, seen from there as its Victim.");
  const std::string picture = to_svg(both, names);
  EXPECT_NE(picture.find("Victim"), std::string::npos);
  EXPECT_NE(picture.find("stroke-dasharray"), std::string::npos);
  EXPECT_EQ(picture.find("nan"), std::string::npos);
  EXPECT_EQ(test::collision(picture), "");
  EXPECT_EQ(picture.find(">learned<"), std::string::npos);
  EXPECT_NE(to_svg(both, names, "learned").find(">learned<"), std::string::npos);
  EXPECT_EQ(test::collision(to_svg(both, names, "learned")), "");
}

/// One step to a type, by looking at every pair.
EquationCount brute_count(const std::vector<EventGraph>& graphs, LabelId type, LabelId other) {
  EquationCount count;
  for (const EventGraph& graph : graphs) {
    std::size_t events = 0;
    std::size_t holds = 0;
    for (std::uint32_t i = 0; i < graph.events.size(); ++i) {
      if (graph.events[i] != type) continue;
      ++events;
      for (const EventOrder& order : graph.order) {
        if (order.after == i && graph.events[order.before] == other) {
          ++holds;
          break;
        }
      }
    }
    count.events += events;
    count.holds += holds;
    count.graphs += events > 0 ? 1 : 0;
    count.all_graphs += events > 0 && holds == events ? 1 : 0;
  }
  return count;
}

RC_GTEST_PROP(CountEquations, agrees_with_looking_at_every_pair, ()) {
  std::vector<EventGraph> graphs;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) graphs.push_back(random_event_graph());
  const EventShape shape = shape_of(random_sizes);
  const OperatorId after = corpus_operator(shape, shape.before(), true);
  for (LabelId type = 0; type < 3; ++type) {
    for (LabelId other = 0; other < 3; ++other) {
      const Equation equation{type, Formula::exists(after, has_type(shape, other))};
      RC_ASSERT(count_equations({equation}, graphs, shape)[0] == brute_count(graphs, type, other));
    }
  }
}

RC_GTEST_PROP(Mutilate, takes_events_and_leaves_no_idle_entity, (std::uint64_t seed)) {
  const EventGraph graph = random_event_graph(12);
  const std::size_t count = *rc::gen::inRange<std::size_t>(0, 12);
  const EventGraph rest = mutilate(graph, count, seed);
  RC_ASSERT(rest.events.size() == graph.events.size() - std::min(count, graph.events.size() / 2));
  std::vector<bool> takes_part(rest.entities.size());
  for (const EventLink& link : rest.arguments) takes_part.at(link.to) = true;
  for (const bool part : takes_part) RC_ASSERT(part);
  for (const EventLink& link : rest.relations) {
    RC_ASSERT(link.from < rest.entities.size() && link.to < rest.entities.size());
  }
  RC_ASSERT(rest == mutilate(graph, count, seed));
}

TEST(Induce, finds_the_equation_that_the_data_was_made_of) {
  // Every death follows an attack; meetings come anywhere.
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    lines += R"({"events":[["m","Meet"],["a","Attack"],["d","Die"],["n","Meet"],["o","Meet"]],)"
             R"("order":[["a","d"],["m","n"]]})";
    lines += "\n";
  }
  EventData data;
  data.name = "made";
  formats::EventReading reading = read_lines(lines);
  data[Split::train] = std::move(reading.graphs);
  data.names = std::move(reading.names);
  data.trained = data.names.sizes();
  InduceOptions options;
  options.epochs = 3;
  options.threads = 1;
  const auto induction = induce(data, options);
  ASSERT_TRUE(induction) << to_string(induction.error());
  EXPECT_EQ(induction->graphs, 32U);
  EXPECT_EQ(induction->held_out_graphs, 8U);
  bool found = false;
  for (const InducedEquation& item : induction->equations) {
    const std::string text = to_text(item.equation, {induction->shape, induction->names});
    if (text != "Die(x) ⇒ ∃y (before(y,x) ∧ Attack(y))") continue;
    found = true;
    EXPECT_TRUE(item.learned);
    EXPECT_GT(item.certainty, 0);
    EXPECT_EQ(item.train.share(), 1);
    EXPECT_EQ(item.held_out.share(), 1);
    EXPECT_EQ(item.held_out.events, 8U);
    EXPECT_LT(item.chance, 0.5);
    EXPECT_LT(item.mutilated.share(), 1);
  }
  EXPECT_TRUE(found) << to_text(*induction);
  EXPECT_NE(to_html(*induction).find("Every Die comes after some Attack."), std::string::npos);
  EXPECT_EQ(to_json(*induction)["graphs"], 32);
  EXPECT_EQ(to_json(*induction)["equations"][0]["source"], "learned");
  EXPECT_NE(to_text(*induction).find("learned"), std::string::npos);
  // What holds as often where events are missing is no equation; counted ones come last.
  bool counted = false;
  for (const InducedEquation& item : induction->equations) {
    EXPECT_LT(item.mutilated.share(), item.train.share());
    EXPECT_FALSE(counted && item.learned);
    counted = !item.learned;
  }
}

TEST(Induce, says_what_it_needs) {
  EventData data;
  EXPECT_FALSE(induce(data, {}));
}

}  // namespace
}  // namespace lerpp
