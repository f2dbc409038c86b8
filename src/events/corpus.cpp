#include "events/corpus.hpp"

#include "events/evidence.hpp"

namespace lerpp {

OperatorId is_operator(const EventShape& shape) {
  return shape.relations();
}

OperatorId corpus_operator(const EventShape& shape, LabelId relation, bool backwards) {
  return backwards ? relation + shape.relations() + 1 : relation;
}

Formula has_type(const EventShape& shape, LabelId type) {
  if (type >= shape.node_types()) return Formula::truth();
  return Formula::constant(is_operator(shape), type);
}

NodeCorpus node_corpus(const std::vector<EventGraph>& graphs, const EventShape& shape) {
  NodeCorpus corpus;
  corpus.first_node = shape.node_types();
  corpus.graphs = static_cast<std::uint32_t>(graphs.size());
  std::vector<Fact> facts;
  for (std::uint32_t number = 0; number < graphs.size(); ++number) {
    const NodeGraph nodes = node_graph(graphs[number], shape);
    const auto first = corpus.first_node + static_cast<EntityId>(corpus.types.size());
    for (EntityId node = 0; node < nodes.types.size(); ++node) {
      for (const Edge& edge : nodes.graph.edges(node)) {
        if (edge.op < shape.relations()) {
          facts.push_back({first + node, edge.op, first + edge.target});
        }
      }
      if (nodes.types[node] < shape.node_types()) {
        facts.push_back({first + node, is_operator(shape), nodes.types[node]});
      }
    }
    corpus.types.insert(corpus.types.end(), nodes.types.begin(), nodes.types.end());
    corpus.graph_of.resize(corpus.types.size(), number);
  }
  corpus.graph = Graph(corpus.first_node + static_cast<EntityId>(corpus.types.size()),
                       shape.relations() + 1, {facts}, 1);
  return corpus;
}

}  // namespace lerpp
