// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

namespace lerpp::python {
namespace {

nb::tuple told(const Exported& exported) {
  return nb::make_tuple(exported.text, exported.rules, exported.left_out);
}

}  // namespace

void bind_lists(nb::module_& module) {
  nb::class_<RuleList>(module, "RuleList").def("__len__", [](const RuleList& list) {
    return list.rules.size();
  });
  auto bound = nb::borrow<nb::class_<Asked>>(module.attr("Run"));
  bound
      .def(
          "distill",
          [](Asked& asked, const Settings& settings, const nb::object& progress) {
            options_of<DistillOptions>(settings);  // wrong ones are found before any data is read
            const auto options = options_of<DistillOptions>(
                settings, unlocked([&] { return asked.run.distill_options(); }));
            return asked.watched_run(progress,
                                     [&](const Run& run) { return run.distill(options); });
          },
          nb::arg("settings"), nb::arg("progress").none())
      .def(
          "save_list",
          [](Asked& asked, const RuleList& list, const std::string& out) {
            const std::filesystem::path path =
                out.empty() ? asked.run.list_file() : std::filesystem::path(out);
            unlocked([&] { return asked.run.save_list(list, path); });
            return path;
          },
          nb::arg("list"), nb::arg("out"))
      .def("load_list",
           [](Asked& asked) { return unlocked([&] { return asked.run.load_list(); }); })
      .def(
          "list_rules",
          [](Asked& asked, const RuleList& list, const Settings& settings,
             const nb::object& progress) {
            const auto options = options_of<RulesOptions>(settings);
            auto report = asked.watched_run(
                progress, [&](const Run& run) { return run.rules(list, options); });
            return Told<RuleReport>{std::move(report), asked.data()};
          },
          nb::arg("list"), nb::arg("settings"), nb::arg("progress").none())
      .def(
          "fidelity",
          [](Asked& asked, const RuleList& list, const std::vector<std::string>& splits,
             const nb::object& progress) {
            std::vector<Split> asked_of;
            for (const std::string& split : splits) asked_of.push_back(ranked_split(split));
            return dump(to_json(asked.watched_run(
                progress, [&](const Run& run) { return run.fidelity(list, asked_of); })));
          },
          nb::arg("list"), nb::arg("splits"), nb::arg("progress").none())
      .def(
          "export_list",
          [](Asked& asked, const RuleList& list, const std::string& format) {
            const ExportFormat language = unwrap(export_format_named(format));
            return told(unlocked([&] { return asked.run.export_rules(list, language); }));
          },
          nb::arg("list"), nb::arg("format"))
      .def(
          "export_rules",
          [](Asked& asked, const Told<RuleReport>& rules, const std::string& format) {
            const ExportFormat language = unwrap(export_format_named(format));
            const std::vector<Rule> all = rules.value.top(rules.value.rules.size());
            return told(unlocked([&] { return asked.run.export_rules(all, language); }));
          },
          nb::arg("rules"), nb::arg("format"))
      .def(
          "export_facts",
          [](Asked& asked, const std::string& format, const std::filesystem::path& path) {
            const ExportFormat language = unwrap(export_format_named(format));
            unlocked([&] { return asked.run.export_facts(language, path); });
          },
          nb::arg("format"), nb::arg("path"));
}

}  // namespace lerpp::python
