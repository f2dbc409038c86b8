// SPDX-License-Identifier: Apache-2.0
#include "base/run_folder.hpp"

#include <gtest/gtest.h>

#include <lerp/base/version.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::sentence;
using test::slurp;
using test::TemporaryFolder;

struct SomeOptions {
  double rate = 0.5;
  std::string shape = "round";
  bool loud = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"rate", "how fast", 0, 1}, self.rate);
    visit(Field{"shape", "how it looks", {"round", "square"}}, self.shape);
    visit(Field{"loud", "whether it shouts"}, self.loud);
  }
};

std::string config(RunKind kind) {
  return config_to_toml(kind, {"/data/\"odd\"", "0123"}, SomeOptions{0.25, "square", true});
}

TEST(RunConfig, ComesBackFromItsFolder) {
  for (const RunKind kind : {RunKind::embedding, RunKind::events}) {
    const TemporaryFolder folder;
    folder.put("config.toml", config(kind));
    SomeOptions options;
    const Result<RunSource> source = read_config(folder / "config.toml", kind, options);
    ASSERT_TRUE(source) << to_string(source.error());
    EXPECT_EQ(source->data, "/data/\"odd\"");
    EXPECT_EQ(source->fingerprint, "0123");
    EXPECT_EQ(options.rate, 0.25);
    EXPECT_EQ(options.shape, "square");
    EXPECT_TRUE(options.loud);
    EXPECT_EQ(run_kind(folder.path()).value(), kind);
  }
}

TEST(RunConfig, SaysWhichProgramWroteIt) {
  const std::string first = "# lerp " + std::string(program_version) + "\n";
  EXPECT_EQ(config(RunKind::events).substr(0, first.size()), first);
}

TEST(RunConfig, TellsTheLineOfAMistake) {
  const TemporaryFolder folder;
  SomeOptions options;
  EXPECT_EQ(sentence(read_config(folder.put("c.toml", "[embed]\nrate = 2\n"), RunKind::embedding,
                                 options),
                     folder.path().string()),
            "rate is 2 (c.toml, line 2): give a value from 0 to 1");
  EXPECT_EQ(sentence(read_config(folder.put("c.toml", "[embed]\n\nrat = 1\n"), RunKind::embedding,
                                 options),
                     folder.path().string()),
            "there is no option 'rat' (c.toml, line 3): did you mean rate?");
}

TEST(RunKinds, AreToldApart) {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  folder.put("rules/config.toml", "[train]\nrate = 1\n\n[embedding]\nrank = 8\n");
  folder.put("vectors/config.toml", config(RunKind::embedding));
  folder.put("stories/config.toml", config(RunKind::events));
  EXPECT_EQ(run_kind(folder / "rules").value(), RunKind::rules);
  EXPECT_EQ(run_kind(folder / "vectors").value(), RunKind::embedding);
  EXPECT_EQ(run_kind(folder / "stories").value(), RunKind::events);
  EXPECT_EQ(sentence(require_kind(folder / "vectors", RunKind::embedding)), "");
  EXPECT_EQ(sentence(require_kind(folder / "vectors", RunKind::rules), where),
            "this is a run of lerp embed (vectors): give one of lerp train");
  EXPECT_EQ(sentence(require_kind(folder / "stories", RunKind::embedding), where),
            "this is a run of lerp events train (stories): give one of lerp embed");
  EXPECT_EQ(sentence(run_kind(folder / "nowhere"), where),
            "this is no run folder (nowhere): start one with lerp train");
  EXPECT_EQ(sentence(require_kind(folder / "nowhere", RunKind::events), where),
            "this is no run folder (nowhere): start one with lerp events train");
}

TEST(RunFolder, IsNewAndHeldByOne) {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const std::string text = config(RunKind::events);
  {
    RunFolder run(folder / "run");
    ASSERT_TRUE(run.start(text));
    EXPECT_EQ(slurp(folder / "run/config.toml"), text);
    EXPECT_EQ(sentence(RunFolder(folder / "run").take(), where),
              "another process is at work here (run): wait until it ends, or stop it");
    EXPECT_EQ(sentence(RunFolder(folder / "run").start("other"), where),
              "another process is at work here (run): wait until it ends, or stop it");
  }
  EXPECT_EQ(sentence(RunFolder(folder / "run").start("other"), where),
            "there is a run of this name (run): resume it, remove it or choose another name");
  EXPECT_EQ(slurp(folder / "run/config.toml"), text);
  EXPECT_TRUE(RunFolder(folder / "run").take());
  folder.put("file", "");
  EXPECT_NE(sentence(RunFolder(folder / "file/run").start(text), where)
                .find("the run folder cannot be made"),
            std::string::npos);
}

TEST(RunFolder, ClearsAwayWhatAKilledProcessWasWriting) {
  const TemporaryFolder folder;
  ASSERT_TRUE(RunFolder(folder / "run").start(config(RunKind::rules)));
  const auto half = folder.put("run/metrics.json.17.part", "{");
  const auto state = folder.put("run/checkpoint/state.safetensors.17.part", "half");
  const auto whole = folder.put("run/checkpoint/state.safetensors", "whole");
  RunFolder run(folder / "run");
  ASSERT_TRUE(run.take());
  EXPECT_FALSE(std::filesystem::exists(half));
  EXPECT_FALSE(std::filesystem::exists(state));
  EXPECT_TRUE(std::filesystem::exists(whole));
  EXPECT_TRUE(run.has_checkpoint());
}

TEST(RunFolder, KnowsItsOwnModel) {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  folder.put("run/model.safetensors", "learned here");
  EXPECT_EQ(sentence(require_own_model(folder / "run")), "");
  ASSERT_TRUE(write_metrics(folder / "run", Json{{"mrr", 0.5}}));
  EXPECT_EQ(sentence(require_own_model(folder / "run")), "");
  EXPECT_EQ(Json::parse(slurp(folder / "run/metrics.json"))["mrr"], 0.5);
  folder.put("run/model.safetensors", "learned there");
  EXPECT_EQ(sentence(require_own_model(folder / "run"), where),
            "this is not the model that the run learned, as metrics.json knows "
            "(run/model.safetensors): put that one back, or move this one away and make it again "
            "with lerp resume run");
  // It is no run's to write over.
  EXPECT_FALSE(RunFolder(folder / "run").take());
  std::filesystem::remove(folder / "run/model.safetensors");
  EXPECT_TRUE(RunFolder(folder / "run").take());
  folder.put("run/model.safetensors", "learned there");
  // Runs of an early lerp say nothing of their model.
  folder.put("run/metrics.json", "{\"mrr\": 0.5}");
  EXPECT_EQ(sentence(require_own_model(folder / "run")), "");
}

TEST(RunFolder, LogsWhatItSays) {
  const TemporaryFolder folder;
  std::vector<std::string> said;
  RunFolder run(folder / "run", [&](const std::string& line) { said.push_back(line); });
  ASSERT_TRUE(run.start(config(RunKind::rules)));
  ASSERT_TRUE(run.tell("one"));
  ASSERT_TRUE(run.tell("two"));
  EXPECT_EQ(said, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(slurp(folder / "run/log.txt"), "one\ntwo\n");
}

TEST(RunFolder, ForgetsEpochsThatComeAgain) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  EXPECT_EQ(run.shorten_trace(3).value().size(), 0U);
  for (const char* line : {"{\"epoch\":1}", "{\"epoch\":2}"}) ASSERT_TRUE(run.trace(line));
  // A line that a killed process has begun is none.
  folder.put("trace.jsonl", slurp(folder / "trace.jsonl") + "{\"epo");
  EXPECT_EQ(run.shorten_trace(3).value(),
            (std::vector<std::string>{"{\"epoch\":1}", "{\"epoch\":2}"}));
  EXPECT_EQ(slurp(folder / "trace.jsonl"), "{\"epoch\":1}\n{\"epoch\":2}\n");
  EXPECT_EQ(run.shorten_trace(1).value(), (std::vector<std::string>{"{\"epoch\":1}"}));
  EXPECT_EQ(slurp(folder / "trace.jsonl"), "{\"epoch\":1}\n");
}

TEST(RunFolder, HasAModelOnceItIsDone) {
  const TemporaryFolder folder;
  const std::string run = (folder / "run").string();
  ASSERT_TRUE(RunFolder(run).start(config(RunKind::embedding)));
  EXPECT_EQ(sentence(finished_model(run, RunKind::embedding)),
            "the run has no model yet (" + run + "): finish it with lerp resume " + run);
  folder.put("run/model.safetensors", "");
  EXPECT_EQ(finished_model(run, RunKind::embedding).value(), folder / "run/model.safetensors");
}

TEST(RunFolder, SaysHowToGoOnAfterAnInterruption) {
  const RunFolder run("some/run");
  const Error stopped{"stopped in epoch 3", "", "", ErrorKind::interrupted};
  EXPECT_EQ(to_string(run.with_remedy(stopped).value()),
            "stopped in epoch 3 (some/run): lerp resume some/run goes on from here");
  const Error other{"the disk is full", "here", "make room"};
  EXPECT_EQ(to_string(run.with_remedy(other).value()), to_string(other));
}

}  // namespace
}  // namespace lerpp
