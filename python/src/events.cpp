// SPDX-License-Identifier: Apache-2.0
#include <lerp/events/baseline.hpp>
#include <lerp/events/explain.hpp>
#include <lerp/events/induce.hpp>
#include <lerp/events/train.hpp>

#include "support.hpp"

namespace lerpp::python {
namespace {

namespace fs = std::filesystem;

EventOptionRequest request_of(std::string preset, const Settings& settings) {
  EventOptionRequest request;
  request.preset = std::move(preset);
  for (const auto& [name, value] : settings) request.settings.push_back(name + "=" + value);
  return request;
}

/// The data that a model learned from, or other data with its names.
EventData data_for(const EventModel& model, const fs::path& other) {
  return unlocked(
      [&] { return load_events(other.empty() ? fs::path(model.data) : other, model.names); });
}

std::string baseline(const fs::path& path, const std::string& name, const std::string& split,
                     const std::string& ending, const fs::path& schemas, unsigned threads) {
  const EventBaseline kind = unwrap(event_baseline_named(name));
  const Ending ends = unwrap(ending_named(ending));
  if (kind == EventBaseline::schema && schemas.empty())
    raise({"the schemas are missing", "", "name a file of them: schemas=", ErrorKind::usage});
  const Split asked = ranked_split(split);
  return dump(to_json(unlocked([&]() -> Result<EndingReport> {
    LERP_TRY(data, load_events(path));
    std::vector<EventGraph> library;
    if (kind == EventBaseline::schema) {
      LERP_TRY(loaded, load_events(schemas, data.names));
      library = std::move(loaded[Split::train]);
    }
    LERP_TRY(cases, ending_cases(data, asked, ends));
    const auto scorer = make_event_baseline(kind, data, ends, library);
    EndingReport report =
        rank_endings(*scorer, cases, ends, data.names.event_types.size(), threads);
    report.data = data.name;
    report.split = split;
    report.model = name;
    return report;
  })));
}

}  // namespace

void bind_events(nb::module_& module) {
  module.def(
      "event_name",
      [](const fs::path& path) { return unlocked([&] { return load_events(path); }).name; },
      nb::arg("path"));
  module.def(
      "event_train",
      [](const fs::path& path, std::string preset, const Settings& settings, const fs::path& folder,
         const nb::object& progress) {
        const EventOptions options = unwrap(resolve(request_of(std::move(preset), settings)));
        return dump(
            to_json(watched(progress, [&](const Observer& observer) -> Result<EventRunResult> {
              LERP_TRY(data, load_events(path, {}, observer));
              return run_events(data, path, options, folder, observer);
            })));
      },
      nb::arg("path"), nb::arg("preset"), nb::arg("settings"), nb::arg("folder"),
      nb::arg("progress").none());
  module.def(
      "event_resume",
      [](const fs::path& folder, const nb::object& progress) {
        return dump(to_json(watched(
            progress, [&](const Observer& observer) { return resume_events(folder, observer); })));
      },
      nb::arg("folder"), nb::arg("progress").none());
  module.def("event_baseline", &baseline, nb::arg("path"), nb::arg("model"), nb::arg("split"),
             nb::arg("ending"), nb::arg("schemas"), nb::arg("threads"));
  module.def(
      "event_induce",
      [](const fs::path& path, const Settings& settings, const nb::object& progress) {
        const auto options = options_of<InduceOptions>(settings);
        const Induction found =
            watched(progress, [&](const Observer& observer) -> Result<Induction> {
              LERP_TRY(data, load_events(path, {}, observer));
              return induce(data, options, observer);
            });
        return nb::make_tuple(dump(to_json(found)), to_text(found), to_html(found));
      },
      nb::arg("path"), nb::arg("settings"), nb::arg("progress").none());
  nb::class_<EventModel>(module, "EventModel")
      .def_ro("data", &EventModel::data)
      .def(
          "evaluate",
          [](const EventModel& model, const fs::path& other, const std::string& split,
             unsigned threads) {
            const EventData data = data_for(model, other);
            const Split asked = ranked_split(split, true);
            return dump(
                to_json(unlocked([&] { return evaluate_events(model, data, asked, threads); })));
          },
          nb::arg("data"), nb::arg("split"), nb::arg("threads"))
      .def(
          "explain",
          [](const EventModel& model, const fs::path& other, const std::string& split,
             std::size_t top) {
            const EventData data = data_for(model, other);
            const Split asked = ranked_split(split, true);
            const EndingExplanations found =
                unlocked([&] { return explain_endings(model, data, asked); });
            return nb::make_tuple(dump(to_json(found, top)), to_text(found, top));
          },
          nb::arg("data"), nb::arg("split"), nb::arg("top"));
  module.def(
      "event_open", [](const fs::path& folder) { return unwrap(open_events(folder)); },
      nb::arg("folder"));
}

}  // namespace lerpp::python
