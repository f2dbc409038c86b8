// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/logic/english.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/read/functions.hpp>

#include "read/softmax.hpp"

namespace lerpp {
namespace {

/// How loudly a rule speaks through its constraint at variable k: at each hop from k on.
double loudness(const Model& model, OperatorId target, std::size_t rule, std::size_t k) {
  const ModelShape& shape = model.shape();
  if (!shape.evidence) return 1 / (1 + std::exp(-double{model.parameters.w(target)[rule]}));
  const std::size_t first = rule * (shape.length + std::size_t{1});
  double sum = 0;
  for (std::size_t hop = k; hop <= shape.length; ++hop)
    sum += std::abs(double{model.parameters.of(Part::weight, target)[first + hop]});
  return sum;
}

/// The share of each function, `true` first, in the weight of all constraints.
std::vector<double> uses(const Model& model) {
  const ModelShape& shape = model.shape();
  const std::size_t count = shape.functions() + std::size_t{1};
  std::vector<double> use(count);
  double all = 0;
  for (OperatorId target = 0; target < shape.operators(); ++target) {
    for (std::size_t rule = 0; rule < shape.rules; ++rule) {
      for (std::size_t k = 0; k <= shape.length; ++k) {
        const double loud = loudness(model, target, rule, k);
        all += loud;
        if (rule >= shape.constrained()) {
          use[0] += loud;
          continue;
        }
        const std::vector<double> rho = softmax(model.parameters.rho(target, rule, k));
        for (std::size_t i = 0; i < count; ++i) use[i] += loud * rho[i];
      }
    }
  }
  for (double& share : use) share = all > 0 ? share / all : 0;
  return use;
}

/// Some of the entities, evenly spread.
std::vector<EntityId> some(const EntitySet& set, std::size_t most) {
  std::vector<EntityId> members;
  set.for_each([&](EntityId entity) { members.push_back(entity); });
  std::vector<EntityId> result;
  const std::size_t size = std::min(most, members.size());
  for (std::size_t i = 0; i < size; ++i)
    result.push_back(members[(2 * i + 1) * members.size() / (2 * size)]);
  return result;
}

}  // namespace

Result<std::vector<ReadFunction>> functions(const Model& model, const KnownGraph& known,
                                            const FunctionsOptions& options) {
  LERP_CHECK(check_options(options));
  const Graph& graph = known.graph();
  const std::vector<FunctionReading> readings = read_functions(model, graph, options);
  const std::vector<double> use = uses(model);
  std::map<Formula, ReadFunction> merged;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (!readings[i].constant) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return readings[a].correlation > readings[b].correlation;
  });
  for (const std::size_t i : order) {
    const FunctionReading& reading = readings[i];
    ReadFunction& function = merged[reading.formula];
    if (function.numbers.empty()) {
      function.formula = reading.formula;
      function.correlation = reading.correlation;
      function.agreement = reading.agreement;
      function.low = reading.low;
      function.high = reading.high;
    }
    function.numbers.push_back(static_cast<std::uint32_t>(i + 1));
    function.use += use[i + 1];
  }
  std::vector<ReadFunction> result;
  result.reserve(merged.size());
  for (auto& [formula, function] : merged) result.push_back(std::move(function));
  std::stable_sort(result.begin(), result.end(),
                   [](const ReadFunction& a, const ReadFunction& b) { return a.use > b.use; });
  if (options.top > 0 && result.size() > options.top) result.resize(options.top);
  Evaluator evaluator(graph);
  for (ReadFunction& function : result) {
    const EntitySet& set = evaluator(function.formula);
    function.share = static_cast<double>(set.count()) / graph.entities();
    function.examples = some(set, options.examples);
  }
  return result;
}

Json to_json(const std::vector<ReadFunction>& functions, const Dataset& dataset) {
  const Names names = {dataset.relations, dataset.entities};
  Json json = {{"dataset", dataset.name}, {"functions", Json::array()}};
  for (const ReadFunction& function : functions) {
    Json examples = Json::array();
    for (const EntityId entity : function.examples)
      examples.push_back(std::string(dataset.entities.name(entity)));
    json["functions"].push_back({{"formula", to_text(function.formula, names)},
                                 {"english", to_english(function.formula, names)},
                                 {"numbers", function.numbers},
                                 {"use", function.use},
                                 {"correlation", function.correlation},
                                 {"agreement", function.agreement},
                                 {"low", function.low},
                                 {"high", function.high},
                                 {"share", function.share},
                                 {"examples", examples}});
  }
  return json;
}

std::string to_text(const std::vector<ReadFunction>& functions, const Dataset& dataset) {
  const Names names = {dataset.relations, dataset.entities};
  if (functions.empty()) return "the model has no functions that tell entities apart";
  std::string text;
  for (const ReadFunction& function : functions) {
    std::string numbers;
    for (const std::uint32_t number : function.numbers)
      numbers += fmt::format("{}L{}", numbers.empty() ? "" : " ", number);
    std::string examples;
    for (const EntityId entity : function.examples)
      examples += fmt::format("{}{}", examples.empty() ? "" : ", ", dataset.entity_label(entity));
    text += fmt::format("{:5.1f} %  {}\n", 100 * function.use, to_text(function.formula, names));
    text += fmt::format("         {}\n", to_english(function.formula, names));
    text += fmt::format(
        "         {}   correlation {:.2f}   agreement {:.2f}   holds of {:.1f} % of the entities\n",
        numbers, function.correlation, function.agreement, 100 * function.share);
    if (!examples.empty()) text += fmt::format("         such as {}\n", examples);
  }
  text.pop_back();
  return text;
}

}  // namespace lerpp
