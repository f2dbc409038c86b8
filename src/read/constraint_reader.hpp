// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <lerp/logic/evaluate.hpp>
#include <lerp/read/functions.hpp>

namespace lerpp {

/// What a soft constraint on a variable of a rule asks for.
struct SoftConstraint {
  Formula formula;
  const EntitySet* where = nullptr;  ///< the formula holds
  double middle = 0;                 ///< of the soft value

  /// Whether the formula says so, and the soft value too, as it is with some facts hidden.
  bool holds(EntityId entity, double value) const {
    return value > middle && where->contains(entity);
  }
};

/// Reads the constraints of rules as formulas, by where in a graph they are weak and where strong.
class ConstraintReader {
 public:
  ConstraintReader(const Model& model, const Graph& graph, unsigned threads);

  /// Those of a target, rule after rule, K + 1 for each, then those of the rules without a path, on
  /// x and on y; nothing where a constraint hardly matters or no function tells it. They refer to
  /// the reader.
  std::vector<std::optional<SoftConstraint>> read(OperatorId target) const;
  /// The functions that the rules of a relation, both ways, weigh most at one end of the head,
  /// `most` of them, less those that speak of the relation itself.
  std::vector<Formula> on_end(RelationId relation, bool object, std::size_t most) const;

 private:
  /// A function as it is read, and the mean of every function where it holds and where not.
  struct Contrast {
    Formula formula;
    EntitySet set;
    EntitySet complement;
    double share = 0;
    std::vector<double> where, elsewhere;
  };

  void compare(const FunctionReading& reading, std::span<const EntityId> sample,
               const float* values, std::size_t stride, Evaluator& evaluator);
  void correlate(std::size_t rows, const float* values, std::size_t stride);
  std::optional<SoftConstraint> read_one(std::span<const float> raw) const;

  const Model& model_;
  std::vector<std::optional<Contrast>> contrasts_;
  std::vector<double> covariance_;  ///< of the functions
};

}  // namespace lerpp
