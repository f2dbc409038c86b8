// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/train/run.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

using test::embedding_options;
using test::family;
using test::must_train;
using test::sentence;
using test::TemporaryFolder;
using test::values_of;

/// The reports of one stage.
std::vector<EpochReport> reports_of(const Dataset& dataset, const TrainOptions& options,
                                    const std::string& stage, Trained& trained) {
  std::vector<EpochReport> reports;
  TrainHooks hooks;
  hooks.epoch = [&](const EpochReport& report) -> Result<void> {
    if (report.stage == stage) reports.push_back(report);
    return {};
  };
  trained = must_train(dataset, options, hooks);
  return reports;
}

TEST(EmbeddingStage, TheRulesAreTheSameWithItAndWithout) {
  const Dataset dataset = family(60);
  TrainOptions options = embedding_options();
  options.train.weight_decay = 0.01;
  Trained with;
  Trained without;
  const auto first = reports_of(dataset, options, "rules", with);
  options.embedding.rank = 0;
  const auto second = reports_of(dataset, options, "rules", without);
  EXPECT_EQ(values_of(without_embedding(with.model).parameters), values_of(without));
  EXPECT_EQ(with.best_epoch, without.best_epoch);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].loss, second[i].loss);
    EXPECT_EQ(first[i].valid->realistic.mrr, second[i].valid->realistic.mrr);
  }
  EXPECT_EQ(with.model.shape().embedding, 8U);
  EXPECT_EQ(with.model.shape().entities, dataset.entities.size());
  EXPECT_EQ(with.model.entities, fingerprint(dataset.entities));
  EXPECT_EQ(without.embedding_epochs, 0U);
}

TEST(EmbeddingStage, KeepsTheBestEpochAndThenChoosesTheMix) {
  const Dataset dataset = family(60);
  TrainOptions options = embedding_options();
  options.embedding.epochs = 12;
  options.embedding.rate = 0.5;
  Trained trained;
  const auto reports = reports_of(dataset, options, "embedding", trained);
  ASSERT_EQ(reports.size(), 12U);
  EXPECT_EQ(trained.embedding_epochs, 12U);
  double most = 0;
  for (const EpochReport& report : reports) {
    EXPECT_EQ(report.best, report.valid->realistic.mrr > most);
    most = std::max(most, report.valid->realistic.mrr);
  }
  EXPECT_EQ(reports[trained.best_embedding_epoch - 1].valid->realistic.mrr, most);
  RankingOptions ranking;
  ranking.split = Split::valid;
  const auto valid_mrr = [&](const Model& model) {
    return evaluate(model, KnownGraph(dataset), ranking).value().both.realistic.mrr;
  };
  // Whatever is chosen ranks no worse than the embedding as it is, and than the rules alone.
  const double chosen = valid_mrr(trained.model);
  EXPECT_GE(chosen, most);
  EXPECT_GE(chosen, valid_mrr(without_embedding(trained.model)));
  // Epochs are compared with a mix of 1.
  for (OperatorId target = 0; target < trained.model.shape().operators(); ++target)
    trained.model.parameters.of(Part::mix, target)[0] = 1;
  EXPECT_EQ(valid_mrr(trained.model), most);
}

TEST(EmbeddingStage, WithoutValidationTheLastEpochCountsAndTheMixIsOne) {
  Dataset dataset = family(60);
  TrainOptions options = embedding_options();
  const auto expect_last = [&] {
    Trained trained;
    for (const EpochReport& report : reports_of(dataset, options, "embedding", trained)) {
      EXPECT_FALSE(report.valid);
      EXPECT_TRUE(report.best);
    }
    EXPECT_EQ(trained.best_embedding_epoch, options.embedding.epochs);
    for (OperatorId target = 0; target < trained.model.shape().operators(); ++target)
      EXPECT_EQ(trained.model.parameters.of(Part::mix, target)[0], 1);
  };
  options.train.on_valid = true;
  expect_last();
  options.train.on_valid = false;
  dataset[Split::valid].clear();
  expect_last();
}

TEST(EmbeddingStage, IsTheSameWhateverTheThreads) {
  const Dataset dataset = family(150);
  TrainOptions options = embedding_options();
  options.train.threads = exactly(1);
  const std::vector<float> alone = values_of(must_train(dataset, options));
  for (const unsigned threads : {1U, 2U, 5U}) {
    options.train.threads = exactly(threads);
    EXPECT_EQ(values_of(must_train(dataset, options)), alone) << threads;
  }
}

TEST(EmbeddingStage, TellsWhatIsNoNumber) {
  const TrainOptions options = embedding_options();
  std::optional<TrainState> state;
  TrainHooks hooks;
  hooks.checkpoint = [&](const TrainState& now) -> Result<void> {
    if (now.embedding && !state) state = now;
    return {};
  };
  must_train(family(60), options, hooks);
  ASSERT_TRUE(state);
  for (float& value : state->embedding->parameters.entities()) value = 1e30F;
  const std::string said = sentence(test::train_with(family(60), options, {}, {}, state));
  EXPECT_NE(said.find(" is not a number (embedding epoch "), std::string::npos) << said;
  EXPECT_NE(said.find("lower embedding.rate"), std::string::npos) << said;
}

TEST(EmbeddingStage, NeedsEvidence) {
  TrainOptions options = embedding_options();
  EXPECT_TRUE(check_together(options));
  options.rules.readout = "sum";
  options.evidence.prior = false;
  EXPECT_EQ(sentence(check_together(options)),
            "an embedding is added to evidence, and the rules are summed: set "
            "rules.readout=evidence, or embedding.rank=0");
}

TEST(EmbeddingStage, ARunTellsBothRanksAndEveryEpoch) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_dataset(family(60), folder / "data"));
  const Result<Dataset> dataset = load(folder / "data");
  ASSERT_TRUE(dataset);
  std::vector<std::string> lines;
  const Result<RunResult> run =
      start_run(*dataset, folder / "data", resolve(*dataset, embedding_options()).value(),
                folder / "run", {}, [&](const std::string& line) { lines.push_back(line); });
  ASSERT_TRUE(run) << to_string(run.error());
  ASSERT_TRUE(run->test_rules_only);
  const Json json = to_json(*run);
  EXPECT_EQ(json["both"]["realistic"]["mrr"], run->test->both.realistic.mrr);
  EXPECT_EQ(json["rules_only"]["both"]["realistic"]["mrr"],
            run->test_rules_only->both.realistic.mrr);
  EXPECT_EQ(json["embedding_epochs"], 3);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[1].find("epoch   2/2   loss "), 0U) << lines[1];
  EXPECT_EQ(lines[2].find("embedding   1/3   loss "), 0U) << lines[2];
  EXPECT_EQ(lines[5].find("rules only: MRR "), 0U) << lines[5];
  EXPECT_EQ(lines[6].find("with embedding: MRR "), 0U) << lines[6];
  const std::string trace = test::slurp(folder / "run/trace.jsonl");
  EXPECT_EQ(std::count(trace.begin(), trace.end(), '\n'), 5);
  EXPECT_NE(trace.find(R"({"stage":"embedding","epoch":3,"epochs":3,)"), std::string::npos);
  // The model file is enough for the same ranks.
  const auto opened = open_run(folder / "run");
  ASSERT_TRUE(opened) << to_string(opened.error());
  const Result<RankingReport> again = evaluate(opened->model, KnownGraph(*dataset));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->both.realistic.mrr, run->test->both.realistic.mrr);
}

}  // namespace
}  // namespace lerpp
