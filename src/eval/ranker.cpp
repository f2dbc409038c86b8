// SPDX-License-Identifier: Apache-2.0
#include "eval/ranker.hpp"

#include <algorithm>
#include <cassert>

#include "eval/count_keys.hpp"

namespace lerpp {

void Ranker::rank(const Scores& scores, EntityId entities, std::span<const EntityId> answers,
                  std::span<const Edge> known, std::span<Rank> ranks) {
  assert(answers.size() == ranks.size());
  assert(std::is_sorted(answers.begin(), answers.end()));
  assert(std::is_sorted(known.begin(), known.end(),
                        [](const Edge& a, const Edge& b) { return a.target < b.target; }));
  assert(answers.empty() || answers.back() < entities);
  std::fill(ranks.begin(), ranks.end(), Rank{});
  if (scores.is_dense()) {
    assert(scores.values.size() == entities);
    rank_dense(scores.values, answers, known, ranks);
  } else {
    assert(scores.values.size() == scores.entities.size());
    rank_sparse(scores, entities, answers, known, ranks);
  }
}

void Ranker::rank_dense(std::span<const float> values, std::span<const EntityId> answers,
                        std::span<const Edge> known, std::span<Rank> ranks) {
  // In pieces that are still in the first cache when they are counted.
  constexpr std::size_t piece = 4096;
  keys_.resize(piece);
  answer_keys_.resize(answers.size());
  std::transform(answers.begin(), answers.end(), answer_keys_.begin(),
                 [&](EntityId answer) { return key_of(values[answer]); });
  auto next_known = known.begin();
  auto next_answer = answers.begin();
  for (std::size_t first = 0; first < values.size(); first += piece) {
    const std::size_t last = std::min(values.size(), first + piece);
    const std::span<ScoreKey> keys(keys_.data(), last - first);
    make_keys(values.subspan(first, last - first), keys);
    for (; next_known != known.end() && next_known->target < last; ++next_known) {
      keys[next_known->target - first] = no_candidate;
    }
    for (; next_answer != answers.end() && *next_answer < last; ++next_answer) {
      keys[*next_answer - first] = no_candidate;
    }
    count_keys(keys, answer_keys_, ranks);
  }
}

bool Ranker::exclude(EntityId entity) {
  std::uint64_t& word = excluded_[entity / 64];
  const std::uint64_t bit = std::uint64_t{1} << (entity % 64);
  const bool fresh = (word & bit) == 0;
  word |= bit;
  return fresh;
}

void Ranker::rank_sparse(const Scores& scores, EntityId entities, std::span<const EntityId> answers,
                         std::span<const Edge> known, std::span<Rank> ranks) {
  if (excluded_.size() < (entities + std::size_t{63}) / 64) {
    excluded_.resize((entities + std::size_t{63}) / 64);
  }
  std::size_t unlisted = entities;
  for (const Edge& edge : known) unlisted -= exclude(edge.target) ? 1 : 0;
  for (const EntityId answer : answers) unlisted -= exclude(answer) ? 1 : 0;

  const ScoreKey rest = key_of(scores.rest);
  answer_keys_.assign(answers.size(), rest);
  keys_.clear();
  for (std::size_t i = 0; i < scores.entities.size(); ++i) {
    const EntityId entity = scores.entities[i];
    const ScoreKey key = key_of(scores.values[i]);
    if (!excluded(entity)) {
      keys_.push_back(key);
      continue;
    }
    auto answer = std::lower_bound(answers.begin(), answers.end(), entity);
    for (; answer != answers.end() && *answer == entity; ++answer) {
      answer_keys_[static_cast<std::size_t>(answer - answers.begin())] = key;
    }
  }
  for (const Edge& edge : known) excluded_[edge.target / 64] = 0;
  for (const EntityId answer : answers) excluded_[answer / 64] = 0;

  assert(keys_.size() <= unlisted && "an entity is listed twice");
  unlisted -= keys_.size();
  count_keys(keys_, answer_keys_, ranks);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (rest > answer_keys_[i]) ranks[i].greater += unlisted;
    if (rest == answer_keys_[i]) ranks[i].equal += unlisted;
  }
}

Rank filtered_rank(const Scores& scores, EntityId entities_count, EntityId answer,
                   std::span<const Edge> known) {
  // Kept from call to call, so that sparse scores cost what they list.
  thread_local Ranker ranker;
  Rank rank;
  ranker.rank(scores, entities_count, {&answer, 1}, known, {&rank, 1});
  return rank;
}

}  // namespace lerpp
