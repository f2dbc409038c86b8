// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "read/constraint_reader.hpp"
#include "read/evidence.hpp"
#include "read/soft_walks.hpp"
#include "read/teacher.hpp"

namespace lerpp {

/// Asks a model training questions while their facts are hidden, and books which bodies speak for
/// the right answer and for wrong ones. One for each worker.
class ModelWatcher {
 public:
  /// All must outlive it.
  ModelWatcher(const Model& model, const Background& background, const ConstraintReader& reader);

  void watch(OperatorId target, std::span<const Question> questions, Random& random,
             Ledger& ledger);

 private:
  /// What a rule says about an answer at a hop.
  struct SoftPart {
    std::size_t rule = 0;
    std::uint32_t hop = 0;
    double evidence = 0;
  };

  void begin_target(OperatorId target);
  void watch_answers(const Question& question, const Opinion& opinion, Random& random,
                     Ledger& ledger);
  void say_terms(EntityId answer, Ledger& ledger);
  void say_soft(EntityId answer, Random& random, Ledger& ledger);
  void say_parts(const std::vector<SoftPart>& parts, std::uint32_t node, double step,
                 Random& random, Ledger& ledger);
  /// Draws a walk and books it; false where rounding led astray.
  bool say_walk(const SoftPart& part, std::uint32_t node, double evidence, Random& random,
                Ledger& ledger);
  std::uint32_t body_of(std::size_t rule, const FoldedWalk& walk, Ledger& ledger) const;
  double scale_of(const std::vector<Watched>& answers) const;

  const Model& model_;
  const ConstraintReader& reader_;
  Teacher teacher_;

  // Of the target at hand.
  std::vector<std::optional<SoftConstraint>> asked_;  ///< as ConstraintReader has them
  /// By kind of term and number: under which body a statement is booked.
  std::vector<std::vector<std::optional<std::uint32_t>>> bodies_;
  std::vector<SoftHop> walk_;
  std::map<std::vector<std::uint32_t>, double> worth_;  ///< groundings of the answer at hand
};

}  // namespace lerpp
