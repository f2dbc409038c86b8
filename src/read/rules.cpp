// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <lerp/read/rules.hpp>

#include "base/clock.hpp"
#include "read/list_watcher.hpp"
#include "read/model_watcher.hpp"
#include "read/read_off.hpp"
#include "read/rule_reader.hpp"

namespace lerpp {
namespace {

/// Literals tried on each end of a rule.
constexpr std::size_t literals_tried = 8;
/// Operators whose literals are tried where a model has no prior.
constexpr std::size_t telling_tried = 12;

Result<std::vector<RelationId>> wanted_relations(const Dataset& dataset,
                                                 const RulesOptions& options) {
  std::vector<RelationId> relations;
  if (options.relation.empty()) {
    for (RelationId id = 0; id < dataset.relations.size(); ++id) relations.push_back(id);
    return relations;
  }
  const auto found = dataset.relations.find(options.relation);
  if (found) return std::vector<RelationId>{*found};
  std::vector<std::string_view> names;
  for (RelationId id = 0; id < dataset.relations.size(); ++id)
    names.push_back(dataset.relations.name(id));
  Error error = unknown_option(options.relation, names).value();
  error.what = fmt::format("there is no relation '{}'", options.relation);
  error.where = dataset.name;
  return tl::unexpected<Error>(std::move(error));
}

/// What a model's prior makes of one end of a target's answers, the strongest first.
std::vector<Literal> prior_literals(const Model& model, OperatorId target, bool on_y) {
  const ModelShape& shape = model.shape();
  const RelationId relation = target % shape.relations;
  // What is said of x is said where x is the answer.
  const OperatorId asked =
      (target < shape.relations) == on_y ? relation : relation + shape.relations;
  const std::span<const float> weights = model.parameters.of(Part::prior, asked);
  std::vector<Literal> literals;
  const std::span<const OperatorId> operators = model.parameters.operators(asked);
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const OperatorId op = operators[i];
    if (op % shape.relations == relation) continue;
    const double value = double{weights[2 * i]} + double{weights[2 * i + 1]} * std::log(2.0);
    const Formula exists = Formula::exists(op);
    literals.push_back({on_y, value > 0 ? exists : Formula::negation(exists), std::abs(value)});
  }
  std::stable_sort(literals.begin(), literals.end(),
                   [](const Literal& a, const Literal& b) { return a.evidence > b.evidence; });
  if (literals.size() > literals_tried) literals.resize(literals_tried);
  return literals;
}

/// What may be said of one end beside a body, of a model without a prior: what its rules ask for at
/// that end, and what entities most often have or lack.
std::vector<Literal> other_literals(const ConstraintReader& reader,
                                    const std::vector<OperatorId>& telling, OperatorId target,
                                    RelationId relations, bool on_y) {
  const RelationId relation = target % relations;
  const bool object = (target < relations) == on_y;
  std::vector<Literal> literals;
  for (const Formula& formula : reader.on_end(relation, object, literals_tried))
    literals.push_back({on_y, formula, 0});
  for (const OperatorId op : telling) {
    if (op % relations == relation) continue;
    const Formula exists = Formula::exists(op);
    literals.push_back({on_y, exists, 0});
    literals.push_back({on_y, Formula::negation(exists), 0});
  }
  return literals;
}

}  // namespace

std::vector<Rule> RuleReport::top(std::size_t most) const {
  std::vector<Rule> result;
  for (std::size_t i = 0; i < std::min(most, rules.size()); ++i) result.push_back(rules[i].rule);
  return result;
}

namespace {

/// Asks the model about the relations that have not been read yet.
Result<void> read_unread(const Model& model, const KnownGraph& known, const RulesOptions& options,
                         const std::vector<RelationId>& relations, const Observer& observer,
                         RuleReader& rule_reader) {
  const Graph& graph = known.graph();
  const Background background(model.shape(), known, model.paths);
  if (observer.stopped()) return fail_stopped("reading rules");
  const ConstraintReader reader(model, graph, options.threads);
  std::vector<std::unique_ptr<ModelWatcher>> watchers(worker_count(options.threads));
  const RuleReader::Watch watch = [&](unsigned worker, OperatorId target,
                                      std::span<const Question> questions, Random& random,
                                      Ledger& ledger) {
    auto& watcher = watchers[worker];
    if (!watcher) watcher = std::make_unique<ModelWatcher>(model, background, reader);
    watcher->watch(target, questions, random, ledger);
  };
  const std::vector<OperatorId> telling = telling_operators(graph, telling_tried);
  const RuleReader::LiteralsOf literals = [&](OperatorId target) {
    std::vector<Literal> both;
    for (const bool on_y : {true, false}) {
      const std::vector<Literal> some =
          model.shape().prior ? prior_literals(model, target, on_y)
                              : other_literals(reader, telling, target, graph.relations(), on_y);
      both.insert(both.end(), some.begin(), some.end());
    }
    return both;
  };
  return rule_reader.read(relations, watch, literals);
}

}  // namespace

Result<RuleReport> rules(const Model& given, const KnownGraph& known, const RulesOptions& options,
                         const Observer& observer, const std::filesystem::path& kept) {
  if (given.list) return rules(*given.list, known, options, observer);
  LERP_CHECK(check_options(options));
  const Clock::time_point start = Clock::now();
  const Dataset& dataset = known.dataset();
  const Model model = without_embedding(given);
  if (!serves(model, dataset)) {
    return fail("the model was learned from other relations", dataset.name,
                "give the dataset that the run was made from");
  }
  LERP_TRY(relations, wanted_relations(dataset, options));
  const std::string key = kept.empty() ? "" : key_of_readings(model, known, options);
  RuleReader reader(known, options, observer,
                    kept.empty() ? Readings() : load_readings(kept, key, dataset));
  const std::vector<RelationId> unread = reader.unread(relations);
  if (!unread.empty()) LERP_CHECK(read_unread(model, known, options, unread, observer, reader));
  LERP_TRY(report, reader.list(relations));
  // A folder that cannot be written to only costs the time to read again.
  if (!kept.empty() && reader.has_read())
    (void)save_readings(reader.readings(), kept, key, dataset);
  report.sum = !model.shape().evidence;
  report.seconds = seconds_since(start);
  return report;
}

Result<RuleReport> rules(const RuleList& list, const KnownGraph& known, const RulesOptions& options,
                         const Observer& observer) {
  LERP_CHECK(check_options(options));
  const Clock::time_point start = Clock::now();
  LERP_TRY(relations, wanted_relations(known.dataset(), options));
  const Graph& graph = known.graph();
  const RuleReader::Watch watch =
      [&](unsigned, OperatorId target, std::span<const Question> questions, Random&,
          Ledger& ledger) { ListWatcher(list, graph).watch(target, questions, ledger); };
  RuleReader reader(known, options, observer);
  LERP_CHECK(reader.read(relations, watch, {}));
  LERP_TRY(report, reader.list(relations));
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace lerpp
