// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/options_json.hpp>
#include <lerp/events/load.hpp>
#include <lerp/events/train.hpp>

#include "base/run_folder.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

/// The graphs without their ending events; and, `peel` times, what is left without the events that
/// end it now, which teaches the same thing again.
LabelledGraphs labelled(const std::vector<EventGraph>& graphs, Ending ending, std::uint32_t peel) {
  LabelledGraphs result;
  std::size_t first = 0;
  const auto add = [&](EndingCases cases) {
    first = result.graphs.size();
    for (EndingCase& item : cases.cases) {
      result.graphs.push_back(std::move(item.context));
      result.gold.push_back(std::move(item.gold));
    }
  };
  add(ending_cases(graphs, ending));
  for (std::uint32_t times = 0; times < peel; ++times) {
    const auto last = result.graphs.begin() + static_cast<std::ptrdiff_t>(first);
    add(ending_cases({last, result.graphs.end()}, ending));
  }
  return result;
}

/// What a run learns from.
struct EventLessons {
  LabelledGraphs train, dev;
};

Result<EventLessons> lessons_of(const EventData& data, const EventOptions& options) {
  LERP_TRY(ending, ending_named(options.ending));
  EventLessons lessons{labelled(data[Split::train], ending, options.peel),
                       labelled(data[Split::valid], ending, 0)};
  if (lessons.train.graphs.empty()) {
    return fail("no training graph has an ending event", data.source,
                "give graphs whose 'order' is not empty");
  }
  return lessons;
}

EventShape shape_of(const EventData& data, const EventOptions& options) {
  return event_shape(options, data.trained, data.trained.event_types);
}

/// Learns from where the state is, and ranks.
Result<EventRunResult> learn_and_rank(const EventData& data, const EventLessons& lessons,
                                      const EventOptions& options, const Observer& observer,
                                      const EventHooks& hooks, std::optional<EventState> state) {
  LERP_TRY(trained, train_events(lessons.train, lessons.dev, shape_of(data, options), options,
                                 observer, hooks, std::move(state)));
  EventRunResult result{std::move(trained), {}, {}};
  EventModel& model = result.trained.model;
  model.names = data.names;
  for (const Split split : {Split::valid, Split::test}) {
    Result<EndingReport> report = evaluate_events(model, data, split, options.threads);
    if (!report) continue;  // it asks nothing
    (split == Split::valid ? result.dev : result.test) = std::move(*report);
  }
  return result;
}

/// The same in a run folder, which gets the model and its ranks.
Result<EventRunResult> learn_run(const EventData& data, const std::string& place,
                                 const EventLessons& lessons, const EventOptions& options,
                                 const RunFolder& folder, const Observer& observer,
                                 std::optional<EventState> state) {
  EventHooks hooks;
  hooks.epoch = [&](const EventEpoch& epoch) -> Result<void> {
    LERP_CHECK(folder.trace(to_json(epoch).dump()));
    return folder.tell(to_text(epoch));
  };
  hooks.checkpoint = [&](const EventState& now) {
    return save_event_state(now, folder.checkpoint());
  };
  Result<EventRunResult> result =
      learn_and_rank(data, lessons, options, observer, hooks, std::move(state));
  if (!result) return folder.with_remedy(std::move(result.error()));
  result->trained.model.data = place;
  LERP_CHECK(save_event_model(result->trained.model, folder / model_file));
  for (const std::optional<EndingReport>* report : {&result->dev, &result->test}) {
    if (*report) LERP_CHECK(folder.tell(to_text(**report)));
  }
  LERP_CHECK(write_metrics(folder.path(), to_json(*result)));
  return result;
}

}  // namespace

Result<EndingReport> evaluate_events(const EventModel& model, const EventData& data, Split split,
                                     unsigned threads) {
  const Ending ending = *ending_named(model.options.ending);
  LERP_TRY(cases, ending_cases(data, split, ending));
  EndingReport report = rank_endings(*make_event_scorer(model), cases, ending,
                                     data.names.event_types.size(), threads);
  report.data = data.name;
  report.split = name_of(split);
  report.model = "lerp";
  return report;
}

Result<EventRunResult> learn_endings(const EventData& data, const EventOptions& options,
                                     const Observer& observer) {
  LERP_CHECK(check_options(options));
  LERP_TRY(lessons, lessons_of(data, options));
  return learn_and_rank(data, lessons, options, observer, {}, std::nullopt);
}

Result<EventRunResult> run_events(const EventData& data, const fs::path& source,
                                  const EventOptions& options, const fs::path& path,
                                  const Observer& observer, const RunFolder::Say& say) {
  LERP_CHECK(check_options(options));
  LERP_TRY(lessons, lessons_of(data, options));
  std::error_code code;
  const RunSource origin{fs::absolute(source, code), fingerprint(data)};
  RunFolder folder(path, say);
  LERP_CHECK(folder.start(config_to_toml(RunKind::events, origin, options)));
  return learn_run(data, origin.data.string(), lessons, options, folder, observer, std::nullopt);
}

Result<EventRunResult> resume_events(const fs::path& path, const Observer& observer,
                                     const RunFolder::Say& say) {
  LERP_CHECK(require_kind(path, RunKind::events));
  EventOptions options;
  LERP_TRY(origin, read_config(path / config_file, RunKind::events, options));
  RunFolder folder(path, say);
  LERP_CHECK(folder.take());
  LERP_TRY(data, load_events(origin.data, {}, observer));
  if (fingerprint(data) != origin.fingerprint) return changed_data(origin.data);
  LERP_TRY(lessons, lessons_of(data, options));
  std::optional<EventState> state;
  if (folder.has_checkpoint()) {
    LERP_TRY(loaded, load_event_state(folder.checkpoint(), shape_of(data, options)));
    state = std::move(loaded);
  }
  LERP_CHECK(folder.shorten_trace(state ? state->epoch : 0));
  return learn_run(data, origin.data.string(), lessons, options, folder, observer,
                   std::move(state));
}

Result<EventModel> open_events(const fs::path& folder) {
  LERP_TRY(path, finished_model(folder, RunKind::events));
  LERP_TRY(model, load_event_model(path));
  LERP_CHECK(require_own_model(folder));
  return std::move(model);
}

Json to_json(const EventRunResult& result) {
  Json json = {{"epochs", result.trained.epochs},
               {"best_epoch", result.trained.best_epoch},
               {"train_seconds", result.trained.seconds},
               {"parameters", result.trained.model.parameters.size()},
               {"seed", result.trained.model.options.seed},
               {"config", options_to_json(result.trained.model.options)}};
  if (result.dev) json["valid"] = to_json(*result.dev);
  if (result.test) json["test"] = to_json(*result.test);
  return json;
}

}  // namespace lerpp
