// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <limits>

#include <gtest/gtest.h>

#include <lerp/train/run.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"
#include "support/unsummed.hpp"

namespace lerpp {
namespace {

using test::sentence;
using test::TemporaryFolder;

const ModelShape shape{2, 3, 2, 2, 2};

TrainState some_state() {
  TrainState state;
  state.epoch = 3;
  state.batch = 0xFFFFFFFFFFULL;
  state.loss = 1.0 / 3;
  state.epoch_seconds = 1e-300;
  state.seconds = 12345.678;
  state.best_epoch = 2;
  state.best_score = 0.1 + 0.2;
  state.parameters = initial_parameters<float>(shape, 1);
  state.best = initial_parameters<float>(shape, 2);
  state.adam.first = initial_parameters<float>(shape, 3);
  state.adam.second = initial_parameters<float>(shape, 4);
  state.parameters.values()[0] = -0.0F;
  state.adam.first.values()[1] = std::numeric_limits<float>::denorm_min();
  for (OperatorId i = 0; i <= shape.operators(); ++i)
    state.adam.steps.push_back(~std::uint64_t{0} - i);
  return state;
}

TEST(Checkpoint, ComesBackBitForBit) {
  const TemporaryFolder folder;
  const TrainState state = some_state();
  ASSERT_TRUE(save_checkpoint(state, folder / "state.safetensors"));
  const Result<TrainState> loaded = load_checkpoint(folder / "state.safetensors", shape);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_EQ(loaded->epoch, state.epoch);
  EXPECT_EQ(loaded->batch, state.batch);
  EXPECT_EQ(loaded->loss, state.loss);
  EXPECT_EQ(loaded->epoch_seconds, state.epoch_seconds);
  EXPECT_EQ(loaded->seconds, state.seconds);
  EXPECT_EQ(loaded->best_epoch, state.best_epoch);
  EXPECT_EQ(loaded->best_score, state.best_score);
  EXPECT_EQ(loaded->adam.steps, state.adam.steps);
  const auto expect_bits = [](const Parameters<float>& a, const Parameters<float>& b) {
    ASSERT_EQ(a.values().size(), b.values().size());
    for (std::size_t i = 0; i < a.values().size(); ++i)
      EXPECT_EQ(std::bit_cast<std::uint32_t>(a.values()[i]),
                std::bit_cast<std::uint32_t>(b.values()[i]));
  };
  expect_bits(loaded->parameters, state.parameters);
  expect_bits(loaded->best, state.best);
  expect_bits(loaded->adam.first, state.adam.first);
  expect_bits(loaded->adam.second, state.adam.second);
}

TEST(Checkpoint, HoldsTheEmbeddingOnceItHasBegun) {
  ModelShape embedded = shape;
  embedded.embedding = 3;
  embedded.entities = 5;
  ModelShape alone{shape.relations, 0, 0, 0, 0};
  alone.embedding = 3;
  alone.entities = 5;
  const TemporaryFolder folder;
  TrainState state = some_state();
  ASSERT_TRUE(save_checkpoint(state, folder / "before"));
  const Result<TrainState> before = load_checkpoint(folder / "before", embedded);
  ASSERT_TRUE(before) << to_string(before.error());
  EXPECT_FALSE(before->embedding);

  state.embedding = EmbeddingState{{7, 8, 0.1, 0.2, 0.3, 6, 1.0 / 3}, {}, {}, {}};
  state.embedding->parameters = initial_parameters<float>(alone, 5);
  state.embedding->best = initial_parameters<float>(alone, 6);
  state.embedding->squares = initial_parameters<float>(alone, 7);
  ASSERT_TRUE(save_checkpoint(state, folder / "state"));
  const Result<TrainState> loaded = load_checkpoint(folder / "state", embedded);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  ASSERT_TRUE(loaded->embedding);
  EXPECT_EQ(loaded->embedding->epoch, 7U);
  EXPECT_EQ(loaded->embedding->batch, 8U);
  EXPECT_EQ(loaded->embedding->loss, 0.1);
  EXPECT_EQ(loaded->embedding->epoch_seconds, 0.2);
  EXPECT_EQ(loaded->embedding->seconds, 0.3);
  EXPECT_EQ(loaded->embedding->best_epoch, 6U);
  EXPECT_EQ(loaded->embedding->best_score, 1.0 / 3);
  const auto same = [](const Parameters<float>& a, const Parameters<float>& b) {
    return std::ranges::equal(a.values(), b.values());
  };
  EXPECT_TRUE(same(loaded->parameters, state.parameters));
  EXPECT_TRUE(same(loaded->embedding->parameters, state.embedding->parameters));
  EXPECT_TRUE(same(loaded->embedding->best, state.embedding->best));
  EXPECT_TRUE(same(loaded->embedding->squares, state.embedding->squares));
}

TEST(Checkpoint, HoldsWhatTargetsShare) {
  const TemporaryFolder folder;
  TrainState state = some_state();
  ASSERT_TRUE(save_checkpoint(state, folder / "apart"));
  EXPECT_FALSE(load_checkpoint(folder / "apart", shape)->shared);

  SharedState& shared = state.shared.emplace(shape);
  shared.steps = 12;
  float number = 0;
  for (auto* block :
       {&shared.weights, &shared.first_moments, &shared.second_moments, &shared.known}) {
    for (float& value : *block) value = ++number / 3;
  }
  ASSERT_TRUE(save_checkpoint(state, folder / "state"));
  const Result<TrainState> loaded = load_checkpoint(folder / "state", shape);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  ASSERT_TRUE(loaded->shared);
  EXPECT_EQ(loaded->shared->steps, 12U);
  EXPECT_EQ(loaded->shared->weights, shared.weights);
  EXPECT_EQ(loaded->shared->first_moments, shared.first_moments);
  EXPECT_EQ(loaded->shared->second_moments, shared.second_moments);
  EXPECT_EQ(loaded->shared->known, shared.known);

  shared.known.pop_back();
  ASSERT_TRUE(save_checkpoint(state, folder / "short"));
  EXPECT_FALSE(load_checkpoint(folder / "short", shape));
}

TEST(Checkpoint, TellsEveryTruncation) {
  const TemporaryFolder folder;
  ASSERT_TRUE(save_checkpoint(some_state(), folder / "state"));
  const std::string whole = test::slurp(folder / "state");
  for (std::size_t size = 0; size < whole.size(); size += size < 40 ? 1 : 97) {
    const Result<TrainState> loaded =
        load_checkpoint(folder.put("cut", whole.substr(0, size)), shape);
    ASSERT_FALSE(loaded) << size;
    EXPECT_EQ(loaded.error().where, (folder / "cut").string());
    EXPECT_FALSE(loaded.error().what.empty() || loaded.error().remedy.empty());
  }
}

TEST(Checkpoint, TellsForeignFiles) {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  Model model{{"mother", "aunt"}, initial_parameters<float>(shape, 1)};
  ASSERT_TRUE(save_model(model, folder / "model"));
  EXPECT_EQ(
      sentence(load_checkpoint(folder / "model", shape), where),
      "this is not a checkpoint (model): remove the checkpoint folder to start this run anew");
  EXPECT_NE(sentence(load_checkpoint(folder.put("text", "anna\taunt\tben\n"), shape), where)
                .find("(text): "),
            std::string::npos);
  EXPECT_NE(sentence(load_checkpoint(folder / "nowhere", shape), where).find("(nowhere): "),
            std::string::npos);
}

TEST(Checkpoint, TellsEveryChangedByte) {
  const TemporaryFolder folder;
  ASSERT_TRUE(save_checkpoint(some_state(), folder / "state"));
  const std::string whole = test::slurp(folder / "state");
  const std::size_t numbers = whole.find("}}") + 8;
  for (std::size_t at = numbers; at < whole.size(); at += 7) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_FALSE(load_checkpoint(folder.put("changed", changed), shape)) << at;
  }
}

TEST(Checkpoint, TellsOtherShapesAndVersions) {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  ASSERT_TRUE(save_checkpoint(some_state(), folder / "state"));
  for (const ModelShape& other :
       {ModelShape{3, 3, 2, 2, 2}, ModelShape{2, 4, 2, 2, 2}, ModelShape{2, 3, 2, 3, 2}}) {
    const std::string said = sentence(load_checkpoint(folder / "state", other), where);
    EXPECT_NE(said.find("the tensor \"parameters\" has the shape"), std::string::npos) << said;
    EXPECT_NE(said.find("(state): "), std::string::npos) << said;
  }
  const std::string bytes = test::unsummed(test::slurp(folder / "state"));
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string changed = bytes;
    changed.replace(changed.find(from), from.size(), to);
    return sentence(load_checkpoint(folder.put("changed", changed), shape), where);
  };
  EXPECT_EQ(
      replaced(R"("version":"3")", R"("version":"2")"),
      "the checkpoint is of an older version, which lerp 0.1.0 wrote (changed): go on with that "
      "one, or start a new run");
  EXPECT_EQ(
      replaced(R"("version":"3")", R"("version":"4")"),
      "version 4 of the format, which lerp 0.1.0 wrote, is newer than this program (changed): "
      "get a lerp newer than 0.1.0");
  EXPECT_EQ(replaced(R"("epoch":"3")", R"("epoch":"x")"),
            "the checkpoint lacks some of its numbers (changed): remove the checkpoint folder to "
            "start this run anew");
  EXPECT_EQ(replaced(R"("best_score")", R"("worstscore")"),
            "the checkpoint lacks some of its numbers (changed): remove the checkpoint folder to "
            "start this run anew");
}

TEST(Checkpoint, FailureLeavesTheOneBefore) {
  const TemporaryFolder folder;
  ASSERT_TRUE(save_checkpoint(some_state(), folder / "state"));
  const std::string before = test::slurp(folder / "state");
  EXPECT_FALSE(save_checkpoint(some_state(), "/proc/nowhere/state"));
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  EXPECT_FALSE(save_checkpoint(some_state(), "/dev/full"));
  EXPECT_EQ(test::slurp(folder / "state"), before);
}

}  // namespace
}  // namespace lerpp
