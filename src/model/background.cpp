#include "model/background.hpp"

namespace lerpp {

Background::Background(const ModelShape& shape, const Graph& graph) {
  if (shape.prior) classes = std::make_shared<PriorClasses>(graph);
}

template <class Real>
std::vector<std::unique_ptr<Term<Real>>> make_terms(const ModelShape& shape, const Graph& graph,
                                                    const Background& background,
                                                    unsigned workers) {
  std::vector<std::unique_ptr<Term<Real>>> terms;
  if (shape.prior)
    terms.push_back(std::make_unique<PriorTerm<Real>>(graph, background.classes, workers));
  return terms;
}

template std::vector<std::unique_ptr<Term<float>>> make_terms(const ModelShape&, const Graph&,
                                                              const Background&, unsigned);
template std::vector<std::unique_ptr<Term<double>>> make_terms(const ModelShape&, const Graph&,
                                                               const Background&, unsigned);

}  // namespace lerpp
