// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include <lerp/eval/ranking.hpp>
#include <lerp/model/parameters.hpp>

namespace lerpp {

/// Adds an embedding to what the rules say, which must score every entity. The parameters must
/// outlive it.
class EmbeddingScorer final : public Scorer {
 public:
  EmbeddingScorer(std::shared_ptr<const Scorer> rules, const Parameters<float>& embedding);
  ~EmbeddingScorer() override;

  void score(std::span<const Query> queries, std::span<Scores> scores) const override;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> borrow() const;
  void give_back(std::unique_ptr<Workspace> space) const;

  std::shared_ptr<const Scorer> rules_;
  const Parameters<float>& embedding_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> spaces_;
};

}  // namespace lerpp
