// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/report/network.hpp>

#include "read/softmax.hpp"

namespace lerpp {
namespace {

using Weighed = Network::Weighed;

enum Operation : std::uint32_t { true_, chaining, not_, copy, and_, or_ };
constexpr std::array<const char*, 6> operation_names = {"true", "chaining", "not",
                                                        "copy", "and",      "or"};

/// The heaviest, at most so many, none lighter than that; the heaviest of all in any case.
std::vector<Weighed> heaviest(const std::vector<double>& weights, std::size_t most, double least) {
  std::vector<Weighed> all;
  all.reserve(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    all.push_back({static_cast<std::uint32_t>(i), weights[i]});
  std::stable_sort(all.begin(), all.end(),
                   [](const Weighed& a, const Weighed& b) { return a.weight > b.weight; });
  std::size_t kept = 0;
  while (kept < std::min(most, all.size()) && (kept == 0 || all[kept].weight >= least)) ++kept;
  all.resize(kept);
  return all;
}

/// How loudly a soft rule speaks.
double strength_of(const Model& model, OperatorId target, std::size_t rule) {
  const ModelShape& shape = model.shape();
  if (!shape.evidence) return 1 / (1 + std::exp(-double{model.parameters.w(target)[rule]}));
  const std::size_t hops = shape.length + std::size_t{1};
  double loudest = 0;
  for (const float weight : model.parameters.of(Part::weight, target).subspan(rule * hops, hops)) {
    if (std::abs(double{weight}) > std::abs(loudest)) loudest = double{weight};
  }
  return loudest;
}

/// Follows the functions that a rule uses back to the first column.
class Tracer {
 public:
  Tracer(const Model& model, const NetworkOptions& options) : model_(model), options_(options) {}

  void trace(std::set<std::uint32_t> used, Network& network) const {
    for (std::uint32_t column = model_.shape().depth; column >= 1; --column) {
      std::set<std::uint32_t> before;
      for (const std::uint32_t function : used) {
        network.nodes.push_back(node(column, function));
        for (const Weighed& operation : network.nodes.back().operations) {
          if (operation.index != true_) before.insert(function);
        }
        for (const auto* partners :
             {&network.nodes.back().and_partners, &network.nodes.back().or_partners}) {
          for (const Weighed& partner : *partners) before.insert(partner.index);
        }
      }
      used = std::move(before);
    }
  }

 private:
  Network::Node node(std::uint32_t column, std::uint32_t function) const {
    const Parameters<float>& parameters = model_.parameters;
    Network::Node node{column, function, {}, {}, {}, {}};
    node.operations = {{chaining, 1}};
    if (column > 1) node.operations = row(parameters.p(column), function, 2);
    for (const Weighed& operation : node.operations) {
      if (operation.index == chaining)
        node.chaining = row(parameters.alpha(column), function, options_.operators);
      if (operation.index == and_)
        node.and_partners = row(parameters.beta_and(column), function, 2);
      if (operation.index == or_) node.or_partners = row(parameters.beta_or(column), function, 2);
    }
    return node;
  }

  std::vector<Weighed> row(std::size_t tensor, std::uint32_t function, std::size_t most) const {
    const std::size_t size = model_.parameters.tensors()[tensor].dimensions.back();
    const auto raw = model_.parameters.tensor(tensor).subspan(function * size, size);
    return heaviest(softmax(raw), most, options_.least);
  }

  const Model& model_;
  const NetworkOptions& options_;
};

Json weights_json(const std::vector<Weighed>& weighed, const auto& name) {
  Json json = Json::array();
  for (const Weighed& one : weighed)
    json.push_back({{"name", name(one.index)}, {"weight", one.weight}});
  return json;
}

}  // namespace

Result<Network> network(const Model& model, OperatorId target, const NetworkOptions& options) {
  const ModelShape& shape = model.shape();
  if (options.rule >= shape.rules) {
    return fail(fmt::format("there is no rule {}", options.rule), "",
                fmt::format("a target has {} soft rules; the strongest is 0", shape.rules),
                ErrorKind::usage);
  }
  std::vector<std::uint32_t> order(shape.rules);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::abs(strength_of(model, target, a)) > std::abs(strength_of(model, target, b));
  });
  Network network;
  network.target = target;
  network.rule = order[options.rule];
  network.strength = strength_of(model, target, network.rule);
  network.columns = shape.depth;
  const std::size_t rule = network.rule;
  const std::span<const OperatorId> operators = model.parameters.operators(target);
  const std::size_t count = operators.size() + 1;
  for (std::size_t hop = 0; hop < shape.length; ++hop) {
    const auto raw = model.parameters.a(target).subspan((rule * shape.length + hop) * count, count);
    std::vector<Weighed> found = heaviest(softmax(raw), options.operators, options.least);
    for (Weighed& one : found)
      one.index = one.index < operators.size() ? operators[one.index] : shape.operators();
    network.hops.push_back(std::move(found));
  }
  std::set<std::uint32_t> used;
  for (std::size_t k = 0; k <= shape.length; ++k) {
    if (shape.functions() == 0 || rule >= shape.constrained()) {
      network.constraints.push_back({{0, 1}});
      continue;
    }
    network.constraints.push_back(
        heaviest(softmax(model.parameters.rho(target, rule, k)), options.functions, options.least));
    for (const Weighed& function : network.constraints.back()) {
      if (function.index > 0) used.insert(function.index - 1);
    }
  }
  Tracer(model, options).trace(std::move(used), network);
  return network;
}

Json to_json(const Network& network, const Dataset& dataset) {
  const RelationId relations = dataset.relations.size();
  const auto operator_name = [&](std::uint32_t op) -> std::string {
    if (op == 2 * relations) return "identity";
    const std::string_view name = dataset.relations.name(op % relations);
    return op < relations ? std::string(name) : fmt::format("inverse of {}", name);
  };
  const auto function_name = [](std::uint32_t i) {
    return i == 0 ? std::string("true") : fmt::format("L{}", i);
  };
  const auto partner_name = [](std::uint32_t i) { return fmt::format("v{}", i + 1); };
  Json json = {{"target", operator_name(network.target)},
               {"rule", network.rule},
               {"strength", network.strength}};
  json["hops"] = Json::array();
  for (const auto& hop : network.hops) json["hops"].push_back(weights_json(hop, operator_name));
  json["constraints"] = Json::array();
  for (const auto& constraint : network.constraints)
    json["constraints"].push_back(weights_json(constraint, function_name));
  json["functions"] = Json::array();
  for (const Network::Node& node : network.nodes) {
    json["functions"].push_back(
        {{"column", node.column},
         {"function", node.function + 1},
         {"operations",
          weights_json(node.operations, [](std::uint32_t i) { return operation_names[i]; })},
         {"chaining", weights_json(node.chaining, operator_name)},
         {"and", weights_json(node.and_partners, partner_name)},
         {"or", weights_json(node.or_partners, partner_name)}});
  }
  return json;
}

}  // namespace lerpp
