// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/options_json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/base/version.hpp>
#include <lerp/embed/embed.hpp>
#include <lerp/run/learn.hpp>
#include <lerp/sweep/sweep.hpp>

#include "data.hpp"
#include "support.hpp"

namespace lerpp::python {
namespace {

std::vector<std::string> setting_lines(const Settings& settings) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : settings) lines.push_back(name + "=" + value);
  return lines;
}

/// What Python gives besides the data, merged as the command line does.
struct Request {
  std::string preset;
  std::string config;
  Settings settings;
  std::optional<std::uint64_t> seed;
  std::optional<unsigned> threads;
  bool on_valid = false;

  OptionRequest made() const {
    OptionRequest request;
    request.preset = preset;
    request.config = config;
    request.settings = setting_lines(settings);
    request.seed = seed;
    request.threads = threads;
    request.on_valid = on_valid;
    return request;
  }
};

}  // namespace

void bind_training(nb::module_& module) {
  module.attr("version") = std::string(program_version);
  nb::class_<Request>(module, "Request")
      .def(
          "__init__",
          [](Request* self, std::string preset, std::string config, Settings settings,
             std::optional<std::uint64_t> seed, std::optional<unsigned> threads, bool on_valid) {
            new (self) Request{std::move(preset), std::move(config), std::move(settings), seed,
                               threads,           on_valid};
          },
          nb::arg("preset"), nb::arg("config"), nb::arg("settings"), nb::arg("seed").none(),
          nb::arg("threads").none(), nb::arg("on_valid"));
  module.def(
      "check", [](const Request& request) { unwrap(resolve(Dataset{}, request.made())); },
      nb::arg("request"), "Finds options that are wrong whatever the data.");
  module.def(
      "options",
      [](const Data& data, const Request& request) {
        return dump(options_to_json(*unwrap(resolve(*data.dataset, request.made()))));
      },
      nb::arg("data"), nb::arg("request"));
  module.def(
      "free_run_name", [](const Data& data) { return free_run_name(data.dataset->name); },
      nb::arg("data"));
  module.def(
      "duration", [](const std::string& text) { return unwrap(parse_duration(text)); },
      nb::arg("text"));
  module.def(
      "train",
      [](const Data& data, const Request& request, const std::filesystem::path& folder,
         const nb::object& progress) {
        const ResolvedOptions options = unwrap(resolve(*data.dataset, request.made()));
        return dump(to_json(watched(progress, [&](const Observer& observer) {
          return train_run(*data.dataset, data.path, options, folder, observer);
        })));
      },
      nb::arg("data"), nb::arg("request"), nb::arg("folder"), nb::arg("progress").none());
  module.def(
      "resume",
      [](const std::filesystem::path& folder, const nb::object& progress) {
        return dump(to_json(watched(
            progress, [&](const Observer& observer) { return continue_run(folder, observer); })));
      },
      nb::arg("folder"), nb::arg("progress").none());
  module.def(
      "embed",
      [](const Data& data, const Settings& settings, const std::filesystem::path& folder,
         const nb::object& progress) {
        auto options = options_of<EmbedOptions>(settings);
        resolve(options, *data.dataset);
        return dump(to_json(watched(progress, [&](const Observer& observer) {
          return embed_run(*data.dataset, data.path, options, folder, observer);
        })));
      },
      nb::arg("data"), nb::arg("settings"), nb::arg("folder"), nb::arg("progress").none());
  module.def(
      "sweep",
      [](const Data& data, const std::vector<std::string>& over, const Settings& settings,
         const Settings& options, const nb::object& progress) {
        std::vector<SweepAxis> axes;
        for (const std::string& text : over) axes.push_back(unwrap(parse_axis(text)));
        const auto chosen = options_of<SweepOptions>(options);
        const Sweep found = watched(progress, [&](const Observer& observer) {
          return sweep(*data.dataset, axes, chosen, setting_lines(settings), observer);
        });
        return nb::make_tuple(dump(to_json(found)), to_text(found), to_svg(found));
      },
      nb::arg("data"), nb::arg("over"), nb::arg("settings"), nb::arg("options"),
      nb::arg("progress").none());
}

}  // namespace lerpp::python
