// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/events/load.hpp>

#include "events/event_text.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::TemporaryFolder;

TEST(ReadEvents, takes_every_part_of_a_graph) {
  const formats::EventReading reading = read_lines(small_story);
  ASSERT_EQ(reading.graphs.size(), 1U);
  const EventGraph& graph = reading.graphs[0];
  EXPECT_EQ(graph.id, "s");
  EXPECT_EQ(reading.names.scenarios.name(graph.scenario), "war");
  EXPECT_EQ(graph.events, (std::vector<LabelId>{0, 1, 2}));
  EXPECT_EQ(graph.entities, (std::vector<LabelId>{0, 0}));
  EXPECT_EQ(graph.arguments, (std::vector<EventLink>{{0, 0, 0}, {1, 1, 0}, {2, 2, 1}}));
  EXPECT_EQ(graph.relations, (std::vector<EventLink>{{0, 0, 1}}));
  EXPECT_EQ(graph.order, (std::vector<EventOrder>{{0, 1}, {0, 2}}));
  EXPECT_EQ(reading.names.roles.name(1), "Victim");
}

TEST(ReadEvents, empty_graphs_and_graphs_of_events_alone_are_graphs) {
  const formats::EventReading reading =
      read_lines("{\"events\":[]}\n\n{\"events\":[[\"a\",\"T\"]],\"entities\":null}\r\n");
  ASSERT_EQ(reading.graphs.size(), 2U);
  EXPECT_TRUE(reading.graphs[0].events.empty());
  EXPECT_EQ(reading.graphs[1].events.size(), 1U);
  EXPECT_TRUE(read_lines("").graphs.empty());
}

TEST(ReadEvents, a_bad_line_is_named_with_what_to_do) {
  const std::string good = "{\"events\":[]}\n";
  EXPECT_NE(error_of(good + "{\"events\":[}").find("not JSON"), std::string::npos);
  EXPECT_NE(error_of(good + "{\"events\":[}").find("file, line 2"), std::string::npos);
  EXPECT_NE(error_of(good + "[1]").find("not a JSON object"), std::string::npos);
  EXPECT_NE(error_of("{\"nodes\":[]}").find("neither an event graph nor"), std::string::npos);
  EXPECT_NE(error_of("{\"events\":[[\"a\"]]}").find("no list of 2 texts"), std::string::npos);
  EXPECT_NE(error_of("{\"events\":[[\"a\",\"T\"],[\"a\",\"T\"]]}").find("'a' stands twice"),
            std::string::npos);
  EXPECT_NE(error_of("{\"events\":[],\"order\":[[\"a\",\"b\"]]}").find("names 'a', which"),
            std::string::npos);
  EXPECT_NE(error_of("{\"events\":3}").find("'events' is no list"), std::string::npos);
}

TEST(ReadEvents, an_order_that_goes_in_a_circle_is_counted) {
  const formats::EventReading reading = read_lines(
      R"({"id":"c","events":[["a","T"],["b","T"],["c","U"]],"order":[["a","b"],["b","a"]]})");
  EXPECT_EQ(reading.cyclic, 1U);
  EXPECT_EQ(reading.first_cyclic, "c");
  const EventSequence sequence = in_order(reading.graphs[0]);
  EXPECT_EQ(sequence.cyclic, 2U);
  EXPECT_EQ(sequence.events, (std::vector<std::uint32_t>{2, 0, 1}));
}

constexpr const char* instance = R"({
 "sdfVersion": "0.92",
 "schemas": [{
  "@id": "resin:x/1",
  "steps": [
   {"@id": "e1", "@type": "kairos:Primitives/Events/Conflict.Attack.Unspecified",
    "participants": [{"@id": "p1", "role": "kairos:Primitives/Events/Conflict.Attack/Slots/Target",
                      "values": [{"entity": "n1"}, {"entity": "n2"}]}]},
   {"@id": "e2", "@type": "kairos:Primitives/Events/Life.Die.Unspecified",
    "participants": [{"@id": "slot", "role": "a/Slots/Victim", "entityTypes": ["k/Entities/PER"]}]}],
  "order": [{"before": ["e1"], "after": "e2"}, {"before": "e9", "after": "e2"}],
  "entities": [{"@id": "n1", "entityTypes": "k/Entities/ORG"}, {"@id": "n2"}],
  "entityRelations": [{"relationSubject": "n1", "relations":
    [{"relationPredicate": "k/Relations/PartWhole", "relationObject": ["n2", "slot"]}]}]
 }]})";

TEST(ReadEvents, sdf_documents_give_the_last_part_of_each_path) {
  const formats::EventReading reading = read_lines(instance);
  ASSERT_EQ(reading.graphs.size(), 1U);
  const EventGraph& graph = reading.graphs[0];
  const EventNames& names = reading.names;
  EXPECT_EQ(graph.id, "resin:x/1");
  EXPECT_EQ(names.event_types.name(graph.events[1]), "Life.Die.Unspecified");
  EXPECT_EQ(names.entity_types.name(graph.entities[0]), "ORG");
  EXPECT_EQ(names.entity_types.name(graph.entities[1]), "unknown");
  EXPECT_EQ(names.entity_types.name(graph.entities[2]), "PER");
  EXPECT_EQ(graph.arguments, (std::vector<EventLink>{{0, 0, 0}, {0, 0, 1}, {1, 1, 2}}));
  EXPECT_EQ(names.roles.name(0), "Target");
  EXPECT_EQ(graph.relations, (std::vector<EventLink>{{0, 0, 1}, {0, 0, 2}}));
  EXPECT_EQ(graph.order, (std::vector<EventOrder>{{0, 1}}));
  EXPECT_EQ(reading.loose, 1U);
}

TEST(ReadEvents, sdf_documents_that_make_no_sense_are_refused) {
  EXPECT_NE(error_of(R"({"schemas":1})").find("'schemas' is no list"), std::string::npos);
  EXPECT_NE(error_of(R"({"schemas":[2]})").find("is no object"), std::string::npos);
  EXPECT_NE(error_of(R"({"schemas":[{"steps":[{"@id":"a"}]}]})").find("no @type"),
            std::string::npos);
  EXPECT_EQ(error_of(R"({"schemas":[{}]})"), "");
}

TEST(LoadEvents, reads_splits_and_keeps_the_numbers_of_known_names) {
  const TemporaryFolder folder;
  folder.put("data/train.jsonl", std::string(small_story) + "\n");
  folder.put("data/dev.jsonl", "{\"events\":[[\"a\",\"New\"]]}\n");
  const auto data = load_events(folder / "data");
  ASSERT_TRUE(data);
  EXPECT_EQ(data->name, "data");
  EXPECT_EQ((*data)[Split::train].size(), 1U);
  EXPECT_EQ((*data)[Split::valid].size(), 1U);
  EXPECT_TRUE((*data)[Split::test].empty());
  EXPECT_EQ(data->trained.event_types, 3U);
  EXPECT_EQ(data->names.event_types.size(), 4U);
  const auto again = load_events(folder / "data/dev.jsonl", data->names);
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)[Split::train][0].events[0], 3U);
  EXPECT_FALSE(load_events(folder / "nowhere"));
  folder.put("empty.jsonl", "");
  EXPECT_FALSE(load_events(folder / "empty.jsonl"));
  EXPECT_FALSE(load_events(folder.path()));
}

TEST(LoadEvents, reads_the_shared_schemas) {
  const std::filesystem::path file =
      std::filesystem::path(LERP_SHARED) / "datasets/event-schemalib/resin-schemalib.json.gz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "the shared data is absent";
  const auto data = load_events(file);
  ASSERT_TRUE(data) << to_string(data.error());
  ASSERT_EQ((*data)[Split::train].size(), 10U);
  EXPECT_EQ((*data)[Split::train][0].events.size(), 11U);
  EXPECT_EQ((*data)[Split::train][0].order.size(), 10U);
}

RC_GTEST_PROP(EventOrder, is_a_permutation_that_respects_the_order, ()) {
  const EventGraph graph = random_event_graph();
  const EventSequence sequence = in_order(graph);
  std::vector<std::uint32_t> place(graph.events.size(), ~0U);
  for (std::uint32_t i = 0; i < sequence.events.size(); ++i) place[sequence.events[i]] = i;
  RC_ASSERT(sequence.events.size() == graph.events.size());
  for (const std::uint32_t where : place) RC_ASSERT(where != ~0U);
  const std::size_t sorted = graph.events.size() - sequence.cyclic;
  for (const EventOrder& order : graph.order) {
    if (place[order.after] < sorted) RC_ASSERT(place[order.before] < place[order.after]);
  }
}

RC_GTEST_PROP(KeepEvents, keeps_exactly_what_does_not_touch_a_removed_event, ()) {
  const EventGraph graph = random_event_graph();
  std::vector<bool> kept(graph.events.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    kept[i] = *rc::gen::arbitrary<bool>();
    if (kept[i]) ++count;
  }
  const EventGraph rest = keep_events(graph, kept);
  RC_ASSERT(rest.events.size() == count);
  RC_ASSERT(rest.entities == graph.entities);
  std::size_t order = 0;
  for (const EventOrder& pair : graph.order) {
    if (kept[pair.before] && kept[pair.after]) ++order;
  }
  RC_ASSERT(rest.order.size() == order);
  for (const EventLink& link : rest.arguments) RC_ASSERT(link.from < count);
}

}  // namespace
}  // namespace lerpp
