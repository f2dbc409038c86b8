#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/events/train.hpp>

#include "base/random.hpp"
#include "events/event_loss.hpp"
#include "events/event_text.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::TemporaryFolder;

EventShape small_shape(bool share) {
  EventOptions options;
  options.width = 3;
  options.last = true;
  options.readout = share ? "share" : "some";
  return event_shape(options, random_sizes, 3);
}

std::vector<double> random_parameters(const EventShape& shape, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(shape.parameters());
  for (double& value : values) value = 2 * random.real() - 1;
  return values;
}

RC_GTEST_PROP(EventLoss, has_the_gradient_that_small_steps_show, (bool softmax, bool share)) {
  const EventShape shape = small_shape(share);
  std::vector<double> parameters = random_parameters(shape, *rc::gen::arbitrary<std::uint64_t>());
  const EventExample example = event_example(random_event_graph(), {0, 2}, shape);
  const auto loss = [&] {
    return event_loss(EventFunctions(shape, parameters), parameters, example, softmax);
  };
  std::vector<double> gradient(parameters.size());
  FunctionColumns scratch;
  const EventFunctions functions(shape, parameters);
  const double value = event_loss(functions, parameters, example, softmax, scratch, gradient);
  functions.to_raw(gradient);
  RC_ASSERT(std::abs(value - loss()) < 1e-12);
  // Each table is looked at in some places.
  for (std::size_t i = 0; i < parameters.size(); i += 7) {
    constexpr double step = 1e-5;
    const double kept = parameters[i];
    parameters[i] = kept + step;
    const double up = loss();
    parameters[i] = kept - step;
    const double down = loss();
    parameters[i] = kept;
    RC_ASSERT(std::abs((up - down) / (2 * step) - gradient[i]) < 1e-6);
  }
}

/// Parameters so far apart that every softmax is one choice.
class Chosen {
 public:
  explicit Chosen(const EventShape& shape) : shape_(shape), values(shape.parameters()) {}
  void choose(const EventBlock& block, std::size_t function, std::size_t row) {
    values[block.start + row * block.columns + function] = 60;
  }

 private:
  EventShape shape_;

 public:
  std::vector<double> values;
};

TEST(EventFunctions, hold_where_the_formula_holds) {
  const formats::EventReading reading = read_lines(small_story);
  EventOptions options;
  options.width = 2;
  const EventShape shape = event_shape(options, reading.names.sizes(), 1);
  Chosen chosen(shape);
  const LabelId attack = *reading.names.event_types.find("Attack");
  // Function 0: some attack comes before; then not that. Function 1: is an attack; kept.
  for (const std::size_t function : {0U, 1U}) chosen.choose(shape.start(), function, attack);
  chosen.choose(shape.chaining(0), 0, shape.relations() + shape.before());
  chosen.choose(shape.operation(0), 0, 1);
  chosen.choose(shape.operation(1), 0, 2);
  chosen.choose(shape.operation(0), 1, 3);
  chosen.choose(shape.operation(1), 1, 3);
  FunctionColumns columns;
  const NodeGraph nodes = node_graph(reading.graphs[0], shape);
  EventFunctions(shape, chosen.values).forward(nodes, columns);
  const std::vector<double>& values = columns.columns.back().values;
  const double after_attack = std::exp(-1.0);  // not clamp(1)
  const double expected[] = {1, 1, after_attack, 0, after_attack, 0, 1, 0, 1, 0};
  ASSERT_EQ(values.size(), std::size(expected));
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-12) << i;
  EXPECT_NEAR(columns.sums[1], 1, 1e-12);
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
  const std::string bytes = test::slurp(folder / "run/model.safetensors");
  folder.put("short", bytes.substr(0, bytes.size() - 8));
  EXPECT_FALSE(load_event_model(folder / "short"));
  std::string other = bytes;
  other.replace(other.find("lerp-events"), 11, "lerp-eventz");
  folder.put("other", other);
  EXPECT_FALSE(load_event_model(folder / "other"));
  other = bytes;
  other.replace(other.find(R"("version":"1")"), 13, R"("version":"2")");
  folder.put("newer", other);
  EXPECT_EQ(to_string(load_event_model(folder / "newer").error()),
            "version 2 is newer than this program (" + (folder / "newer").string() +
                "): get a newer lerp");
  EXPECT_FALSE(load_event_model(folder / "absent"));
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
