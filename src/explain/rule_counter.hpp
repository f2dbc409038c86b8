#pragma once

#include <optional>
#include <vector>

#include <lerp/explain/rules.hpp>

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
  /// The rule without the constraints that exclude nothing in this graph.
  Rule tidied(const Rule& rule);
  /// The literal with which the rule is clearly more often right and still says most of what it
  /// did; none where there is no such.
  std::optional<Literal> refinement(const Rule& rule, const std::vector<Literal>& literals);

 private:
  std::optional<double> lift(const ReadRule& read) const;
  void add_examples(ReadRule& read, const std::vector<std::pair<EntityId, EntityId>>& pairs,
                    bool known);
  std::size_t count_pairs(const Rule& rule);

  const Graph& known_;
  const Graph& valid_;
  const RulesOptions& options_;
  Evaluator evaluator_;
};

/// The rule with one conjunct more on its first or last variable.
Rule with_literal(const Rule& rule, const Literal& literal);

}  // namespace lerpp
