// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/bench/explain.hpp>
#include <lerp/train/options.hpp>

#include "eval/shared_data.hpp"
#include "model/random_case.hpp"

namespace lerpp {
namespace {

double value_of(const BenchReport& report, const std::string& what) {
  for (const BenchResult& result : report.results) {
    if (result.what == what) return result.value;
  }
  ADD_FAILURE() << "there is no " << what;
  return 0;
}

// A model of the default shape with random parameters: hardly an answer is predicted, so that every
// explanation also looks for what is missing. Time of the processor, since others use it too.
TEST(SlowExplainBench, AnswersAtOnceOnWordNet) {
  auto dataset = shared_dataset("wn18rr");
  if (!dataset) GTEST_SKIP() << "the shared datasets are absent";
  const TrainOptions options = preset("default", *dataset).value();
  Model model;
  for (RelationId relation = 0; relation < dataset->relations.size(); ++relation)
    model.relations.emplace_back(dataset->relations.name(relation));
  const ModelShape shape = shape_of(options, dataset->relations.size());
  model.parameters = random_parameters<float>(shape, 1);
  PathOptions paths;
  paths.paths = shape.paths;
  paths.queries = 8;
  paths.walks = 2;
  model.paths = std::make_shared<PathTable>(mine_paths(dataset->known_graph(), paths).value());
  const Predictor predictor(model, KnownGraph(std::move(*dataset)));
  const BenchReport report = bench_explain(predictor, {.facts = 16}).value();
  EXPECT_GE(value_of(report, "explain_count"), 30);
  EXPECT_LT(value_of(report, "explain_median_processor_seconds"), 0.1);
  EXPECT_LT(value_of(report, "predict_median_processor_seconds"), 0.1);
}

}  // namespace
}  // namespace lerpp
