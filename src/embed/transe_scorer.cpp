// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lerp/base/team.hpp>

#include "embed/transe_kernels.hpp"
#include "embed/transe_table.hpp"

namespace lerpp {
namespace {

class TransEScorer final : public Scorer {
 public:
  TransEScorer(const TransEParameters<float>& parameters, const Graph& known, unsigned threads)
      : shape_(parameters.shape),
        relation_(parameters.relation),
        units_(std::size_t{shape_.entities} * shape_.dimension),
        panel_(kernels::panels_of(shape_.entities) * kernels::panel_width * shape_.dimension) {
    Team team(threads);
    TransETable<float> table(known, shape_, team);
    table.forward(parameters, nullptr);
    for (std::size_t entity = 0; entity < shape_.entities; ++entity) {
      std::copy_n(table.unit(entity), shape_.dimension, units_.data() + entity * shape_.dimension);
    }
    kernels::fill_panels(
        shape_.dimension, shape_.entities,
        [&](std::size_t entity) { return units_.data() + entity * shape_.dimension; },
        panel_.data());
  }

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    std::vector<float> query(shape_.dimension);
    Buffer<float> distances(kernels::panels_of(shape_.entities) * kernels::panel_width);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const float* const start = units_.data() + queries[i].start * shape_.dimension;
      const float* const relation = relation_.data() + queries[i].target * shape_.dimension;
      for (std::size_t k = 0; k < query.size(); ++k) query[k] = start[k] + relation[k];
      kernels::transe<float>().distances(shape_.dimension, kernels::panels_of(shape_.entities),
                                         panel_.data(), query.data(), distances.data());
      const std::span<float> out = scores[i].dense(shape_.entities);
      std::transform(distances.begin(), distances.begin() + shape_.entities, out.begin(),
                     [](float distance) { return -distance; });
    }
  }

 private:
  TransEShape shape_;
  std::vector<float> relation_;
  std::vector<float> units_;
  Buffer<float> panel_;
};

}  // namespace

std::unique_ptr<Scorer> make_scorer(const TransEParameters<float>& parameters, const Graph& known,
                                    unsigned threads) {
  return std::make_unique<TransEScorer>(parameters, known, threads);
}

}  // namespace lerpp
