// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/events/load.hpp>
#include <lerp/events/train.hpp>

#include "events/event_text.hpp"
#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::sentence;
using test::slurp;
using test::TemporaryFolder;

EventOptions few_epochs() {
  EventOptions options;
  options.width = 3;
  options.epochs = 5;
  options.batch = 2;
  options.patience = 3;
  options.threads = 1;
  return options;
}

/// Asks for a stop after so many reports.
struct StopEventsAfter {
  explicit StopEventsAfter(int reports) {
    observer.stop = source.get_token();
    observer.progress = [this, left = reports](const Progress& progress) mutable {
      if (progress.stage.starts_with("epoch") && left-- == 0) source.request_stop();
    };
  }

  std::stop_source source;
  Observer observer;
};

class EventRuns : public testing::Test {
 protected:
  EventRuns() {
    std::string stories;
    for (int i = 0; i < 5; ++i) {
      stories += std::string(small_story) + "\n";
      stories += R"({"events":[["m","Meet"],["p","Pay"]],"order":[["m","p"]]})"
                 "\n";
    }
    for (const char* split : {"train", "dev", "test"})
      folder_.put(std::string("data/") + split + ".jsonl", stories);
    data_ = load_events(folder_ / "data").value();
  }

  Result<EventRunResult> start(const std::string& name, const Observer& observer = {}) {
    return run_events(data_, folder_ / "data", few_epochs(), folder_ / name, observer);
  }

  TemporaryFolder folder_;
  EventData data_;
};

TEST_F(EventRuns, StopAndGoOn) {
  const Result<EventRunResult> plain = start("plain");
  ASSERT_TRUE(plain) << to_string(plain.error());
  const std::string model = slurp(folder_ / "plain/model.safetensors");
  for (const int reports : {0, 4, 5, 12}) {
    const std::string run = (folder_ / ("run" + std::to_string(reports))).string();
    StopEventsAfter first(reports);
    EXPECT_EQ(sentence(run_events(data_, folder_ / "data", few_epochs(), run, first.observer)),
              "stopped in epoch " + std::to_string(reports / 5 + 1) + " (" + run +
                  "): lerp resume " + run + " goes on from here");
    EXPECT_EQ(sentence(open_events(run)),
              "the run has no model yet (" + run + "): finish it with lerp resume " + run);
    StopEventsAfter second(6);
    EXPECT_FALSE(resume_events(run, second.observer));
    const Result<EventRunResult> resumed = resume_events(run);
    ASSERT_TRUE(resumed) << to_string(resumed.error());
    EXPECT_EQ(slurp(std::filesystem::path(run) / "model.safetensors"), model);
    EXPECT_EQ(resumed->trained.epochs, plain->trained.epochs);
    EXPECT_EQ(resumed->trained.best_epoch, plain->trained.best_epoch);
    EXPECT_EQ(resumed->test->raw.mrr, plain->test->raw.mrr);
    // A finished run is ranked again, and stays as it is.
    ASSERT_TRUE(resume_events(run));
    EXPECT_EQ(slurp(std::filesystem::path(run) / "model.safetensors"), model);
  }
}

TEST_F(EventRuns, HoldTheirFolder) {
  const std::string run = (folder_ / "run").string();
  int asked = 0;
  const auto ask = [&](const std::string&) {
    ++asked;
    EXPECT_NE(sentence(resume_events(run)).find("another process is at work here"),
              std::string::npos);
  };
  ASSERT_TRUE(run_events(data_, folder_ / "data", few_epochs(), run, {}, ask));
  EXPECT_GT(asked, 2);
  EXPECT_NE(sentence(start("run")).find("there is a run of this name"), std::string::npos);
}

TEST_F(EventRuns, GoOnWithTheSameDataOnly) {
  const std::string run = (folder_ / "run").string();
  ASSERT_TRUE(start("run"));
  ASSERT_TRUE(resume_events(run));
  folder_.put("data/dev.jsonl", std::string(small_story) + "\n");
  EXPECT_NE(sentence(resume_events(run)).find("the data has changed since this run began"),
            std::string::npos);
}

TEST_F(EventRuns, AreTakenUpFromEveryCheckpoint) {
  const EventOptions options = few_epochs();
  const EventShape shape = event_shape(options, data_.trained, data_.trained.event_types);
  LabelledGraphs graphs{data_[Split::train], {}};
  for (std::size_t i = 0; i < graphs.graphs.size(); ++i)
    graphs.gold.push_back({static_cast<LabelId>(i % 2)});
  std::vector<EventState> states;
  EventHooks hooks;
  hooks.checkpoint = [&](const EventState& state) -> Result<void> {
    states.push_back(state);
    return {};
  };
  const Result<TrainedEvents> whole = train_events(graphs, graphs, shape, options, {}, hooks);
  ASSERT_TRUE(whole) << to_string(whole.error());
  ASSERT_EQ(states.size(), whole->epochs);
  for (const EventState& state : states) {
    ASSERT_TRUE(save_event_state(state, folder_ / "state"));
    Result<EventState> loaded = load_event_state(folder_ / "state", shape);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    const Result<TrainedEvents> resumed =
        train_events(graphs, graphs, shape, options, {}, {}, std::move(*loaded));
    ASSERT_TRUE(resumed);
    EXPECT_EQ(resumed->model.parameters, whole->model.parameters);
    EXPECT_EQ(resumed->best_epoch, whole->best_epoch);
  }
  EventOptions wider = options;
  ++wider.width;
  EXPECT_NE(sentence(load_event_state(folder_ / "state", event_shape(wider, data_.trained, 2)))
                .find("the tensor \"parameters\" has the shape"),
            std::string::npos);
}

}  // namespace
}  // namespace lerpp
