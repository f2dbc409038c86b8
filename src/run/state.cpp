#include "run/state.hpp"

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
  predictor_ = std::make_shared<const Predictor>(matched.model, matched.known, threads_);
  return predictor_;
}

}  // namespace lerpp
