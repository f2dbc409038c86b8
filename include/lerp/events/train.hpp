#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include <lerp/events/model.hpp>

namespace lerpp {

struct EventEpoch {
  std::uint32_t epoch = 0;
  double loss = 0;  ///< mean over the training graphs, without the decay
  std::optional<double> dev_loss;
  double seconds = 0;  ///< since the start
};

Json to_json(const EventEpoch& epoch);
std::string to_text(const EventEpoch& epoch);

/// Graphs with the heads that should say yes to them: what training works on.
struct LabelledGraphs {
  std::vector<EventGraph> graphs;
  std::vector<std::vector<LabelId>> gold;
};

struct TrainedEvents {
  EventModel model;  ///< the best on dev, or the last where there is no dev
  std::uint32_t epochs = 0;
  std::uint32_t best_epoch = 0;
  double seconds = 0;
};

/// The same seed gives the same model, whatever the number of threads.
Result<TrainedEvents> train_events(const LabelledGraphs& train, const LabelledGraphs& dev,
                                   EventShape shape, const EventOptions& options,
                                   const Observer& observer = {},
                                   const std::function<Result<void>(const EventEpoch&)>& hook = {});

struct EventRunResult {
  TrainedEvents trained;
  std::optional<EndingReport> dev;
  std::optional<EndingReport> test;
};

/// Learns to predict ending events, and leaves a run folder: config.toml, trace.jsonl, log.txt,
/// model.safetensors, metrics.json.
Result<EventRunResult> run_events(const EventData& data, const std::filesystem::path& source,
                                  const EventOptions& options, const std::filesystem::path& folder,
                                  const Observer& observer,
                                  const std::function<void(const std::string&)>& say);

/// Ranks a split of the data, which may be other data than the model was learned from. It must
/// have been read with the names of the model.
Result<EndingReport> evaluate_events(const EventModel& model, const EventData& data, Split split,
                                     unsigned threads);

Json to_json(const EventRunResult& result);

}  // namespace lerpp
