// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <nanobind/ndarray.h>

#include <lerp/base/files.hpp>
#include <lerp/base/options_json.hpp>
#include <lerp/logic/english.hpp>
#include <lerp/report/rule_picture.hpp>

#include "data.hpp"

namespace lerpp::python {
namespace {

using Rules = Told<RuleReport>;
using Functions = Told<std::vector<ReadFunction>>;
using Explained = Told<Explanation>;

RankingOptions ranking_of(const std::string& split, std::uint64_t facts) {
  RankingOptions options;
  options.split = ranked_split(split);
  options.facts = facts;
  return options;
}

Table table_of(const Rules& rules) {
  const Dataset& dataset = *rules.dataset;
  const Names names = {dataset.relations, dataset.entities};
  const auto relation = [&dataset](const ReadRule& read) {
    return dataset.relations.name(read.rule.target() % dataset.relations.size());
  };
  return TableMaker(rules.value.rules)
      .column("rule", [&](const ReadRule& read) { return to_text(read.rule, names); })
      .column("english", [&](const ReadRule& read) { return to_english(read.rule, names); })
      .column("relation", relation)
      .column("weight", [](const ReadRule& read) { return read.rule.weight(); })
      .column("share", [](const ReadRule& read) { return read.share; })
      .column("support", [](const ReadRule& read) { return read.support.support; })
      .column("body", [](const ReadRule& read) { return read.support.body; })
      .column("confidence", [](const ReadRule& read) { return read.support.confidence(); })
      .column("pca_confidence", [](const ReadRule& read) { return read.support.pca_confidence(); })
      .column("head_coverage", [](const ReadRule& read) { return read.support.head_coverage(); })
      .column("new", [](const ReadRule& read) { return read.news; })
      .column("hits", [](const ReadRule& read) { return read.hits; })
      .column("lift", [](const ReadRule& read) { return read.lift; })
      .column("source", [](const ReadRule& read) { return name_of(read.source); })
      .make();
}

Table table_of(const Functions& functions) {
  const Names names = {functions.dataset->relations, functions.dataset->entities};
  return TableMaker(functions.value)
      .column("formula", [&](const ReadFunction& read) { return to_text(read.formula, names); })
      .column("english", [&](const ReadFunction& read) { return to_english(read.formula, names); })
      .column("function", [](const ReadFunction& read) { return read.numbers.front(); })
      .column("use", [](const ReadFunction& read) { return read.use; })
      .column("share", [](const ReadFunction& read) { return read.share; })
      .column("correlation", [](const ReadFunction& read) { return read.correlation; })
      .column("agreement", [](const ReadFunction& read) { return read.agreement; })
      .make();
}

/// Raw parameters by name, as views of the model.
nb::dict parameters_of(nb::handle self) {
  const Parameters<float>& parameters = nb::cast<const Asked&>(self).run.model().parameters;
  nb::dict views;
  for (std::size_t place = 0; place < parameters.tensors().size(); ++place) {
    const Tensor& tensor = parameters.tensors()[place];
    views[tensor.name.c_str()] = nb::ndarray<nb::numpy, const float>(
        parameters.tensor(place).data(), tensor.dimensions.size(), tensor.dimensions.data(), self);
  }
  return views;
}

nb::object values_of(EntityFunctions found) {
  auto* owner = new EntityFunctions(std::move(found));
  const nb::capsule capsule(
      owner, [](void* held) noexcept { delete static_cast<EntityFunctions*>(held); });
  return nb::cast(nb::ndarray<nb::numpy, float, nb::ndim<2>>(
      owner->values.data(), {owner->entities, owner->functions}, capsule));
}

/// Writes the page and returns where, how long it is, and its figures.
nb::tuple write_report(Asked& asked, const std::string& out, const Settings& settings,
                       const nb::object& progress) {
  const auto options = options_of<ReportOptions>(settings);
  const Report report =
      asked.watched_run(progress, [&](const Run& run) { return run.report(options); });
  const std::string page = to_html(report, options);
  const std::filesystem::path path =
      out.empty() ? asked.run.folder() / "report.html" : std::filesystem::path(out);
  unlocked([&] { return write_file(path, page); });
  return nb::make_tuple(path, page, dump(to_json(report)));
}

void bind_results(nb::module_& module) {
  nb::class_<Rules>(module, "Rules")
      .def("__len__", [](const Rules& rules) { return rules.value.rules.size(); })
      .def("table", [](const Rules& rules) { return Held{table_of(rules)}; })
      .def("json", [](const Rules& rules) { return dump(to_json(rules.value, *rules.dataset)); })
      .def("text", [](const Rules& rules) { return to_text(rules.value, *rules.dataset); })
      .def(
          "svg",
          [](const Rules& rules, std::size_t place) {
            if (place >= rules.value.rules.size()) throw nb::index_error();
            return to_svg(rules.value.rules[place].rule,
                          {rules.dataset->relations, rules.dataset->entities});
          },
          nb::arg("place"));
  nb::class_<Functions>(module, "Functions")
      .def("table", [](const Functions& functions) { return Held{table_of(functions)}; })
      .def("json",
           [](const Functions& functions) {
             return dump(to_json(functions.value, *functions.dataset));
           })
      .def("text",
           [](const Functions& functions) { return to_text(functions.value, *functions.dataset); });
  nb::class_<Explained>(module, "Explained")
      .def("json", [](const Explained& told) { return dump(to_json(told.value, *told.dataset)); })
      .def("text", [](const Explained& told) { return to_text(told.value, *told.dataset); })
      .def("svg", [](const Explained& told) { return to_svg(told.value, *told.dataset); });
}

void bind_questions(nb::class_<Asked>& bound) {
  bound
      .def(
          "rules",
          [](Asked& asked, const Settings& settings, bool list, const nb::object& progress) {
            const auto options = options_of<RulesOptions>(settings);
            RuleReport report =
                asked.watched_run(progress, [&](const Run& run) -> Result<RuleReport> {
                  if (!list) return run.rules(options);
                  LERP_TRY(loaded, run.load_list());
                  return run.rules(loaded, options);
                });
            return Rules{std::move(report), asked.data()};
          },
          nb::arg("settings"), nb::arg("list"), nb::arg("progress").none())
      .def(
          "functions",
          [](Asked& asked, const Settings& settings, const nb::object& progress) {
            const auto options = options_of<FunctionsOptions>(settings);
            auto read =
                asked.watched_run(progress, [&](const Run& run) { return run.functions(options); });
            return Functions{std::move(read), asked.data()};
          },
          nb::arg("settings"), nb::arg("progress").none())
      .def(
          "explain",
          [](Asked& asked, const std::string& head, const std::string& relation,
             const std::string& tail, const Settings& settings, const nb::object& progress) {
            const auto options = options_of<ExplainOptions>(settings);
            asked.prepare(progress);
            auto explanation =
                unlocked([&] { return asked.run.explain(head, relation, tail, options); });
            return Explained{std::move(explanation), asked.data()};
          },
          nb::arg("head"), nb::arg("relation"), nb::arg("tail"), nb::arg("settings"),
          nb::arg("progress").none())
      .def(
          "rule_svg",
          [](Asked& asked, const std::string& text) {
            const auto data = asked.data();
            const Names names = {data->relations, data->entities};
            return to_svg(unwrap(parse_rule(text, names)), names);
          },
          nb::arg("rule"));
}

}  // namespace

void bind_run(nb::module_& module) {
  bind_results(module);
  nb::class_<Asked> bound(module, "Run");
  module.def(
      "open",
      [](const std::filesystem::path& folder, unsigned threads) {
        return std::make_shared<Asked>(unlocked([&] { return Run::open(folder, threads); }));
      },
      nb::arg("folder"), nb::arg("threads"));
  bound.def_prop_ro("folder", [](const Asked& asked) { return asked.run.folder().string(); })
      .def_prop_ro("data_path", [](const Asked& asked) { return asked.run.config().data.string(); })
      .def("options",
           [](const Asked& asked) { return dump(options_to_json(asked.run.config().options)); })
      .def("data",
           [](Asked& asked) {
             return Data{asked.data(), {}};
           })
      .def(
          "on",
          [](const Asked& asked, const Data& data) {
            return std::make_shared<Asked>(asked.run.on(data.dataset));
          },
          nb::arg("data"))
      .def(
          "on_path",
          [](const Asked& asked, const std::filesystem::path& path) {
            return std::make_shared<Asked>(asked.run.on(path));
          },
          nb::arg("path"))
      .def("soft", [](const Asked& asked) { return std::make_shared<Asked>(asked.run.soft()); })
      .def("rules_only",
           [](const Asked& asked) { return std::make_shared<Asked>(asked.run.rules_only()); })
      .def_prop_ro("ready", [](const Asked& asked) { return asked.ready.load(); })
      .def("prepare", &Asked::prepare, nb::arg("progress").none())
      .def(
          "evaluate",
          [](Asked& asked, const std::string& split, std::uint64_t facts,
             const nb::object& progress) {
            const RankingOptions options = ranking_of(split, facts);
            return dump(to_json(asked.watched_run(
                progress, [&](const Run& run) { return run.evaluate(options); })));
          },
          nb::arg("split"), nb::arg("facts"), nb::arg("progress").none())
      .def("parameters", [](const nb::object& self) { return parameters_of(self); })
      .def(
          "entity_functions",
          [](Asked& asked, const nb::object& progress) {
            return values_of(
                asked.watched_run(progress, [](const Run& run) { return run.entity_functions(); }));
          },
          nb::arg("progress").none())
      .def("trace",
           [](const Asked& asked) {
             Json epochs = Json::array();
             for (const EpochReport& epoch : unwrap(asked.run.trace()))
               epochs.push_back(to_json(epoch));
             return dump(epochs);
           })
      .def("report", &write_report, nb::arg("out"), nb::arg("settings"),
           nb::arg("progress").none());
  bind_questions(bound);
  bind_curation(module);
  bind_lists(module);
}

}  // namespace lerpp::python
