// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

namespace lerpp::python {
namespace {

using Curated = Told<CuratedFacts>;
using Scored = Told<ScoredFacts>;

Table table_of(const std::vector<CuratedFact>& facts, const Dataset& dataset) {
  using Item = CuratedFact;
  return TableMaker(facts)
      .column("subject", [&](const Item& item) { return dataset.entities.name(item.fact.subject); })
      .column("relation",
              [&](const Item& item) { return dataset.relations.name(item.fact.relation); })
      .column("object", [&](const Item& item) { return dataset.entities.name(item.fact.object); })
      .column("probability", [](const Item& item) { return item.probability; })
      .column("score", [](const Item& item) { return item.score; })
      .column("reason", [](const Item& item) { return std::string_view(item.reason); })
      .column("support", [](const Item& item) { return item.support; })
      .column("confidence", [](const Item& item) { return item.confidence; })
      .column("fits", [](const Item& item) { return item.fits; })
      .column("objection", [](const Item& item) { return std::string_view(item.objection); })
      .make();
}

Table table_of(const std::vector<ScoredFacts::Item>& facts, const Dataset& dataset) {
  using Item = ScoredFacts::Item;
  return TableMaker(facts)
      .column("subject",
              [&](const Item& item) { return dataset.entities.name(item.given.fact.subject); })
      .column("relation",
              [&](const Item& item) { return dataset.relations.name(item.given.fact.relation); })
      .column("object",
              [&](const Item& item) { return dataset.entities.name(item.given.fact.object); })
      .column("probability", [](const Item& item) { return item.probability; })
      .column("score", [](const Item& item) { return item.score; })
      .column("known",
              [](const Item& item) -> std::optional<std::string_view> {
                if (!item.known) return {};
                return name_of(*item.known);
              })
      .make();
}

/// One row for each answer of many predictions.
Table table_of(const std::vector<Prediction>& predictions) {
  struct Row {
    const Prediction* asked;
    const Prediction::Answer* answer;
  };
  std::vector<Row> rows;
  for (const Prediction& prediction : predictions) {
    for (const Prediction::Answer& answer : prediction.answers)
      rows.push_back({&prediction, &answer});
  }
  const auto end = [](const Row& row, bool head) {
    return std::string_view(row.asked->tail == head ? row.asked->given : row.answer->name);
  };
  return TableMaker(rows)
      .column("head", [&](const Row& row) { return end(row, true); })
      .column("relation", [](const Row& row) { return std::string_view(row.asked->relation); })
      .column("tail", [&](const Row& row) { return end(row, false); })
      .column("rank", [](const Row& row) { return row.answer->standing.rank.realistic(); })
      .column("score", [](const Row& row) { return row.answer->standing.score; })
      .column("probability", [](const Row& row) { return row.answer->standing.probability; })
      .column("known",
              [](const Row& row) -> std::optional<std::string_view> {
                if (!row.answer->known) return {};
                return name_of(*row.answer->known);
              })
      .column("objection", [](const Row& row) { return std::string_view(row.answer->objection); })
      .make();
}

/// Names of facts, three in a row and perhaps a label.
std::vector<LabelledFact> facts_of(const Predictor& ready, const nb::list& rows) {
  std::vector<LabelledFact> facts;
  for (const nb::handle row : rows) {
    const auto parts = nb::cast<nb::tuple>(row);
    const Fact fact =
        unwrap(ready.fact(nb::cast<std::string>(parts[0]), nb::cast<std::string>(parts[1]),
                          nb::cast<std::string>(parts[2])));
    std::optional<bool> label;
    if (parts.size() > 3 && !parts[3].is_none()) label = nb::cast<bool>(parts[3]);
    facts.push_back({fact, label});
  }
  return facts;
}

template <class Options>
Curated curate(Asked& asked, Result<CuratedFacts> (Run::*ask)(const Options&) const,
               const Settings& settings, const nb::object& progress) {
  const auto options = options_of<Options>(settings);
  CuratedFacts found =
      asked.watched_run(progress, [&](const Run& run) { return (run.*ask)(options); });
  asked.ready = true;
  return {std::move(found), asked.data()};
}

void bind_results(nb::module_& module) {
  using Answer = Prediction::Answer;
  nb::class_<Answer>(module, "Answer",
                     "One answer to a question, with how it stands among all entities.")
      .def_prop_ro("name", [](const Answer& answer) { return answer.name; })
      .def_prop_ro(
          "label",
          [](const Answer& answer) { return answer.label.empty() ? answer.name : answer.label; })
      .def_prop_ro("score", [](const Answer& answer) { return answer.standing.score; })
      .def_prop_ro("rank", [](const Answer& answer) { return answer.standing.rank.realistic(); })
      .def_prop_ro("softmax", [](const Answer& answer) { return answer.standing.softmax; })
      .def_prop_ro("probability", [](const Answer& answer) { return answer.standing.probability; })
      .def_prop_ro("known",
                   [](const Answer& answer) -> std::optional<std::string> {
                     if (!answer.known) return {};
                     return std::string(name_of(*answer.known));
                   })
      .def_prop_ro("objection", [](const Answer& answer) { return answer.objection; })
      .def("__repr__", [](const Answer& answer) {
        return answer.standing.probability
                   ? fmt::format("Answer({}, probability {:.3f})", answer.name,
                                 *answer.standing.probability)
                   : fmt::format("Answer({}, score {:.3f})", answer.name, answer.standing.score);
      });
  nb::class_<Prediction>(module, "Prediction")
      .def_prop_ro("relation", [](const Prediction& told) { return told.relation; })
      .def_prop_ro("given", [](const Prediction& told) { return told.given; })
      .def_prop_ro("tail", [](const Prediction& told) { return told.tail; })
      .def("__len__", [](const Prediction& told) { return told.answers.size(); })
      .def("answers", [](const Prediction& told) { return told.answers; })
      .def("table", [](const Prediction& told) { return Held{table_of(std::vector{told})}; })
      .def("json", [](const Prediction& told) { return dump(to_json(told)); })
      .def("text", [](const Prediction& told) { return to_text(told); });
  nb::class_<Curated>(module, "Curated")
      .def("table",
           [](const Curated& told) { return Held{table_of(told.value.facts, *told.dataset)}; })
      .def("json", [](const Curated& told) { return dump(to_json(told.value, *told.dataset)); })
      .def("text", [](const Curated& told) { return to_text(told.value, *told.dataset); });
  nb::class_<Scored>(module, "Scored")
      .def("table",
           [](const Scored& told) { return Held{table_of(told.value.facts, *told.dataset)}; })
      .def("json", [](const Scored& told) { return dump(to_json(told.value, *told.dataset)); });
  nb::class_<Calibration>(module, "Calibration")
      .def("json", [](const Calibration& told) { return dump(to_json(told)); })
      .def("text", [](const Calibration& told) { return to_text(told); })
      .def("svg", [](const Calibration& told) { return to_svg(told); });
}

}  // namespace

void bind_curation(nb::module_& module) {
  bind_results(module);
  auto bound = nb::borrow<nb::class_<Asked>>(module.attr("Run"));
  bound
      .def(
          "predict",
          [](Asked& asked, std::string_view head, std::string_view relation, std::string_view tail,
             std::uint32_t top, std::string known, const nb::object& progress) {
            asked.prepare(progress);
            const PredictOptions options{top, std::move(known)};
            return unlocked([&] { return asked.run.predict(head, relation, tail, options); });
          },
          nb::arg("head"), nb::arg("relation"), nb::arg("tail"), nb::arg("top"), nb::arg("known"),
          nb::arg("progress").none())
      .def(
          "predict_all",
          [](Asked& asked, const std::vector<std::string>& heads,
             const std::vector<std::string>& relations, const std::vector<std::string>& tails,
             std::uint32_t top, std::string known, const nb::object& progress) {
            asked.prepare(progress);
            const auto ready = unwrap(asked.run.predictor());
            std::vector<Query> queries;
            for (std::size_t i = 0; i < heads.size(); ++i)
              queries.push_back(unwrap(ready->question(heads[i], relations[i], tails[i])));
            const PredictOptions options{top, std::move(known)};
            return Held{table_of(asked.watched_run(
                progress, [&](const Run& run) { return run.predict_all(queries, options); }))};
          },
          nb::arg("heads"), nb::arg("relations"), nb::arg("tails"), nb::arg("top"),
          nb::arg("known"), nb::arg("progress").none())
      .def(
          "complete",
          [](Asked& asked, const Settings& settings, const nb::object& progress) {
            return curate(asked, &Run::complete, settings, progress);
          },
          nb::arg("settings"), nb::arg("progress").none())
      .def(
          "doubt",
          [](Asked& asked, const Settings& settings, const nb::object& progress) {
            return curate(asked, &Run::doubt, settings, progress);
          },
          nb::arg("settings"), nb::arg("progress").none())
      .def(
          "score",
          [](Asked& asked, const nb::list& rows, const nb::object& progress) {
            asked.prepare(progress);
            std::vector<LabelledFact> facts = facts_of(*unwrap(asked.run.predictor()), rows);
            ScoredFacts scored = asked.watched_run(
                progress, [&](const Run& run) { return run.score(std::move(facts)); });
            return Scored{std::move(scored), asked.data()};
          },
          nb::arg("facts"), nb::arg("progress").none())
      .def(
          "calibration",
          [](Asked& asked, const Settings& settings, const nb::object& progress) {
            const auto options = options_of<CalibrationOptions>(settings);
            return asked.watched_run(progress,
                                     [&](const Run& run) { return run.calibration(options); });
          },
          nb::arg("settings"), nb::arg("progress").none());
}

}  // namespace lerpp::python
