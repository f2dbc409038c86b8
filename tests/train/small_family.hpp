// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/base/parallel.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/train/train.hpp>

namespace lerpp::test {

inline Dataset family(std::uint32_t people) {
  FamilyOptions options;
  options.people = people;
  return generate_family(options).dataset;
}

/// Few and small enough to learn in a moment.
inline TrainOptions small_options(std::uint32_t epochs = 2) {
  TrainOptions options;
  options.functions.width = 6;
  options.functions.depth = 2;
  options.rules.count = 2;
  options.rules.length = 2;
  options.train.epochs = epochs;
  options.train.batch = 32;
  options.train.threads = exactly(2);
  return options;
}

/// The same with rules that an embedding can be added to, and one.
inline TrainOptions embedding_options() {
  TrainOptions options = small_options(2);
  options.rules.operators = "positive";
  options.rules.readout = "evidence";
  options.evidence.prior = true;
  options.embedding.rank = 8;
  options.embedding.epochs = 3;
  options.embedding.batch = 64;
  return options;
}

/// As `train`, with options as they are.
inline Result<Trained> train_with(const Dataset& dataset, const TrainOptions& options,
                                  const Observer& observer = {}, const TrainHooks& hooks = {},
                                  std::optional<TrainState> state = {}) {
  LERP_TRY(resolved, resolve(dataset, options));
  return train(dataset, resolved, observer, hooks, std::move(state));
}

/// Runs to the end, or fails the test.
inline Trained must_train(const Dataset& dataset, const TrainOptions& options,
                          const TrainHooks& hooks = {}) {
  Result<Trained> trained = train_with(dataset, options, {}, hooks);
  EXPECT_TRUE(trained) << to_string(trained.error());
  return trained ? std::move(*trained) : Trained();
}

inline std::vector<float> values_of(const Parameters<float>& parameters) {
  return {parameters.values().begin(), parameters.values().end()};
}

inline std::vector<float> values_of(const Trained& trained) {
  return values_of(trained.model.parameters);
}

}  // namespace lerpp::test
