// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embed/transe_kernels.hpp"
#include "embed/transe_table.hpp"
#include "model/embedding.hpp"

namespace lerpp {

/// The loss of a batch and what it is made of.
struct TransELosses {
  double margin = 0;   ///< mean over the batch of the hinges, summed over wrong answers
  double ratio = 0;    ///< of the lengths of embed(e) and W L(e)
  double entropy = 0;  ///< of every softmax of the functions
  double loss = 0;     ///< margin + eta ratio + gamma entropy
};

/// What TransE learns: every answer is to be closer than every other entity, by a margin.
template <class Real>
class TransELoss {
 public:
  struct Settings {
    double margin = 1;
    double eta = 10;
    double gamma = 0;
  };

  /// The graph and the team must outlive it.
  TransELoss(const Graph& graph, const TransEShape& shape, const Settings& settings, Team& team);

  /// Adds the gradient of all parameters. `candidates`, each named once, stand for all entities,
  /// and their hinges are scaled up: right on average. Where there are none, all entities count.
  TransELosses learn(const TransEParameters<Real>& parameters,
                     std::span<const EmbeddingQuery> queries, std::span<const EntityId> candidates,
                     const Mask* mask, TransEParameters<Real>& gradient);

  const TransETable<Real>& table() const { return table_; }

 private:
  void ask(const TransEParameters<Real>& parameters, std::span<const EmbeddingQuery> queries,
           std::span<const EntityId> candidates);
  void hinge();
  double collect(std::span<const EmbeddingQuery> queries, std::span<const EntityId> candidates,
                 double weight, TransEParameters<Real>& gradient);
  double entropy(const TransEParameters<Real>& parameters, TransEParameters<Real>& gradient) const;

  /// What one part of the candidates has taught.
  struct Sums {
    Buffer<Real> query_gradient, losses, counts, scratch;
  };

  TransEShape shape_;
  Settings settings_;
  Team& team_;
  TransETable<Real> table_;
  std::size_t panels_ = 0;
  Buffer<Real> panel_, panel_gradient_;
  Buffer<Real> query_;                  ///< embed'(s) + rel(r), rows of the dimension
  Buffer<Real> limits_;                 ///< distance of the answer, and the margin
  std::vector<std::uint32_t> skipped_;  ///< the answer's number among the candidates
  std::vector<std::uint32_t> places_;   ///< of every entity among the candidates, where drawn
  std::vector<Sums> sums_;
  Buffer<Real> unit_gradient_;
};

}  // namespace lerpp
