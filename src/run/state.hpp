// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>

#include <lerp/run/run.hpp>

namespace lerpp {

/// A dataset that is read when it is first asked for.
class RunData {
 public:
  /// Reads from a path, or from where the run has learned where that is empty.
  RunData(std::filesystem::path path, unsigned threads)
      : path_(std::move(path)), threads_(threads) {}
  /// Has been read already.
  explicit RunData(KnownGraph known) : known_(std::move(known)), threads_(known_->threads()) {}

  Result<KnownGraph> known(const RunConfig& config, const Observer& observer);

 private:
  std::filesystem::path path_;
  std::mutex mutex_;  ///< of what follows
  std::optional<KnownGraph> known_;
  unsigned threads_;
};

/// What the copies of a run share. Each part is found when it is first asked for.
class Run::State {
 public:
  /// A run folder as it was read.
  struct Folder {
    std::filesystem::path path;
    RunConfig config;
  };

  State(std::shared_ptr<const Folder> folder, std::shared_ptr<const Model> model,
        std::shared_ptr<RunData> data, unsigned threads)
      : folder_(std::move(folder)),
        model_(std::move(model)),
        data_(std::move(data)),
        threads_(threads) {}

  const std::shared_ptr<const Folder>& folder() const { return folder_; }
  const std::shared_ptr<const Model>& model() const { return model_; }
  const std::shared_ptr<RunData>& data() const { return data_; }
  unsigned threads() const { return threads_; }

  /// The data as it was read, with all its relations.
  Result<KnownGraph> loaded(const Observer& observer) const {
    return data_->known(folder_->config, observer);
  }
  Result<Matched> matched(const Observer& observer);
  Result<std::shared_ptr<const Predictor>> predictor(const Observer& observer);

  /// Options with the threads of the run where they name none.
  template <class Options>
  Options with_threads(Options options) const {
    if (options.threads == 0) options.threads = threads_;
    return options;
  }

 private:
  Result<Matched> match_data(const Observer& observer);
  /// Those that the run folder keeps, or new ones, which it keeps from then on.
  Result<void> find_probabilities(Predictor& predictor, const Observer& observer) const;

  std::shared_ptr<const Folder> folder_;
  std::shared_ptr<const Model> model_;
  std::shared_ptr<RunData> data_;
  unsigned threads_;
  std::mutex mutex_;  ///< of what follows
  std::optional<Matched> matched_;
  std::shared_ptr<const Predictor> predictor_;
};

}  // namespace lerpp
