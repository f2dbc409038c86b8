// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/events/explain.hpp>
#include <lerp/events/train.hpp>

#include "base/random.hpp"
#include "events/event_loss.hpp"
#include "events/event_text.hpp"
#include "support/temporary_folder.hpp"
#include "support/unsummed.hpp"

namespace lerpp {
namespace {

using test::TemporaryFolder;

EventShape small_shape(bool share) {
  EventOptions options;
  options.width = 3;
  options.last = true;
  options.readout = share ? "share" : "some";
  options.own = true;
  return event_shape(options, random_sizes, 3);
}

std::vector<float> random_parameters(const EventShape& shape, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(shape.parameters());
  for (float& value : values) value = static_cast<float>(2 * random.real() - 1);
  return values;
}

/// Attacks end with deaths, sales with payments.
LabelledGraphs two_kinds(std::size_t count) {
  LabelledGraphs result;
  for (std::size_t i = 0; i < count; ++i) {
    EventGraph graph;
    graph.events = {static_cast<LabelId>(i % 2), static_cast<LabelId>(i % 2)};
    graph.entities = {0};
    graph.arguments = {{0, 0, 0}};
    graph.order = {{0, 1}};
    result.graphs.push_back(graph);
    result.gold.push_back({static_cast<LabelId>(i % 2 == 0 ? 2 : 1)});
  }
  return result;
}

EventOptions quick() {
  EventOptions options;
  options.width = 4;
  options.epochs = 30;
  options.batch = 8;
  options.rate = 0.1;
  options.threads = 1;
  return options;
}

TEST(TrainEvents, learns_what_follows_from_the_context) {
  for (const char* loss : {"heads", "softmax"}) {
    for (const bool types : {true, false}) {  // with the functions alone, too
      EventOptions options = quick();
      options.loss = loss;
      options.types = types;
      const auto trained =
          train_events(two_kinds(32), two_kinds(8), event_shape(options, random_sizes, 3), options);
      ASSERT_TRUE(trained);
      const auto scorer = make_event_scorer(trained->model);
      for (const LabelledGraphs& two = two_kinds(2); const std::size_t i : {0U, 1U}) {
        std::vector<double> scores(4);
        scorer->score(two.graphs[i], scores);
        EXPECT_GT(scores[two.gold[i][0]], scores[i == 0 ? 1 : 2]) << loss << types;
        EXPECT_EQ(scores[3], -std::numeric_limits<double>::infinity());
      }
    }
  }
}

TEST(EventPreset, paper_is_functions_and_nothing_else) {
  const auto paper = resolve(EventOptionRequest{"paper", {"epochs=3"}, {}, 7, {}});
  ASSERT_TRUE(paper);
  EXPECT_FALSE(paper->types || paper->last || paper->idle || paper->scenario || paper->repeats);
  EXPECT_GT(paper->width, 0U);
  EXPECT_EQ(paper->epochs, 3U);
  EXPECT_EQ(paper->seed, 7U);
  EXPECT_FALSE(resolve(EventOptionRequest{"papers", {}, {}, {}, {}}));
  EXPECT_FALSE(resolve(EventOptionRequest{"paper", {"width"}, {}, {}, {}}));
}

TEST(TrainEvents, gives_the_same_model_whatever_the_threads) {
  EventOptions options = quick();
  options.epochs = 3;
  const EventShape shape = event_shape(options, random_sizes, 3);
  const auto one = train_events(two_kinds(20), {}, shape, options);
  options.threads = 3;
  const auto three = train_events(two_kinds(20), {}, shape, options);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->model.parameters, three->model.parameters);
  options.seed = 2;
  EXPECT_NE(train_events(two_kinds(20), {}, shape, options)->model.parameters,
            one->model.parameters);
}

TEST(TrainEvents, sharpening_makes_choices_clearer) {
  EventOptions options = quick();
  const EventShape shape = event_shape(options, random_sizes, 3);
  const auto clearest = [&] {
    const auto trained = train_events(two_kinds(20), {}, shape, options);
    const EventFunctions functions(shape, trained->model.parameters);
    float sum = 0;
    for (std::size_t i = 0; i < shape.width; ++i) {
      sum += std::ranges::max(functions.shares(functions.raw().start(), i));
    }
    return sum;
  };
  const float plain = clearest();
  options.sharpen = 0.1;
  EXPECT_GT(clearest(), plain);
}

EventData story_data() {
  formats::EventReading reading = read_lines(std::string(small_story) + "\n" + small_story);
  EventData data;
  data.name = "stories";
  for (const Split split : {Split::train, Split::valid, Split::test}) data[split] = reading.graphs;
  data.names = reading.names;
  data.trained = data.names.sizes();
  return data;
}

TEST(EventRun, leaves_a_folder_whose_model_reads_back) {
  const TemporaryFolder folder;
  EventOptions options = quick();
  options.epochs = 2;
  const EventData data = story_data();
  const auto run = run_events(data, folder.path(), options, folder / "run", {}, {});
  ASSERT_TRUE(run) << to_string(run.error());
  for (const char* file :
       {"config.toml", "log.txt", "metrics.json", "model.safetensors", "trace.jsonl"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "run" / file)) << file;
  }
  const auto model = load_event_model(folder / "run/model.safetensors");
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_EQ(model->parameters, run->trained.model.parameters);
  EXPECT_EQ(model->shape, run->trained.model.shape);
  EXPECT_EQ(evaluate_events(*model, data, Split::test, 1)->raw.mrr, run->test->raw.mrr);
  EXPECT_FALSE(strongest_evidence(*model, 3).empty());
  EXPECT_FALSE(run_events(data, folder.path(), options, folder / "run", {}, {}));
}

TEST(EventRun, a_damaged_model_is_refused) {
  const TemporaryFolder folder;
  EventOptions options = quick();
  options.epochs = 1;
  ASSERT_TRUE(run_events(story_data(), folder.path(), options, folder / "run", {}, {}));
  const std::string bytes = test::unsummed(test::slurp(folder / "run/model.safetensors"));
  folder.put("short", bytes.substr(0, bytes.size() - 8));
  EXPECT_FALSE(load_event_model(folder / "short"));
  std::string other = bytes;
  other.replace(other.find("lerp-events"), 11, "lerp-eventz");
  folder.put("other", other);
  EXPECT_FALSE(load_event_model(folder / "other"));
  other = bytes;
  other.replace(other.find(R"("version":"2")"), 13, R"("version":"1")");
  folder.put("older", other);
  EXPECT_EQ(to_string(load_event_model(folder / "older").error()),
            "version 1 of models of event graphs, which lerp 0.1.0 wrote, is no longer read (" +
                (folder / "older").string() + "): train the model again");
  other.replace(other.find(R"("version":"1")"), 13, R"("version":"3")");
  folder.put("newer", other);
  EXPECT_EQ(to_string(load_event_model(folder / "newer").error()),
            "version 3 of the format, which lerp 0.1.0 wrote, is newer than this program (" +
                (folder / "newer").string() + "): get a lerp newer than 0.1.0");
  EXPECT_FALSE(load_event_model(folder / "absent"));
}

TEST(ExplainEndings, parts_add_up_to_the_score_and_name_no_number) {
  EventOptions options = quick();
  options.last = options.own = true;
  const EventData data = story_data();
  const auto run = learn_endings(data, options);
  ASSERT_TRUE(run) << to_string(run.error());
  const EventModel& model = run->trained.model;
  const auto explanations = explain_endings(model, data, Split::test);
  ASSERT_TRUE(explanations) << to_string(explanations.error());
  ASSERT_EQ(explanations->endings.size(), 2U);
  for (const ExplainedEnding& ending : explanations->endings) {
    double score = 0;
    double shares = 0;
    for (const EndingReason& reason : ending.reasons) {
      score += reason.part;
      shares += reason.share;
    }
    EXPECT_NEAR(score, ending.score, 1e-6);
    EXPECT_NEAR(shares, 1, 1e-9);
  }
  const std::string text = to_text(*explanations, 100);
  EXPECT_NE(text.find("Attack happens once"), std::string::npos) << text;
  EXPECT_NE(text.find("holds of"), std::string::npos) << text;
  EXPECT_EQ(text.find("function 1"), std::string::npos) << text;
  EXPECT_EQ(to_json(*explanations, 2)["endings"][0]["reasons"].size(), 2U);
}

TEST(EventModel, what_it_has_never_seen_does_no_harm) {
  const EventShape shape = small_shape(false);
  EventModel model;
  model.shape = shape;
  model.parameters = random_parameters(shape, 1);
  EventGraph graph;
  graph.events = {7, 0};
  graph.entities = {9};
  graph.arguments = {{0, 8, 0}};
  graph.relations = {{0, 8, 0}};
  graph.order = {{0, 0}, {0, 1}};
  graph.scenario = 12;
  std::vector<double> scores(9);
  make_event_scorer(model)->score(graph, scores);
  EXPECT_TRUE(std::isfinite(scores[0]));
  make_event_scorer(model)->score({}, scores);
  EXPECT_TRUE(std::isfinite(scores[0]));
}

}  // namespace
}  // namespace lerpp
