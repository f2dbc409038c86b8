// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lerp/eval/ranking.hpp>

#include "model/list_index.hpp"

namespace lerpp {

/// How one answer stands among those to a question that are not known, as the model sees it.
struct Side {
  double score = 0;
  double log_share = 0;      ///< of the softmax; of a sum of rules, of the sum
  double margin = 0;         ///< above the best other answer, or below it
  std::uint64_t better = 0;  ///< other answers with a greater score
};

/// All answers to one question: those that are known, and the open ones. Scores that are not a
/// number are the least. Keeps its memory from question to question: have one for each thread.
class OpenAnswers {
 public:
  virtual ~OpenAnswers() = default;

  /// Says which answers are known, sorted by entity, of the question that was taken last. It may be
  /// said again.
  virtual void know(std::span<const Edge> known) = 0;
  /// The best that are open, best first; of equal ones the first by number.
  virtual std::vector<EntityId> best(std::size_t count) const = 0;

  // An answer that is known counts as open here, and all other known ones do not.
  Side side(EntityId answer) const;
  /// Of the softmax; of a sum of rules, of the sum.
  double share(EntityId answer) const;
  Rank rank(EntityId answer) const;
  double score(EntityId answer) const { return double{value(answer)}; }

 protected:
  static constexpr float least = std::numeric_limits<float>::lowest();
  /// Log-odds below the best answer from which on an answer has no part in the sum.
  static constexpr float unheard = 20;

  /// Whether scores are log-odds, or sums of rules.
  explicit OpenAnswers(bool evidence) : evidence_(evidence) {}

  virtual float value(EntityId answer) const = 0;
  virtual bool is_open(EntityId answer) const = 0;
  /// Open ones with a greater score, and with the same.
  virtual std::uint64_t above(float score) const = 0;
  virtual std::uint64_t level(float score) const = 0;

  /// Takes one more that is open, for top_, second_ and first_.
  void compare(EntityId entity, float value);
  void begin_comparing();
  double mass(float score) const;
  /// The least score that has a part in the sum.
  float floor() const { return evidence_ ? top_ - unheard : 0; }

  bool evidence_;
  float top_ = 0, second_ = 0;  ///< the best two of the open ones
  EntityId first_ = 0;
  double sum_ = 0;  ///< mass of the open ones
};

/// From a score of every entity.
class DenseAnswers final : public OpenAnswers {
 public:
  explicit DenseAnswers(bool evidence) : OpenAnswers(evidence) {}

  void take(const Scores& scores, EntityId entities);
  void know(std::span<const Edge> known) override;
  std::vector<EntityId> best(std::size_t count) const override;

 private:
  float value(EntityId answer) const override { return all_[answer]; }
  bool is_open(EntityId answer) const override { return open_[answer] == all_[answer]; }
  std::uint64_t above(float score) const override;
  std::uint64_t level(float score) const override;

  std::vector<float> all_;   ///< of every entity; what is not a number is the least
  std::vector<float> open_;  ///< the same, with the known ones at the least
};

/// From what a list says of all entities wherever a question starts, and what it says of those that
/// the question leads to: costs no more than these.
class ListAnswers final : public OpenAnswers {
 public:
  using Change = ListIndex::Change;

  ListAnswers() : OpenAnswers(true) {}

  /// Both must outlive it; changes are sorted by entity.
  void take(const ScoreBase& base, std::span<const Change> changes);
  void know(std::span<const Edge> known) override;
  std::vector<EntityId> best(std::size_t count) const override;

 private:
  float value(EntityId answer) const override;
  bool is_open(EntityId answer) const override;
  std::uint64_t above(float score) const override;
  std::uint64_t level(float score) const override;
  /// Whether the score of an open entity is that of the base.
  bool is_plain(EntityId entity) const;
  double plain_mass() const;

  const ScoreBase* base_ = nullptr;
  std::span<const Change> changes_;
  std::span<const Edge> known_;
  std::vector<Change> open_changes_;  ///< of open entities, the best first
  std::vector<float> taken_;          ///< base scores of all that is not plain, the best first
};

}  // namespace lerpp
