// SPDX-License-Identifier: Apache-2.0
#include "model/background.hpp"

#include <cassert>

#include "model/known_state.hpp"

namespace lerpp {

Background::Background(const ModelShape& shape, const Graph& graph,
                       std::shared_ptr<const PathTable> given_paths, Team& team,
                       const Observer& observer, const std::shared_ptr<const RuleList>& list)
    : paths(std::move(given_paths)), shape_(shape), graph_(&graph) {
  assert((shape.paths > 0) == (paths != nullptr));
  if (shape.prior > 0) classes = std::make_shared<PriorClasses>(graph, observer);
  if (shape.paths > 0)
    walks = std::make_shared<PathIndex>(graph, paths, exactly(team.size()), observer);
  if (shape.constants > 0)
    constants = std::make_shared<ConstantTables>(graph, team, ConstantLimits{}, observer);
  if (list) rules = std::make_shared<ListIndex>(list, graph);
}

Background::Background(const ModelShape& shape, const KnownGraph& known,
                       std::shared_ptr<const PathTable> given_paths,
                       const std::shared_ptr<const RuleList>& list)
    : paths(std::move(given_paths)), shape_(shape), graph_(&known.graph()) {
  assert((shape.paths > 0) == (paths != nullptr));
  if (shape.prior > 0) classes = known.state().classes();
  if (shape.paths > 0) walks = known.state().walks(paths);
  if (shape.constants > 0) constants = known.state().constants();
  if (list) rules = known.state().rules(list);
}

Background::Background(const Background& other, const Graph& more, bool recount, Team& team)
    : Background(
          [&] {
            ModelShape shape = other.shape();
            if (!recount) shape.constants = 0;
            return shape;
          }(),
          more, other.paths, team, {},
          other.rules ? other.rules->shared_list() : std::shared_ptr<const RuleList>()) {}

}  // namespace lerpp
