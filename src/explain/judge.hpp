// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lerp/model/model.hpp>

#include "explain/ask_each.hpp"
#include "explain/habits.hpp"
#include "explain/likelihood.hpp"

namespace lerpp {

/// A fact, and how it stands in both directions.
struct CandidateFact {
  Fact fact;
  Side tail;  ///< its object among the answers of relation(subject, ?)
  Side head;  ///< its subject among the answers of relation(?, object)
};

/// A side to be found: that of an answer to a question.
struct SideWanted {
  Query query;
  EntityId answer = 0;
  Side* into = nullptr;
};

/// The fact that an answer to a question makes, and back.
Fact fact_of(const Query& query, EntityId answer, RelationId relations);
Query tail_query(const Fact& fact);
Query head_query(const Fact& fact, RelationId relations);

/// Says how likely facts are that a model does not know, with nothing hidden. Several threads may
/// ask.
class Judge {
 public:
  /// Relations are numbered alike. The model must outlive it.
  Judge(const Model& model, KnownGraph known, unsigned threads, const Observer& observer = {});

  const Dataset& dataset() const { return known_.dataset(); }
  const Graph& graph() const { return known_.graph(); }
  const Habits& habits() const { return habits_; }
  const Scorer& scorer() const { return *scorer_; }
  Asked asked() const {
    return {*scorer_, list_ ? &*list_ : nullptr, known_.graph(), evidence_, threads_};
  }

  /// Finds sides of any questions.
  Result<void> find(std::vector<SideWanted> wanted, std::string_view stage,
                    const Observer& observer) const;
  Result<std::vector<CandidateFact>> look(std::span<const Fact> facts,
                                          const Observer& observer) const;
  /// The best answers to each question that are not known, by score; questions sorted, each once.
  Result<std::vector<std::vector<CandidateFact>>> best(std::span<const Query> queries,
                                                       std::size_t top,
                                                       const Observer& observer) const;

  /// `hidden`: the fact was, though it is known.
  Features features(const CandidateFact& candidate, bool hidden = false) const;
  double probability(const Likelihood& likelihood, const CandidateFact& candidate,
                     bool hidden = false) const;
  /// What speaks against a fact apart from all rules, in words; empty where nothing does.
  std::string objection(const Fact& fact, bool hidden = false) const;
  /// Whether both ends take part in what such ends take part in.
  bool fits(const Fact& fact, bool hidden = false) const;

 private:
  std::string end_objection(EntityId entity, OperatorId op, std::size_t hidden) const;

  KnownGraph known_;
  bool evidence_;
  unsigned threads_;
  std::unique_ptr<Scorer> scorer_;
  std::optional<ListAsker> list_;
  Habits habits_;
};

}  // namespace lerpp
