// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/read/embed_functions.hpp>

/// The paper's Table 5: each relation stands under the function that it moves most, with the sign.
namespace lerpp {

struct RelationTable {
  struct Row {
    std::uint32_t function = 0;  ///< i of L_i, counted from 1
    Formula formula;
    bool constant = false;                      ///< the function hardly differs between entities
    std::vector<FunctionOfRelation> relations;  ///< each in one row alone, largest first
  };
  std::vector<Row> rows;  ///< one for each function, in their order
};

RelationTable relation_table(std::span<const EmbedFunction> functions);

Json to_json(const RelationTable& table, const Dataset& dataset);
/// A line for each function that has relations.
std::string to_text(const RelationTable& table, const Dataset& dataset);

}  // namespace lerpp
