// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/train/run.hpp>

#include "base/random.hpp"
#include "support/describe.hpp"
#include "support/temporary_folder.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

using test::must_train;
using test::sentence;
using test::small_options;
using test::TemporaryFolder;
using test::values_of;

const Dataset& dataset() {
  static const Dataset made = test::family(60);
  return made;
}

TrainOptions options_with(std::string schedule) {
  TrainOptions options = small_options(3);
  options.train.batch = 4;
  options.train.lanes = 3;
  options.train.schedule = std::move(schedule);
  options.train.patience = 2;
  return options;
}

/// What a run says of its epochs, without the times.
struct Story {
  std::vector<Json> epochs;
  std::optional<TrainState> last;

  TrainHooks hooks() {
    TrainHooks hooks;
    hooks.epoch = [this](const EpochReport& report) -> Result<void> {
      Json json = to_json(report);
      for (const char* key : {"seconds", "queries_per_second", "peak_memory_bytes"})
        json.erase(key);
      epochs.push_back(std::move(json));
      return {};
    };
    hooks.checkpoint = [this](const TrainState& state) -> Result<void> {
      last = state;
      return {};
    };
    return hooks;
  }
};

/// Trains until the given number of reports have come, then asks for a stop.
Result<Trained> train_until(const TrainOptions& options, int reports, Story& story,
                            std::optional<TrainState> state = {}) {
  std::stop_source stop;
  Observer observer;
  observer.stop = stop.get_token();
  observer.progress = [&](const Progress&) {
    if (reports-- == 0) stop.request_stop();
  };
  return test::train_with(dataset(), options, observer, story.hooks(), std::move(state));
}

/// Stops a run at random again and again: the model and the epochs' reports come out as without.
void stop_often(const TrainOptions& options, bool through_file, Random& random) {
  Story plain;
  const Result<Trained> expected = test::train_with(dataset(), options, {}, plain.hooks());
  ASSERT_TRUE(expected);
  const TemporaryFolder folder;
  Story story;
  std::optional<TrainState> state;
  for (;;) {
    story.last.reset();
    // Reports also come while validating, so a stop may fall there.
    const Result<Trained> trained =
        train_until(options, static_cast<int>(random.below(60)), story, state);
    if (trained) {
      EXPECT_EQ(values_of(*trained), values_of(*expected));
      EXPECT_EQ(trained->best_epoch, expected->best_epoch);
      EXPECT_EQ(trained->epochs, expected->epochs);
      EXPECT_EQ(story.epochs, plain.epochs);
      return;
    }
    ASSERT_EQ(trained.error().kind, ErrorKind::interrupted);
    ASSERT_TRUE(story.last);
    state = story.last;
    if (!through_file) continue;
    ASSERT_TRUE(save_checkpoint(*state, folder / "state"));
    Result<TrainState> loaded = load_checkpoint(
        folder / "state", shape_of(options, dataset().relations.size(), dataset().entities.size()));
    ASSERT_TRUE(loaded);
    state = std::move(*loaded);
  }
}

TEST(Interruption, GoesOnByteForByte) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    TrainOptions options = options_with(std::array{"constant", "linear", "cosine"}[seed % 3]);
    options.train.threads = exactly(seed % 4 == 0 ? 2 : 1);
    options.train.lanes = std::array{1, 3, 7}[seed / 3 % 3];
    stop_often(options, seed % 2 == 0, random);
  }
}

TEST(Interruption, GoesOnByteForByteWithWhatTargetsShare) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    TrainOptions options = options_with("linear");
    options.rules.readout = "evidence";
    options.evidence.constants = true;
    options.train.share = true;
    options.train.softmax = seed < 2 ? "two" : "each";
    options.train.balance = seed % 2 == 0;
    options.train.threads = exactly(seed % 2 == 0 ? 2 : 1);
    stop_often(options, true, random);
  }
}

TEST(Interruption, GoesOnByteForByteInTheEmbedding) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    TrainOptions options = test::embedding_options();
    options.train.batch = 200;
    options.train.epochs = 1;
    options.embedding.batch = 100;
    options.train.threads = exactly(seed % 3 == 0 ? 2 : 1);
    stop_often(options, seed % 2 == 0, random);
  }
}

TEST(Interruption, WhileValidatingLosesNothing) {
  const TrainOptions options = options_with("linear");
  Story plain;
  ASSERT_TRUE(test::train_with(dataset(), options, {}, plain.hooks()));
  std::stop_source stop;
  Observer observer;
  observer.stop = stop.get_token();
  observer.progress = [&](const Progress& report) {
    if (!report.stage.starts_with("epoch")) stop.request_stop();
  };
  Story story;
  const Result<Trained> stopped = test::train_with(dataset(), options, observer, story.hooks());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
  ASSERT_TRUE(story.last);
  EXPECT_GT(story.last->batch, 0U);
  ASSERT_TRUE(test::train_with(dataset(), options, {}, story.hooks(), story.last));
  EXPECT_EQ(story.epochs, plain.epochs);
}

void go_on_from_every(TrainOptions options) {
  options.train.checkpoint_seconds = 0;
  std::vector<TrainState> states;
  TrainHooks hooks;
  hooks.checkpoint = [&](const TrainState& state) -> Result<void> {
    states.push_back(state);
    return {};
  };
  const std::vector<float> expected = values_of(must_train(dataset(), options, hooks));
  ASSERT_GT(states.size(), 20U) << "a checkpoint after every batch was asked for";
  EXPECT_EQ(states.back().embedding.has_value(), options.embedding.rank > 0);
  for (std::size_t i = 0; i < states.size(); i += 5) {
    const Result<Trained> trained = test::train_with(dataset(), options, {}, {}, states[i]);
    ASSERT_TRUE(trained);
    EXPECT_EQ(values_of(*trained), expected) << "checkpoint " << i;
  }
}

TEST(Interruption, GoesOnFromEveryCheckpoint) {
  // A killed process goes on from whatever checkpoint it wrote last.
  TrainOptions options = options_with("cosine");
  options.train.epochs = 2;
  go_on_from_every(options);
}

TEST(Interruption, GoesOnFromEveryCheckpointOfTheEmbedding) {
  TrainOptions options = test::embedding_options();
  options.train.batch = 200;
  options.train.epochs = 1;
  options.embedding.batch = 60;
  options.embedding.epochs = 2;
  go_on_from_every(options);
}

TEST(Interruption, CheckpointsAreSeldomOtherwise) {
  TrainOptions options = options_with("constant");
  int checkpoints = 0;
  TrainHooks hooks;
  hooks.checkpoint = [&](const TrainState&) -> Result<void> {
    ++checkpoints;
    return {};
  };
  const Trained trained = must_train(dataset(), options, hooks);
  EXPECT_EQ(checkpoints, static_cast<int>(trained.epochs));
}

TEST(Interruption, OtherOptionsThanTheCheckpointsAreAnError) {
  TrainOptions options = options_with("constant");
  Story story;
  ASSERT_FALSE(train_until(options, 12, story));
  options.train.batch = 60'000;
  options.train.steps = 0;
  ASSERT_GT(story.last->batch, 2 * dataset().relations.size() / 3);
  story.last->batch += 100;
  const std::string said = sentence(test::train_with(dataset(), options, {}, {}, story.last));
  EXPECT_NE(said.find("the checkpoint is at step"), std::string::npos) << said;
}

TEST(Runs, HoldTheirFolderAgainstOthers) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_dataset(dataset(), folder / "data"));
  const Result<Dataset> read = load(folder / "data");
  ASSERT_TRUE(read);
  const std::filesystem::path run = folder / "run";
  const TrainOptions options = small_options(2);
  const std::string refused =
      "another process is at work here (" + run.string() + "): wait until it ends, or stop it";
  int asked = 0;
  const auto ask = [&](const std::string&) {
    ++asked;
    EXPECT_EQ(sentence(resume_run(run)), refused);
    EXPECT_EQ(sentence(start_run(*read, folder / "data", resolve(*read, options).value(), run)),
              refused);
  };
  ASSERT_TRUE(start_run(*read, folder / "data", resolve(*read, options).value(), run, {}, ask));
  EXPECT_EQ(asked, 3) << "two epochs and the ranks";
  ASSERT_TRUE(resume_run(run, {}, ask));
  EXPECT_EQ(asked, 4);
  ASSERT_TRUE(resume_run(run));
}

TEST(Runs, StopAndGoOn) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_dataset(dataset(), folder / "data"));
  // As it will be read again: ids follow the order of the files.
  const Result<Dataset> read = load(folder / "data");
  ASSERT_TRUE(read);
  const TrainOptions options = options_with("linear");
  const Result<RunResult> plain =
      start_run(*read, folder / "data", resolve(*read, options).value(), folder / "plain");
  ASSERT_TRUE(plain) << to_string(plain.error());

  const auto stopping = [](int reports, std::stop_source& stop) {
    Observer observer;
    observer.stop = stop.get_token();
    observer.progress = [&stop, left = reports](const Progress&) mutable {
      if (left-- == 0) stop.request_stop();
    };
    return observer;
  };
  std::stop_source first;
  const std::string run = (folder / "run").string();
  EXPECT_EQ(sentence(start_run(*read, folder / "data", resolve(*read, options).value(), run,
                               stopping(10, first))),
            "stopped in epoch 1 (" + run + "): lerp resume " + run + " goes on from here");
  EXPECT_NE(sentence(open_run(run)).find("the run has no model yet"), std::string::npos);
  // What a killed process leaves behind goes away.
  folder.put("run/checkpoint/state.safetensors.1.part", "half");
  const Result<RunResult> resumed = resume_run(run);
  ASSERT_TRUE(resumed) << to_string(resumed.error());
  EXPECT_FALSE(std::filesystem::exists(folder / "run/checkpoint/state.safetensors.1.part"));
  EXPECT_EQ(test::slurp(folder / "run/model.safetensors"),
            test::slurp(folder / "plain/model.safetensors"));
  EXPECT_EQ(resumed->test->both.realistic.mrr, plain->test->both.realistic.mrr);
  // A finished run is ranked again, and stays as it is.
  ASSERT_TRUE(resume_run(run));
  EXPECT_EQ(test::slurp(folder / "run/model.safetensors"),
            test::slurp(folder / "plain/model.safetensors"));
  EXPECT_NE(sentence(start_run(*read, folder / "data", resolve(*read, options).value(), run))
                .find("there is a run of"),
            std::string::npos);
}

}  // namespace
}  // namespace lerpp
