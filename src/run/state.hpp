// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
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
  explicit RunData(KnownGraph known)
      : given_(true), known_(std::move(known)), threads_(known_->threads()) {}

  /// Whoever gave it has more to do than to ask, and has planned for that.
  bool is_given() const { return given_; }

  Result<KnownGraph> known(const RunConfig& config, const Observer& observer);

 private:
  std::filesystem::path path_;
  bool given_ = false;
  std::mutex mutex_;  ///< of what follows
  std::optional<KnownGraph> known_;
  unsigned threads_;
};

/// Who answers: the list of a run where it has one and its options say so, or as is asked for.
enum class Answering { usual, list, model };

/// What the copies of a run share. Each part is found when it is first asked for.
class Run::State {
 public:
  /// A run folder as it was read.
  struct Folder {
    std::filesystem::path path;
    RunConfig config;
    bool embedding = false;  ///< whether the model that it holds has one
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

  /// The data as it was read, with all its relations. Where a limit of memory leaves no room for
  /// all threads, there are fewer from then on; fails where there is no room for one.
  Result<KnownGraph> loaded(const Observer& observer);
  /// The model as it was learned.
  Result<Matched> matched(const Observer& observer);
  /// The list of the run as a model.
  Result<Matched> listed(const Observer& observer);
  Result<std::shared_ptr<const Predictor>> predictor(bool list, const Observer& observer);
  /// Takes the list from its file again.
  void forget_list();

  std::filesystem::path list_file() const { return folder_->path / "rules.txt"; }
  bool has_list() const;
  bool list_answers(Answering answering) const;
  /// A list explains and is read, even where the model answers.
  bool list_explains(Answering answering) const {
    return answering != Answering::model && has_list();
  }

  /// Options with the threads of the run where they name none.
  template <class Options>
  Options with_threads(Options options) const {
    if (options.threads == 0) options.threads = threads_;
    return options;
  }

 private:
  // Whoever holds the lock may call these.
  Result<Matched> match_data(const Observer& observer);
  Result<Matched> match_list(const Observer& observer);
  /// Those that the run folder keeps, or new ones, which it keeps from then on.
  Result<void> find_probabilities(Predictor& predictor, const Observer& observer) const;
  /// Those of each of the models that a run can answer with have a file of their own.
  std::filesystem::path probability_file(const Model& model) const;

  std::shared_ptr<const Folder> folder_;
  std::shared_ptr<const Model> model_;
  std::shared_ptr<RunData> data_;
  std::atomic<unsigned> threads_;
  std::atomic<bool> planned_ = false;
  std::mutex mutex_;  ///< of what follows
  std::optional<Matched> matched_, listed_;
  std::shared_ptr<const Predictor> predictor_, list_predictor_;
};

}  // namespace lerpp
