// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/embed/transe.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/logic/formula.hpp>

/// The logical functions of an embedding, and what its relations have to do with them.
namespace lerpp {

/// A relation r read in function space: its coefficient of W^+ rel(r). Along a relation with a
/// large one, entities of which the function does not hold lead to entities of which it does.
struct FunctionOfRelation {
  RelationId relation = 0;
  double coefficient = 0;
};

struct EmbedFunction {
  std::uint32_t number = 0;                   ///< i of L_i, counted from 1
  Formula formula;                            ///< what comes closest to it
  double correlation = 0;                     ///< of the formula (0 or 1) with the soft value
  bool constant = false;                      ///< the value hardly differs between entities
  std::vector<FunctionOfRelation> relations;  ///< by the size of the coefficient
};

/// One for each function; none of plain TransE. The model must have been learned from this dataset.
Result<std::vector<EmbedFunction>> embed_functions(const TransEModel& model, const Dataset& dataset,
                                                   unsigned threads = 0);

/// W^+ rel(r) of every relation: R rows of m.
std::vector<double> relations_by_function(const TransEParameters<float>& parameters);

Json to_json(const std::vector<EmbedFunction>& functions, const Dataset& dataset);
/// A table for people, with the first `top` relations of each.
std::string to_text(const std::vector<EmbedFunction>& functions, const Dataset& dataset,
                    std::size_t top = 4);

}  // namespace lerpp
