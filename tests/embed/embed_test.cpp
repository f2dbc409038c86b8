// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/base/parallel.hpp>
#include <lerp/embed/embed.hpp>
#include <lerp/embed/study.hpp>

#include "embed/plateau.hpp"
#include "support/temporary_folder.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

EmbedOptions small_embedding(const std::string& variant, std::uint32_t epochs = 3) {
  EmbedOptions options;
  options.variant = variant;
  options.dim = 10;
  options.width = 4;
  options.epochs = epochs;
  options.batch = 128;
  options.ranked = 100;
  options.threads = 1;
  return options;
}

Embedded must_embed(const Dataset& dataset, const EmbedOptions& options) {
  Result<Embedded> embedded = embed(dataset, options);
  EXPECT_TRUE(embedded) << to_string(embedded.error());
  return embedded ? std::move(*embedded) : Embedded();
}

void expect_same(const TransEParameters<float>& left, const TransEParameters<float>& right) {
  EXPECT_EQ(left.shape, right.shape);
  for (std::size_t block = 0; block < left.blocks().size(); ++block)
    EXPECT_TRUE(std::ranges::equal(left.blocks()[block], right.blocks()[block]));
}

class EmbedVariant : public testing::TestWithParam<std::string> {};

TEST_P(EmbedVariant, LearnsAFamily) {
  const Dataset dataset = test::family(150);
  const Embedded embedded = must_embed(dataset, small_embedding(GetParam(), 12));
  ASSERT_EQ(embedded.epochs.size(), 12);
  EXPECT_LT(embedded.epochs.back().margin_loss, embedded.epochs.front().margin_loss / 3);
  // Chance is about .03.
  EXPECT_GT(*embedded.epochs.back().train_mrr, 0.25);
  const double best = *embedded.epochs[embedded.best_epoch - 1].valid_mrr;
  for (const EmbedEpoch& epoch : embedded.epochs) EXPECT_LE(*epoch.valid_mrr, best);
  EXPECT_EQ(best, embedded.valid->both.realistic.mrr);
}

TEST_P(EmbedVariant, TheSameSeedGivesTheSameBytesWhateverTheThreads) {
  const Dataset dataset = test::family(60);
  EmbedOptions options = small_embedding(GetParam());
  options.negatives = 30;
  const Embedded first = must_embed(dataset, options);
  for (const unsigned threads : {2U, 3U}) {
    options.threads = exactly(threads);
    expect_same(first.model.parameters, must_embed(dataset, options).model.parameters);
  }
  options.seed = 2;
  const Embedded other = must_embed(dataset, options);
  EXPECT_FALSE(std::ranges::equal(first.model.parameters.entity, other.model.parameters.entity));
}

TEST_P(EmbedVariant, ModelFileComesBack) {
  const test::TemporaryFolder folder;
  const Embedded embedded = must_embed(test::family(60), small_embedding(GetParam(), 1));
  ASSERT_TRUE(save_transe(embedded.model, folder.path() / "model"));
  const Result<TransEModel> loaded = load_transe(folder.path() / "model");
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_EQ(loaded->relations, embedded.model.relations);
  EXPECT_EQ(loaded->entities, embedded.model.entities);
  expect_same(loaded->parameters, embedded.model.parameters);
}

INSTANTIATE_TEST_SUITE_P(Variants, EmbedVariant, testing::Values("transe", "lerp", "entropy"));

TEST(Embed, FunctionsStartAndLearnAtTheirOwnPace) {
  const Dataset dataset = test::family(60);
  EmbedOptions options = small_embedding("lerp", 1);
  options.start = 0.5;
  options.pace = 1e-7;
  const TransEParameters<float> learned = must_embed(dataset, options).model.parameters;
  const TransEParameters<float> first =
      initial_transe<float>(shape_of(options, dataset), options.seed);
  for (std::size_t i = 0; i < first.rotation.size(); ++i)
    EXPECT_NEAR(learned.rotation[i], first.rotation[i] / 2, 1e-5);
  for (std::size_t i = 0; i < first.functions.values().size(); ++i)
    EXPECT_NEAR(learned.functions.values()[i], first.functions.values()[i], 1e-5);
  EXPECT_FALSE(std::ranges::equal(learned.entity, first.entity));

  EmbedOptions small;
  resolve(small, dataset);
  EXPECT_EQ(small.pace, 1);
  EXPECT_EQ(small.start, 1);
  Dataset large;
  for (int i = 0; i <= 10'000; ++i) large.entities.intern(std::to_string(i));
  EmbedOptions slow;
  slow.start = 0.3;
  resolve(slow, large);
  EXPECT_EQ(slow.pace, 0.1);
  EXPECT_EQ(slow.start, 0.3);
}

TEST(Embed, EntropyMakesFunctionsCrisp) {
  const Dataset dataset = test::family(100);
  const Embedded soft = must_embed(dataset, small_embedding("lerp", 8));
  EmbedOptions options = small_embedding("entropy", 8);
  options.gamma = 10;
  const Embedded crisp = must_embed(dataset, options);
  EXPECT_LT(crisp.epochs.back().entropy, 0.7 * soft.epochs.back().entropy);
}

TEST(Embed, LargeGraphsDrawTheirNegatives) {
  Dataset dataset = test::family(60);
  EmbedOptions options;
  resolve(options, dataset);
  EXPECT_EQ(options.negatives, dataset.entities.size());
  for (std::uint32_t i = 0; i < 10'000; ++i)
    dataset.entities.intern("stranger " + std::to_string(i));
  options.negatives = 0;
  resolve(options, dataset);
  EXPECT_EQ(options.negatives, 1'000);
}

TEST(Embed, NothingToLearnFromIsAnError) {
  Dataset dataset = test::family(60);
  dataset[Split::facts].clear();
  dataset[Split::train].clear();
  const Result<Embedded> embedded = embed(dataset, small_embedding("lerp"));
  ASSERT_FALSE(embedded);
  EXPECT_EQ(embedded.error().what, "there are no training facts");
}

TEST(Embed, WithoutValidationTheLastEpochIsKept) {
  Dataset dataset = test::family(60);
  dataset[Split::valid].clear();
  dataset[Split::test].clear();
  const Embedded embedded = must_embed(dataset, small_embedding("entropy"));
  EXPECT_EQ(embedded.best_epoch, 3);
  EXPECT_FALSE(embedded.epochs.front().valid_mrr);
  EXPECT_FALSE(to_json(embedded).contains("both"));
}

TEST(Embed, TooHighARateIsNamed) {
  EmbedOptions options = small_embedding("lerp");
  options.rate = 1e38;
  const Result<Embedded> embedded = embed(test::family(60), options);
  ASSERT_FALSE(embedded);
  EXPECT_EQ(embedded.error().remedy, "lower the rate");
}

TEST(EmbedRun, LeavesAFolderAndRefusesATakenOne) {
  const test::TemporaryFolder folder;
  const Dataset dataset = test::family(60);
  const auto run = [&] {
    return embed_run(dataset, "nowhere", small_embedding("entropy"), folder.path() / "run");
  };
  const Result<Embedded> first = run();
  ASSERT_TRUE(first) << to_string(first.error());
  const Result<TransEModel> model = load_transe(folder.path() / "run" / "model.safetensors");
  ASSERT_TRUE(model);
  expect_same(model->parameters, first->model.parameters);
  std::ifstream trace(folder.path() / "run" / "trace.jsonl");
  std::size_t lines = 0;
  for (std::string line; std::getline(trace, line); ++lines)
    EXPECT_EQ(Json::parse(line)["epoch"], lines + 1);
  EXPECT_EQ(lines, 3);
  std::ifstream metrics(folder.path() / "run" / "metrics.json");
  EXPECT_EQ(Json::parse(metrics)["best_epoch"], first->best_epoch);
  const Result<Embedded> again = run();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().what, "there is a run of this name");
}

TEST(TransEFile, DamageIsFound) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "model";
  ASSERT_TRUE(save_transe(must_embed(test::family(60), small_embedding("lerp", 1)).model, path));
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  const std::string bytes = text.str();
  for (const auto& [from, to] : {std::pair{"lerp-transe", "lerp-transf"},
                                 std::pair{"\"dimension\":\"10\"", "\"dimension\":\"11\""},
                                 std::pair{"\"version\":\"1\"", "\"version\":\"9\""},
                                 std::pair{"\"rotation\"", "\"rotatiox\""}}) {
    std::string changed = bytes;
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, std::string(from).size(), to);
    std::ofstream(path) << changed;
    EXPECT_FALSE(load_transe(path)) << from;
  }
}

TEST(EmbedStudy, TunesEachVariantAndTellsTheSpread) {
  const Dataset dataset = test::family(60);
  EmbedStudyOptions study;
  study.seeds = 2;
  study.tried = {"margin=1,2", "eta=1,10"};
  EmbedOptions options = small_embedding("all", 2);
  const Result<EmbedStudy> result = embed_study(dataset, options, study);
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_EQ(result->variants.size(), 3);
  EXPECT_EQ(result->variants[0].trials.size(), 2);  // plain TransE has no eta
  EXPECT_EQ(result->variants[1].trials.size(), 4);
  for (const EmbedStudy::Variant& variant : result->variants) {
    double best = 0;
    for (const EmbedStudy::Trial& trial : variant.trials) best = std::max(best, trial.valid_mrr);
    ASSERT_EQ(variant.runs.size(), 2);
    // The first seed of the chosen setting was tried already, and comes out the same.
    EXPECT_EQ(variant.runs[0].valid->both.realistic.mrr, best);
    EXPECT_EQ(variant.runs[1].options.seed, variant.runs[0].options.seed + 1);
  }
  const std::string csv = curves_csv(runs_of(*result));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 3 * 2 * 2);
  const std::string svg = curves_svg(runs_of(*result));
  EXPECT_NE(svg.find("entropy, test"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

/// Epochs with these training MRRs.
std::vector<EmbedEpoch> epochs_of(const std::vector<double>& mrr) {
  std::vector<EmbedEpoch> epochs(mrr.size());
  for (std::size_t i = 0; i < mrr.size(); ++i) epochs[i].train_mrr = mrr[i];
  return epochs;
}

TEST(Plateau, LowersTheRateWhereNothingRises) {
  EXPECT_EQ(plateau_after({}, 2, 0.01).share, 1);
  EXPECT_EQ(plateau_after(epochs_of({0.1, 0.2, 0.2, 0.3, 0.3}), 2, 0.01).share, 1);
  // Rises of less than was asked for are none, alone; together they are one.
  EXPECT_NEAR(plateau_after(epochs_of({0.1, 0.105, 0.109}), 2, 0.01).share, 1.0 / 3, 1e-12);
  EXPECT_EQ(plateau_after(epochs_of({0.1, 0.105, 0.111}), 2, 0.01).share, 1);
  // Falling is no rise either; a new best after a fall of the rate begins anew.
  EXPECT_NEAR(plateau_after(epochs_of({0.5, 0.4, 0.3, 0.6, 0.6, 0.6, 0.7}), 2, 0.01).share, 1.0 / 9,
              1e-12);
  EXPECT_FALSE(plateau_after(epochs_of(std::vector<double>(7, 0.5)), 2, 0.01).over);
  EXPECT_TRUE(plateau_after(epochs_of(std::vector<double>(9, 0.5)), 2, 0.01).over);
}

TEST(Plateau, EndsARunAndSurvivesAnInterruption) {
  const test::TemporaryFolder folder;
  const Dataset dataset = test::family(60);
  EmbedOptions options = small_embedding("entropy", 500);
  options.schedule = "plateau";
  options.patience = 2;
  options.rise = 0.01;
  const Result<Embedded> whole = embed(dataset, options);
  ASSERT_TRUE(whole) << to_string(whole.error());
  EXPECT_LT(whole->epochs.size(), 500U);
  EXPECT_TRUE(plateau_after(whole->epochs, 2, 0.01).over);
  EXPECT_FALSE(
      plateau_after(std::span(whole->epochs).first(whole->epochs.size() - 1), 2, 0.01).over);

  // Stopped in the middle and taken up again, it comes out the same.
  std::stop_source stop;
  Observer observer;
  observer.stop = stop.get_token();
  std::size_t lines = 0;
  const auto say = [&](const std::string&) {
    if (++lines == whole->epochs.size() / 2) stop.request_stop();
  };
  const auto stopped =
      embed_run_again(dataset, "nowhere", options, folder.path() / "run", observer, say);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
  const auto rest = embed_run_again(dataset, "nowhere", options, folder.path() / "run");
  ASSERT_TRUE(rest) << to_string(rest.error());
  EXPECT_EQ(rest->epochs.size(), whole->epochs.size());
  expect_same(rest->model.parameters, whole->model.parameters);

  options.margin += 1;
  const auto other = embed_run_again(dataset, "nowhere", options, folder.path() / "run");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().what, "the folder holds a run with other options");
}

TEST(EmbedStudy, NeedNotTryAnything) {
  EmbedStudyOptions study;
  study.seeds = 2;
  const auto result = embed_study(test::family(60), small_embedding("transe", 1), study);
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_TRUE(result->variants[0].trials.empty());
  EXPECT_EQ(result->variants[0].runs.size(), 2U);
}

TEST(EmbedStudy, GoesOnInItsFolder) {
  const test::TemporaryFolder folder;
  const Dataset dataset = test::family(60);
  EmbedStudyOptions study;
  study.seeds = 2;
  study.tried = {"margin=1,2"};
  const EmbedOptions options = small_embedding("lerp", 2);
  const auto alone = embed_study(dataset, options, study);
  study.folder = folder.path() / "study";
  study.data = "nowhere";
  const auto first = embed_study(dataset, options, study);
  ASSERT_TRUE(alone && first) << to_string(first.error());
  // What was tried with the first seed is its run: two settings and the second seed of the best.
  const auto folders = [&] {
    std::map<std::string, std::string> traces;  // which tell how long each epoch took
    for (const auto& entry : std::filesystem::directory_iterator(study.folder)) {
      std::stringstream text;
      text << std::ifstream(entry.path() / "trace.jsonl").rdbuf();
      traces[entry.path().filename().string()] = text.str();
    }
    return traces;
  };
  const auto before = folders();
  EXPECT_EQ(before.size(), 3U);
  EXPECT_TRUE(before.contains("lerp-margin=1-seed1"));
  const auto again = embed_study(dataset, options, study);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(folders(), before) << "nothing was learned";
  for (std::size_t i = 0; i < 2; ++i) {
    expect_same(again->variants[0].runs[i].model.parameters,
                alone->variants[0].runs[i].model.parameters);
    EXPECT_EQ(again->variants[0].runs[i].epochs.size(), 2U);
  }
}

TEST(EmbedStudy, WrongValuesAreFoundBeforeLearning) {
  const Dataset dataset = test::family(60);
  for (const char* tried : {"margin", "margni=1", "margin=wide", "margin=1,"}) {
    EmbedStudyOptions study;
    study.tried = {tried};
    const Result<EmbedStudy> result = embed_study(dataset, small_embedding("lerp"), study);
    ASSERT_FALSE(result) << tried;
    EXPECT_EQ(result.error().kind, ErrorKind::usage) << tried;
  }
}

TEST(Spread, IsMeanAndSampleDeviation) {
  const std::vector<double> numbers = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(spread_of(numbers).mean, 2.5);
  EXPECT_DOUBLE_EQ(spread_of(numbers).deviation, std::sqrt(5.0 / 3));
  EXPECT_EQ(spread_of(std::span(numbers).first(1)).deviation, 0);
}

}  // namespace
}  // namespace lerpp
