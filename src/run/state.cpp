// SPDX-License-Identifier: Apache-2.0
#include "run/state.hpp"

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/model/memory_need.hpp>
#include <lerp/model/rule_list.hpp>

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

Result<KnownGraph> Run::State::loaded(const Observer& observer) {
  LERP_TRY(known, data_->known(folder_->config, observer));
  const std::optional<MemoryLimit> limit = memory_limit();
  if (!limit || planned_ || data_->is_given()) return known;
  LERP_TRY(threads, threads_within(limit, ranking_need(model_->shape(), known.graph()), threads_,
                                   "asking this model", "ask a model of fewer rules"));
  threads_ = threads;
  planned_ = true;
  return known;
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

Result<Matched> Run::State::match_list(const Observer& observer) {
  if (listed_) return *listed_;
  LERP_TRY(matched, match_data(observer));
  LERP_TRY(list, load_rules(list_file(), matched.known.dataset()));
  listed_ =
      Matched{std::make_shared<const Model>(list_model(matched.model->relations, std::move(list))),
              matched.known, false};
  return *listed_;
}

Result<Matched> Run::State::listed(const Observer& observer) {
  const std::lock_guard lock(mutex_);
  return match_list(observer);
}

void Run::State::forget_list() {
  const std::lock_guard lock(mutex_);
  listed_.reset();
  list_predictor_.reset();
}

bool Run::State::has_list() const {
  std::error_code code;
  return std::filesystem::exists(list_file(), code);
}

bool Run::State::list_answers(Answering answering) const {
  if (answering != Answering::usual) return answering == Answering::list;
  return folder_->config.options.list.answers && has_list();
}

Result<std::shared_ptr<const Predictor>> Run::State::predictor(bool list,
                                                               const Observer& observer) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const Predictor>& kept = list ? list_predictor_ : predictor_;
  if (kept) return kept;
  LERP_TRY(matched, list ? match_list(observer) : match_data(observer));
  auto made = std::make_shared<Predictor>(matched.model, matched.known, threads_);
  LERP_CHECK(find_probabilities(*made, observer));
  kept = std::move(made);
  return kept;
}

std::filesystem::path Run::State::probability_file(const Model& model) const {
  if (model.list) return folder_->path / "probability-list.json";
  const bool whole = model.shape().embedding > 0 || !folder_->embedding;
  return folder_->path / (whole ? "probability.json" : "probability-rules.json");
}

Result<void> Run::State::find_probabilities(Predictor& predictor, const Observer& observer) const {
  const std::filesystem::path path = probability_file(predictor.model());
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
