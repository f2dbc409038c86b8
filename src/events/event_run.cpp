#include <fstream>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/options_json.hpp>
#include <lerp/events/train.hpp>

namespace lerpp {
namespace {

namespace fs = std::filesystem;

/// Every option, for people and for other tools. The model file holds them too.
std::string config_text(const std::string& data, const EventOptions& options) {
  std::string text = fmt::format("[data]\npath = {}\n\n[events]\n", Json(data).dump());
  EventOptions::fields(options, [&](const Field& field, const auto& value) {
    text += fmt::format("{} = {}  # {}\n", field.name, Json(value).dump(), field.help);
  });
  return text;
}

Result<void> append(const fs::path& path, const std::string& line) {
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << line << '\n' << std::flush;
  if (file) return {};
  return fail("the file cannot be written", path.string(), "make room, and the folder writable");
}

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

Result<void> make_folder(const fs::path& folder) {
  std::error_code code;
  if (fs::exists(folder / "config.toml", code)) {
    return fail("there is a run of this name", folder.string(), "remove it or choose another name");
  }
  fs::create_directories(folder, code);
  if (!code) return {};
  return fail("the run folder cannot be made, " + code.message(), folder.string(),
              "choose a place that can be written to");
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

Result<EventRunResult> run_events(const EventData& data, const fs::path& source,
                                  const EventOptions& options, const fs::path& folder,
                                  const Observer& observer,
                                  const std::function<void(const std::string&)>& say) {
  LERP_CHECK(check_options(options));
  LERP_TRY(ending, ending_named(options.ending));
  const LabelledGraphs train = labelled(data[Split::train], ending, options.peel);
  if (train.graphs.empty()) {
    return fail("no training graph has an ending event", source.string(),
                "give graphs whose 'order' is not empty");
  }
  LERP_CHECK(make_folder(folder));
  const std::string place = fs::absolute(source).string();
  LERP_CHECK(write_file(folder / "config.toml", config_text(place, options)));
  const auto tell = [&](const std::string& line) -> Result<void> {
    if (say) say(line);
    return append(folder / "log.txt", line);
  };
  const LabelledGraphs dev = labelled(data[Split::valid], ending, 0);
  LERP_TRY(trained,
           train_events(train, dev, event_shape(options, data.trained, data.trained.event_types),
                        options, observer, [&](const EventEpoch& epoch) -> Result<void> {
                          LERP_CHECK(append(folder / "trace.jsonl", to_json(epoch).dump()));
                          return tell(to_text(epoch));
                        }));
  EventRunResult result{std::move(trained), {}, {}};
  EventModel& model = result.trained.model;
  model.names = data.names;
  model.data = place;
  LERP_CHECK(save_event_model(model, folder / "model.safetensors"));
  for (const Split split : {Split::valid, Split::test}) {
    Result<EndingReport> report = evaluate_events(model, data, split, options.threads);
    if (!report) continue;  // it asks nothing
    LERP_CHECK(tell(to_text(*report)));
    (split == Split::valid ? result.dev : result.test) = std::move(*report);
  }
  LERP_CHECK(write_file(folder / "metrics.json", to_json(result).dump(2) + "\n"));
  return result;
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
