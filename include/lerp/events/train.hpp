// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include <lerp/base/epoch_state.hpp>
#include <lerp/events/model.hpp>

namespace lerpp {

struct EventEpoch {
  std::uint32_t epoch = 0;
  double loss = 0;  ///< mean over the training graphs, without the decay
  std::optional<double> dev_loss;
  double seconds = 0;  ///< of learning, in all
};

Json to_json(const EventEpoch& epoch);
std::string to_text(const EventEpoch& epoch);

/// Graphs with the heads that should say yes to them: what training works on.
struct LabelledGraphs {
  std::vector<EventGraph> graphs;
  std::vector<std::vector<LabelId>> gold;
};

/// All that training needs to go on exactly where it was.
struct EventState : EpochState {
  EventState() = default;
  explicit EventState(std::vector<float> start);

  std::vector<float> parameters;
  std::vector<float> average;        ///< over the last steps, which wanders less than they do
  std::vector<float> best;           ///< of the averages
  std::vector<float> first, second;  ///< moments of the optimiser
  std::uint64_t steps = 0;
};

/// What a caller may want done meanwhile. A failure ends the training.
struct EventHooks {
  std::function<Result<void>(const EventEpoch&)> epoch = {};
  /// Called after every epoch, every half minute of one, and before an orderly stop.
  std::function<Result<void>(const EventState&)> checkpoint = {};
};

struct TrainedEvents {
  EventModel model;  ///< the best on dev, or the last where there is no dev
  std::uint32_t epochs = 0;
  std::uint32_t best_epoch = 0;
  double seconds = 0;
};

/// The same seed gives the same model, whatever the number of threads. Goes on from `state` where
/// one is given.
Result<TrainedEvents> train_events(const LabelledGraphs& train, const LabelledGraphs& dev,
                                   const EventShape& shape, const EventOptions& options,
                                   const Observer& observer = {}, const EventHooks& hooks = {},
                                   std::optional<EventState> state = {});

struct EventRunResult {
  TrainedEvents trained;
  std::optional<EndingReport> dev;
  std::optional<EndingReport> test;
};

/// Learns to predict ending events, and ranks those of dev and test.
Result<EventRunResult> learn_endings(const EventData& data, const EventOptions& options,
                                     const Observer& observer = {});
/// The same, and leaves a run folder as lerp train does.
Result<EventRunResult> run_events(const EventData& data, const std::filesystem::path& source,
                                  const EventOptions& options, const std::filesystem::path& folder,
                                  const Observer& observer = {},
                                  const std::function<void(const std::string&)>& say = {});
/// Goes on with an interrupted run; a finished one is ranked again.
Result<EventRunResult> resume_events(const std::filesystem::path& folder,
                                     const Observer& observer = {},
                                     const std::function<void(const std::string&)>& say = {});
/// The model of a finished run.
Result<EventModel> open_events(const std::filesystem::path& folder);

Result<void> save_event_state(const EventState& state, const std::filesystem::path& path);
Result<EventState> load_event_state(const std::filesystem::path& path, const EventShape& shape);

/// Ranks a split of the data, which may be other data than the model was learned from. It must
/// have been read with the names of the model.
Result<EndingReport> evaluate_events(const EventModel& model, const EventData& data, Split split,
                                     unsigned threads);

Json to_json(const EventRunResult& result);

}  // namespace lerpp
