// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/embed/embed.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

using test::sentence;
using test::slurp;
using test::TemporaryFolder;

EmbedOptions quick_embedding(const std::string& variant) {
  EmbedOptions options;
  options.variant = variant;
  options.dim = 6;
  options.width = 3;
  options.epochs = 4;
  options.batch = 64;
  options.negatives = 20;
  options.ranked = 50;
  options.threads = 1;
  return options;
}

std::vector<float> values_of(const TransEParameters<float>& parameters) {
  std::vector<float> values;
  for (const auto block : parameters.blocks())
    values.insert(values.end(), block.begin(), block.end());
  return values;
}

/// What the epochs say, without the times.
std::vector<Json> timeless(const std::vector<EmbedEpoch>& epochs) {
  std::vector<Json> lines;
  for (const EmbedEpoch& epoch : epochs) {
    lines.push_back(to_json(epoch));
    for (const char* key : {"learn_seconds", "rank_seconds"}) lines.back().erase(key);
  }
  return lines;
}

/// Asks for a stop after so many reports.
struct StopAfter {
  explicit StopAfter(int reports) {
    observer.stop = source.get_token();
    observer.progress = [this, left = reports](const Progress&) mutable {
      if (left-- == 0) source.request_stop();
    };
  }

  std::stop_source source;
  Observer observer;
};

TEST(EmbedInterruption, GoesOnFromEveryCheckpoint) {
  const Dataset dataset = test::family(60);
  for (const char* variant : {"transe", "entropy"}) {
    const EmbedOptions options = quick_embedding(variant);
    std::vector<EmbedState> states;
    EmbedHooks hooks;
    hooks.checkpoint = [&](const EmbedState& state) -> Result<void> {
      states.push_back(state);
      return {};
    };
    const Result<Embedded> whole = embed(dataset, options, {}, hooks);
    ASSERT_TRUE(whole) << to_string(whole.error());
    ASSERT_EQ(states.size(), 4U) << "one after each epoch";
    // Within epochs, too.
    for (const int reports : {0, 3, 11}) {
      StopAfter stop(reports);
      EXPECT_EQ(embed(dataset, options, stop.observer, hooks).error().kind, ErrorKind::interrupted);
    }
    ASSERT_GE(states.size(), 7U);
    EXPECT_GT(states[4].batch, 0U);
    const TemporaryFolder folder;
    for (const EmbedState& state : states) {
      ASSERT_TRUE(save_embed_state(state, folder / "state"));
      Result<EmbedState> loaded = load_embed_state(folder / "state", shape_of(options, dataset));
      ASSERT_TRUE(loaded) << to_string(loaded.error());
      loaded->trace = state.trace;
      const Result<Embedded> resumed = embed(dataset, options, {}, {}, std::move(*loaded));
      ASSERT_TRUE(resumed) << to_string(resumed.error());
      EXPECT_EQ(values_of(resumed->model.parameters), values_of(whole->model.parameters));
      EXPECT_EQ(timeless(resumed->epochs), timeless(whole->epochs));
      EXPECT_EQ(resumed->best_epoch, whole->best_epoch);
      EXPECT_EQ(resumed->valid->both.realistic.mrr, whole->valid->both.realistic.mrr);
      EXPECT_EQ(resumed->test->both.realistic.mrr, whole->test->both.realistic.mrr);
    }
  }
}

TEST(EmbedInterruption, CheckpointsOfOtherShapesAreRefused) {
  const Dataset dataset = test::family(60);
  const TemporaryFolder folder;
  const EmbedOptions options = quick_embedding("lerp");
  const TransEShape shape = shape_of(options, dataset);
  ASSERT_TRUE(
      save_embed_state(EmbedState(initial_transe<float>(shape, options.seed)), folder / "state"));
  TransEShape other = shape;
  ++other.dimension;
  EXPECT_NE(sentence(load_embed_state(folder / "state", other)).find("parameters.entity"),
            std::string::npos);
}

class EmbedRuns : public testing::Test {
 protected:
  EmbedRuns() {
    EXPECT_TRUE(write_dataset(test::family(60), folder_ / "data"));
    // As it will be read again: ids follow the order of the files.
    dataset_ = load(folder_ / "data").value();
  }

  Result<Embedded> start(const std::string& name, const Observer& observer = {}) {
    return embed_run(dataset_, folder_ / "data", quick_embedding("entropy"), folder_ / name,
                     observer);
  }

  TemporaryFolder folder_;
  Dataset dataset_;
};

TEST_F(EmbedRuns, StopAndGoOn) {
  ASSERT_TRUE(start("plain"));
  const std::string run = (folder_ / "run").string();
  StopAfter first(13);
  EXPECT_NE(sentence(start("run", first.observer))
                .find("(" + run + "): lerp resume " + run + " goes on from here"),
            std::string::npos);
  EXPECT_EQ(sentence(open_embedding(run)),
            "the run has no model yet (" + run + "): finish it with lerp resume " + run);
  StopAfter second(5);
  EXPECT_FALSE(resume_embed_run(run, second.observer));
  const Result<Embedded> resumed = resume_embed_run(run);
  ASSERT_TRUE(resumed) << to_string(resumed.error());
  EXPECT_EQ(resumed->epochs.size(), 4U);
  const std::string model = slurp(folder_ / "plain/model.safetensors");
  EXPECT_EQ(slurp(folder_ / "run/model.safetensors"), model);
  EXPECT_TRUE(open_embedding(run));
  // A finished run is ranked again, and stays as it is.
  const Result<Embedded> again = resume_embed_run(run);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->test->both.realistic.mrr, resumed->test->both.realistic.mrr);
  EXPECT_EQ(slurp(folder_ / "run/model.safetensors"), model);
}

TEST_F(EmbedRuns, HoldTheirFolder) {
  const std::string run = (folder_ / "run").string();
  int asked = 0;
  const auto ask = [&](const std::string&) {
    ++asked;
    EXPECT_NE(sentence(resume_embed_run(run)).find("another process is at work here"),
              std::string::npos);
  };
  ASSERT_TRUE(embed_run(dataset_, folder_ / "data", quick_embedding("lerp"), run, {}, ask));
  EXPECT_EQ(asked, 5) << "four epochs and the summary";
}

TEST_F(EmbedRuns, GoOnWithTheSameDataAndTraceOnly) {
  const std::string run = (folder_ / "run").string();
  ASSERT_TRUE(start("run"));
  folder_.put("run/trace.jsonl", "");
  EXPECT_NE(sentence(resume_embed_run(run)).find("the trace lacks epochs"), std::string::npos);
  std::filesystem::remove_all(folder_ / "run/checkpoint");
  ASSERT_TRUE(resume_embed_run(run)) << "it begins anew";
  std::filesystem::remove_all(folder_ / "data");
  ASSERT_TRUE(write_dataset(test::family(61), folder_ / "data"));
  EXPECT_NE(sentence(resume_embed_run(run)).find("the data has changed since this run began"),
            std::string::npos);
}

}  // namespace
}  // namespace lerpp
