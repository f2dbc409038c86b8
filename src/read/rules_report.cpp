// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/logic/english.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/read/rules.hpp>

namespace lerpp {
namespace {

constexpr std::string_view indent = "                 ";

std::string figures(const ReadRule& read) {
  const Support& support = read.support;
  std::string text =
      fmt::format("support {}   head coverage {:.2f}   confidence {:.2f}   PCA {:.2f}",
                  thousands(support.support), support.head_coverage(), support.confidence(),
                  support.pca_confidence());
  if (read.lift) {
    text += "   lift " + (*read.lift < 10 ? fmt::format("{:.1f}", *read.lift)
                                          : thousands(static_cast<std::uint64_t>(*read.lift)));
  }
  if (read.counted < 1) text += fmt::format("   (of {:.2g} % of the x)", 100 * read.counted);
  return text;
}

/// "x = anna, z1 = ben, y = carl"
std::string words(const RuleExample& example, const Dataset& dataset) {
  std::string text;
  for (std::size_t k = 0; k < example.path.size(); ++k) {
    const std::string variable = k == 0                         ? "x"
                                 : k + 1 == example.path.size() ? "y"
                                                                : fmt::format("z{}", k);
    text += fmt::format("{}{} = {}", k == 0 ? "" : ", ", variable,
                        dataset.entity_label(example.path[k]));
  }
  return text + (example.known ? "" : " (not known)");
}

/// Products of shares are small: two digits that count.
std::string weight_text(double weight, bool sum) {
  return sum ? fmt::format("{:6.2g}", weight) : fmt::format("{:6.2f}", weight);
}

/// Rules with a negative weight speak against their head.
std::string reading(const Rule& rule, const Names& names) {
  return (rule.weight() < 0 ? "it is less likely that " : "") + to_english(rule, names);
}

Json json_of(const ReadRule& read, const Dataset& dataset) {
  const Names names = {dataset.relations, dataset.entities};
  const Support& support = read.support;
  Json json = {{"rule", to_text(read.rule, names)},
               {"english", reading(read.rule, names)},
               {"relation",
                std::string(dataset.relations.name(read.rule.target() % dataset.relations.size()))},
               {"weight", read.rule.weight()},
               {"share", read.share},
               {"source", std::string(name_of(read.source))},
               {"support", support.support},
               {"body", support.body},
               {"head", support.head},
               {"head_coverage", support.head_coverage()},
               {"confidence", support.confidence()},
               {"pca_confidence", support.pca_confidence()},
               {"counted", read.counted},
               {"new", read.news},
               {"hits", read.hits},
               {"lift", read.lift ? Json(*read.lift) : Json()},
               {"examples", Json::array()}};
  for (const RuleExample& example : read.examples) {
    Json path = Json::array();
    for (const EntityId entity : example.path)
      path.push_back(std::string(dataset.entities.name(entity)));
    json["examples"].push_back({{"path", path}, {"known", example.known}});
  }
  return json;
}

Json texts(const std::vector<Rule>& rules, const Names& names) {
  Json json = Json::array();
  for (const Rule& rule : rules) json.push_back(to_text(rule, names));
  return json;
}

}  // namespace

Json to_json(const RuleReport& report, const Dataset& dataset) {
  Json json = {{"dataset", dataset.name},
               {"found", report.found},
               {"questions", report.questions},
               {"weights", report.sum ? "score of a grounding" : "log-odds"},
               {"seconds", report.seconds},
               {"rules", Json::array()}};
  for (const ReadRule& read : report.rules) json["rules"].push_back(json_of(read, dataset));
  return json;
}

std::string to_text(const RuleReport& report, const Dataset& dataset) {
  const Names names = {dataset.relations, dataset.entities};
  std::string text = fmt::format("  share  weight  {} of {} rules, {} questions asked, {:.1f} s\n",
                                 thousands(report.rules.size()), thousands(report.found),
                                 thousands(report.questions), report.seconds);
  for (const ReadRule& read : report.rules) {
    text += fmt::format("{:5.1f} %  {}  {}\n", 100 * read.share,
                        weight_text(read.rule.weight(), report.sum), to_text(read.rule, names));
    text += fmt::format("{}{}\n", indent, reading(read.rule, names));
    text += fmt::format("{}{}\n", indent, figures(read));
    for (const RuleExample& example : read.examples)
      text += fmt::format("{}such as {}\n", indent, words(example, dataset));
  }
  text.pop_back();
  return text;
}

Json to_json(const Recovery& recovery, const Dataset& dataset) {
  const Names names = {dataset.relations, dataset.entities};
  return {{"precision", recovery.precision()},
          {"recall", recovery.recall()},
          {"coverage", recovery.coverage()},
          {"shown", recovery.shown},
          {"right", recovery.right},
          {"given", recovery.given},
          {"found", recovery.found},
          {"covered", recovery.covered},
          {"missed", texts(recovery.missed, names)},
          {"wrong", texts(recovery.wrong, names)}};
}

std::string to_text(const Recovery& recovery) {
  return fmt::format(
      "precision {:.3f}: {} of {} rules shown have no exception\n"
      "recall    {:.3f}: {} of {} true rules are shown\n"
      "coverage  {:.3f}: {} of them follow from the true ones shown",
      recovery.precision(), recovery.right, recovery.shown, recovery.recall(), recovery.found,
      recovery.given, recovery.coverage(), recovery.covered);
}

}  // namespace lerpp
