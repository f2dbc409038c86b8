// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/options.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/model/model.hpp>

/// The network behind a soft rule: its operators, its constraints, and the functions they use, down
/// to the first column, each with the weights that matter.
namespace lerpp {

struct NetworkOptions {
  std::uint32_t rule = 0;
  std::uint32_t operators = 3;
  std::uint32_t functions = 2;
  double least = 0.08;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"rule", "which of the target's soft rules, the strongest first; 0 is the strongest",
                0, 65535},
          self.rule);
    visit(Field{"operators", "operators shown of a hop or a chaining, at most", 1, 100},
          self.operators);
    visit(Field{"functions", "functions shown of a constraint, at most", 1, 100}, self.functions);
    visit(Field{"least", "smallest weight that is shown", 0, 1}, self.least);
  }
};

struct Network {
  struct Weighed {
    std::uint32_t index = 0;  ///< of the operator, function or operation
    double weight = 0;        ///< its share of the softmax
  };
  /// v_{column, function}. Operations are in the paper's order: true, chaining, not, copy, and, or.
  struct Node {
    std::uint32_t column = 0;
    std::uint32_t function = 0;         ///< counted from 0
    std::vector<Weighed> operations;    ///< p; chaining alone in the first column
    std::vector<Weighed> chaining;      ///< alpha: operators, as A_op leads to the entity
    std::vector<Weighed> and_partners;  ///< beta
    std::vector<Weighed> or_partners;
  };

  OperatorId target = 0;
  std::uint32_t rule = 0;  ///< its number in the model
  double strength = 0;     ///< sigmoid(w), or the log-odds that speak loudest
  std::uint32_t columns = 0;
  std::vector<std::vector<Weighed>> hops;         ///< operators of each; the identity is 2R
  std::vector<std::vector<Weighed>> constraints;  ///< of each variable; 0 is true, i is L_i
  std::vector<Node> nodes;                        ///< last column first
};

/// Fails where the target has no soft rules, or not so many.
Result<Network> network(const Model& model, OperatorId target, const NetworkOptions& options = {});

Json to_json(const Network& network, const Dataset& dataset);
std::string to_svg(const Network& network, const Dataset& dataset);

}  // namespace lerpp
