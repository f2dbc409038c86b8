// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <lerp/events/model.hpp>
#include <lerp/kg/graph.hpp>
#include <lerp/logic/formula.hpp>

namespace lerpp {

/// Many event graphs as one knowledge graph, in which formulas are evaluated exactly. Types of
/// nodes come first as entities, then the nodes of each graph; the relation "is" leads from a
/// node to its type.
struct NodeCorpus {
  Graph graph;
  EntityId first_node = 0;
  std::vector<LabelId> types;           ///< of each node
  std::vector<std::uint32_t> graph_of;  ///< of each node
  std::uint32_t graphs = 0;
};

NodeCorpus node_corpus(const std::vector<EventGraph>& graphs, const EventShape& shape);

/// Operators of corpus formulas: a relation of the shape, forwards or backwards, and "is".
OperatorId corpus_operator(const EventShape& shape, LabelId relation, bool backwards);
OperatorId is_operator(const EventShape& shape);
/// From the operators of functions, where r leads from y to x as `r(y,x)`, to those of formulas,
/// which see it from x; and back.
OperatorId corpus_operator_of_function(const EventShape& shape, OperatorId op);
OperatorId function_operator(const EventShape& shape, OperatorId corpus_op);
/// The formula "has this type"; of the number after the last type, "is anything".
Formula has_type(const EventShape& shape, LabelId type);

}  // namespace lerpp
