// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <Eigen/QR>
#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/logic/english.hpp>
#include <lerp/read/embed_functions.hpp>
#include <lerp/read/functions.hpp>

namespace lerpp {

std::vector<double> relations_by_function(const TransEParameters<float>& parameters) {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const TransEShape& shape = parameters.shape;
  if (shape.width == 0) return {};
  const Eigen::MatrixXd rotation =
      Eigen::Map<const Matrix>(parameters.rotation.data(), shape.dimension, shape.width)
          .cast<double>();
  const Eigen::MatrixXd relations =
      Eigen::Map<const Matrix>(parameters.relation.data(), shape.relations, shape.dimension)
          .cast<double>();
  // The solution of least length is that of the pseudo-inverse.
  const Eigen::MatrixXd solution =
      rotation.completeOrthogonalDecomposition().solve(relations.transpose());
  return {solution.data(), solution.data() + solution.size()};
}

Result<std::vector<EmbedFunction>> embed_functions(const TransEModel& model, const Dataset& dataset,
                                                   unsigned threads) {
  const TransEShape& shape = model.parameters.shape;
  if (model.entities != fingerprint(dataset.entities) ||
      shape.relations != dataset.relations.size()) {
    return fail("the embedding is of other entities or relations", dataset.name,
                "give the dataset that it was learned from");
  }
  if (shape.width == 0) return std::vector<EmbedFunction>();
  FunctionsOptions options;
  options.threads = threads;
  const std::vector<FunctionReading> readings =
      read_functions(Model{model.relations, model.parameters.functions},
                     dataset.known_graph(KnownSplits::train, threads), options);
  const std::vector<double> coefficients = relations_by_function(model.parameters);
  std::vector<EmbedFunction> functions;
  for (std::uint32_t i = 0; i < shape.width; ++i) {
    EmbedFunction function{
        i + 1, readings[i].formula, readings[i].correlation, readings[i].constant, {}};
    for (RelationId relation = 0; relation < shape.relations; ++relation)
      function.relations.push_back({relation, coefficients[relation * shape.width + i]});
    std::stable_sort(function.relations.begin(), function.relations.end(),
                     [](const FunctionOfRelation& left, const FunctionOfRelation& right) {
                       return std::abs(left.coefficient) > std::abs(right.coefficient);
                     });
    functions.push_back(std::move(function));
  }
  return functions;
}

Json to_json(const std::vector<EmbedFunction>& functions, const Dataset& dataset) {
  const Names names{dataset.relations, dataset.entities};
  Json json = Json::array();
  for (const EmbedFunction& function : functions) {
    Json one = {{"number", function.number},
                {"formula", to_text(function.formula, names)},
                {"english", to_english(function.formula, names)},
                {"correlation", function.correlation},
                {"constant", function.constant},
                {"relations", Json::array()}};
    for (const FunctionOfRelation& part : function.relations) {
      one["relations"].push_back({{"relation", std::string(dataset.relations.name(part.relation))},
                                  {"coefficient", part.coefficient}});
    }
    json.push_back(std::move(one));
  }
  return json;
}

std::string to_text(const std::vector<EmbedFunction>& functions, const Dataset& dataset,
                    std::size_t top) {
  const Names names{dataset.relations, dataset.entities};
  std::string text;
  for (const EmbedFunction& function : functions) {
    text += fmt::format("{}L{:<3} ", text.empty() ? "" : "\n", function.number);
    for (std::size_t i = 0; i < std::min(top, function.relations.size()); ++i) {
      const FunctionOfRelation& part = function.relations[i];
      text += fmt::format(" {}{:+.2f} {}", i == 0 ? "" : " ", part.coefficient,
                          dataset.relation_label(part.relation));
    }
    text += function.constant ? std::string("\n      the same of all entities")
                              : fmt::format("\n      {}   (correlation {:.2f})",
                                            to_text(function.formula, names), function.correlation);
  }
  return text;
}

}  // namespace lerpp
