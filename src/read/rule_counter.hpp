// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <lerp/read/rules.hpp>

namespace lerpp {

/// Something that the model says of one end of a rule alone.
struct Literal {
  bool on_y = false;
  Formula formula;
  double evidence = 0;  ///< how much the model makes of it, above 0
};

/// Counts how rules fare on a graph. One for each worker.
class RuleCounter {
 public:
  /// The graphs must outlive it.
  RuleCounter(const Graph& known, const Graph& valid, const RulesOptions& options)
      : known_(known), valid_(valid), options_(options), evaluator_(known) {}

  /// Fills in all figures and the examples.
  void count(ReadRule& rule);
  /// The rule without the constraints that make it no more often right, or no more often wrong
  /// where it speaks against its head.
  Rule tidied(const Rule& rule, bool against);
  /// The literal with which the rule is clearly more often right and still says most of what it
  /// did; none where there is no such.
  std::optional<Literal> refinement(const Rule& rule, const std::vector<Literal>& literals);

 private:
  using Pairs = std::vector<std::pair<EntityId, EntityId>>;

  void count_path(ReadRule& read);
  void count_product(ReadRule& read);
  std::optional<double> lift(const ReadRule& read) const;
  void add_examples(ReadRule& read, const Pairs& pairs, bool known);
  /// Share of the body's pairs that are facts of the head.
  double plain_confidence(const Rule& rule, double share);

  const Graph& known_;
  const Graph& valid_;
  const RulesOptions& options_;
  Evaluator evaluator_;
};

/// The rule with one conjunct more on its first or last variable.
Rule with_literal(const Rule& rule, const Literal& literal);

}  // namespace lerpp
