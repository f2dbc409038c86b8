#include "model/background.hpp"

#include <cassert>

namespace lerpp {

Background::Background(const ModelShape& shape, const Graph& graph,
                       std::shared_ptr<const PathTable> given_paths, Team& team)
    : paths(std::move(given_paths)) {
  assert((shape.paths > 0) == (paths != nullptr));
  if (shape.prior) classes = std::make_shared<PriorClasses>(graph);
  if (shape.constants) constants = std::make_shared<ConstantTables>(graph, team);
}

template <class Real>
std::vector<std::unique_ptr<Term<Real>>> make_terms(const ModelShape& shape, const Graph& graph,
                                                    const Background& background,
                                                    unsigned workers) {
  std::vector<std::unique_ptr<Term<Real>>> terms;
  if (shape.prior)
    terms.push_back(std::make_unique<PriorTerm<Real>>(graph, background.classes, workers));
  if (shape.pairs > 0)
    terms.push_back(std::make_unique<PairTerm<Real>>(shape, graph.entities(), workers));
  if (shape.paths > 0)
    terms.push_back(std::make_unique<PathTerm<Real>>(graph, background.paths, workers));
  if (shape.constants)
    terms.push_back(std::make_unique<ConstantTerm<Real>>(background.constants, workers));
  return terms;
}

template std::vector<std::unique_ptr<Term<float>>> make_terms(const ModelShape&, const Graph&,
                                                              const Background&, unsigned);
template std::vector<std::unique_ptr<Term<double>>> make_terms(const ModelShape&, const Graph&,
                                                               const Background&, unsigned);

}  // namespace lerpp
