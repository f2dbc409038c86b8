// SPDX-License-Identifier: Apache-2.0
#include "model/embedding_scorer.hpp"

#include <algorithm>
#include <cassert>

#include "model/embedding_term.hpp"

namespace lerpp {
namespace {

/// Queries that are scored together: enough for a matrix product, few enough for a large graph.
constexpr std::size_t together = 16;

}  // namespace

/// What one thread needs for a call; kept for the next.
struct EmbeddingScorer::Workspace {
  Team alone{1};
  EmbeddingTerm<float> term{alone};
  std::vector<EntityId> starts;
};

EmbeddingScorer::EmbeddingScorer(std::shared_ptr<const Scorer> rules,
                                 const Parameters<float>& embedding)
    : rules_(std::move(rules)), embedding_(embedding) {}

EmbeddingScorer::~EmbeddingScorer() = default;

void EmbeddingScorer::score(std::span<const Query> queries, std::span<Scores> scores) const {
  if (queries.empty()) return;
  rules_->score(queries, scores);
  std::unique_ptr<Workspace> space = borrow();
  space->term.begin(embedding_, queries.front().target);
  for (std::size_t first = 0; first < queries.size(); first += together) {
    const std::size_t last = std::min(first + together, queries.size());
    space->starts.clear();
    for (std::size_t i = first; i < last; ++i) space->starts.push_back(queries[i].start);
    space->term.prepare(space->starts);
    for (std::size_t i = first; i < last; ++i) {
      assert(scores[i].is_dense() && scores[i].values.size() == embedding_.shape().entities);
      space->term.add(0, queries[i].start, scores[i].values);
    }
  }
  give_back(std::move(space));
}

std::unique_ptr<EmbeddingScorer::Workspace> EmbeddingScorer::borrow() const {
  const std::lock_guard lock(mutex_);
  if (spaces_.empty()) return std::make_unique<Workspace>();
  std::unique_ptr<Workspace> space = std::move(spaces_.back());
  spaces_.pop_back();
  return space;
}

void EmbeddingScorer::give_back(std::unique_ptr<Workspace> space) const {
  const std::lock_guard lock(mutex_);
  spaces_.push_back(std::move(space));
}

}  // namespace lerpp
