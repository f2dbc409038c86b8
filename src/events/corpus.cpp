// SPDX-License-Identifier: Apache-2.0
#include "events/corpus.hpp"

#include "events/evidence.hpp"

namespace lerpp {

OperatorId is_operator(const EventShape& shape) {
  return shape.relations();
}

OperatorId corpus_operator(const EventShape& shape, LabelId relation, bool backwards) {
  return backwards ? relation + shape.relations() + 1 : relation;
}

OperatorId corpus_operator_of_function(const EventShape& shape, OperatorId op) {
  const bool forwards = op < shape.relations();
  return corpus_operator(shape, forwards ? op : op - shape.relations(), forwards);
}

OperatorId function_operator(const EventShape& shape, OperatorId corpus_op) {
  const OperatorId relations = shape.relations() + 1;  // "is" among them
  return corpus_op < relations ? corpus_op + shape.relations() : corpus_op - relations;
}

Formula has_type(const EventShape& shape, LabelId type) {
  if (type >= shape.node_types()) return Formula::truth();
  return Formula::constant(is_operator(shape), type);
}

NodeCorpus node_corpus(const std::vector<EventGraph>& graphs, const EventShape& shape) {
  const NodeGraph nodes = node_graph(graphs, shape);
  NodeCorpus corpus;
  corpus.first_node = shape.node_types();
  corpus.graphs = static_cast<std::uint32_t>(graphs.size());
  std::vector<Fact> facts;
  for (EntityId node = 0; node < nodes.types.size(); ++node) {
    const EntityId own = corpus.first_node + node;
    for (const Edge& edge : nodes.graph.edges(node)) {
      if (edge.op < shape.relations()) {
        facts.push_back({own, edge.op, corpus.first_node + edge.target});
      }
    }
    if (nodes.types[node] < shape.node_types()) {
      facts.push_back({own, is_operator(shape), nodes.types[node]});
    }
  }
  for (std::uint32_t number = 0; number < graphs.size(); ++number) {
    corpus.graph_of.resize(nodes.starts[number + 1], number);
  }
  corpus.types = nodes.types;
  corpus.graph = Graph(corpus.first_node + nodes.starts.back(), shape.relations() + 1, {facts}, 1);
  return corpus;
}

}  // namespace lerpp
