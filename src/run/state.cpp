// SPDX-License-Identifier: Apache-2.0
#include "run/state.hpp"

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>

namespace lerpp {

Result<KnownGraph> RunData::known(const RunConfig& config, const Observer& observer) {
  const std::lock_guard lock(mutex_);
  if (known_) return *known_;
  // Another graph is read as the one that was learned from.
  LoadOptions options;
  options.threads = threads_;
  options.choices = config.choices;
  options.choices.holdout = 0;
  LERP_TRY(dataset, path_.empty() ? load_data(config, threads_, observer,
                                              "put it back as it was, or give another with --data")
                                  : load(path_, options, observer));
  const KnownSplits splits = known_splits(config, dataset);
  known_.emplace(std::move(dataset), splits, threads_);
  return *known_;
}

Result<Matched> Run::State::match_data(const Observer& observer) {
  if (matched_) return *matched_;
  LERP_TRY(known, loaded(observer));
  LERP_TRY(matched, match(model_, known));
  matched_ = std::move(matched);
  return *matched_;
}

Result<Matched> Run::State::matched(const Observer& observer) {
  const std::lock_guard lock(mutex_);
  return match_data(observer);
}

Result<std::shared_ptr<const Predictor>> Run::State::predictor(const Observer& observer) {
  const std::lock_guard lock(mutex_);
  if (predictor_) return predictor_;
  LERP_TRY(matched, match_data(observer));
  auto made = std::make_shared<Predictor>(matched.model, matched.known, threads_);
  LERP_CHECK(find_probabilities(*made, observer));
  predictor_ = std::move(made);
  return predictor_;
}

Result<void> Run::State::find_probabilities(Predictor& predictor, const Observer& observer) const {
  const std::filesystem::path path = folder_->path / "probability.json";
  if (std::filesystem::exists(path)) {
    LERP_TRY(bytes, read_file(path));
    const Json kept = Json::parse(bytes.view(), nullptr, false);
    if (predictor.take_probabilities(kept)) return {};
  }
  LERP_CHECK(predictor.learn_probabilities(observer));
  // A folder that cannot be written to is no reason not to answer: they are learned again.
  static_cast<void>(write_file(path, predictor.probabilities().dump(2) + "\n"));
  return {};
}

}  // namespace lerpp
