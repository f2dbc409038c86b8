// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include <lerp/base/files.hpp>
#include <lerp/distill/apply.hpp>
#include <lerp/distill/distill.hpp>
#include <lerp/logic/rule_file.hpp>

namespace lerpp {
namespace {

constexpr std::array<std::pair<std::string_view, Aggregation>, 3> aggregations = {
    {{"max", Aggregation::max}, {"noisy-or", Aggregation::noisy_or}, {"sum", Aggregation::sum}}};

double confidence_of(const AnyburlRule& rule, const AnyburlOptions& options) {
  const double predicted = static_cast<double>(rule.predicted) + options.unseen;
  const double confidence = predicted > 0 ? static_cast<double>(rule.correct) / predicted : 0;
  if (rule.hops.empty()) return options.zero_weight * confidence;
  const bool open = rule.answer && !rule.end;
  return open ? options.open_weight * confidence : confidence;
}

}  // namespace

Result<Aggregation> aggregation_named(std::string_view name) {
  for (const auto& [known, aggregation] : aggregations) {
    if (known == name) return aggregation;
  }
  return fail_unknown("aggregation", name,
                      "choose one of max, noisy-or, sum, or list for a distilled list");
}

Result<std::vector<ConfidentRule>> load_confident_rules(const std::filesystem::path& path,
                                                        const Dataset& dataset,
                                                        const AnyburlOptions& options) {
  LERP_TRY(bytes, read_file(path));
  const Names names = {dataset.relations, dataset.entities};
  std::vector<ConfidentRule> result;
  if (looks_like_anyburl(bytes.view())) {
    LERP_TRY(rules, parse_anyburl(bytes.view(), names, path.string()));
    for (AnyburlRule& rule : rules) {
      const double confidence = confidence_of(rule, options);
      result.push_back({std::move(rule), confidence});
    }
  } else {
    LERP_TRY(rules, parse_rules(bytes.view(), names, path.string()));
    for (Rule& rule : rules) {
      const double confidence = rule.weight();
      result.push_back({std::move(rule), confidence});
    }
  }
  return result;
}

Result<AppliedRules> load_applied_rules(const std::filesystem::path& path, const KnownGraph& known,
                                        std::string_view aggregation,
                                        const AnyburlOptions& options) {
  std::string name(aggregation);
  if (name.empty()) {
    LERP_TRY(bytes, read_file(path));
    name = looks_like_list(bytes.view()) ? "list" : "max";
  }
  if (name == "list") {
    LERP_TRY(list, load_rules(path, known.dataset()));
    return AppliedRules{make_scorer(list, known.graph()), list.rules.size(), std::move(name)};
  }
  LERP_TRY(which, aggregation_named(name));
  LERP_TRY(rules, load_confident_rules(path, known.dataset(), options));
  return AppliedRules{make_scorer(rules, known.graph(), which), rules.size(), std::move(name)};
}

}  // namespace lerpp
