#pragma once

#include <optional>
#include <vector>

#include <lerp/explain/functions.hpp>

namespace lerpp {

/// What a soft constraint on a variable of a rule asks for.
struct SoftConstraint {
  Formula formula;
  double middle = 0;  ///< it is fulfilled where the soft value is above
};

/// Reads the constraints of rules as formulas, by where in a graph they are weak and where strong.
class ConstraintReader {
 public:
  ConstraintReader(const Model& model, const Graph& graph, unsigned threads);

  /// Those of a target, rule after rule, K + 1 for each; nothing where a constraint hardly matters.
  std::vector<std::optional<SoftConstraint>> read(OperatorId target) const;

 private:
  /// A function as it is read, and the mean of every function where it holds and where not.
  struct Contrast {
    Formula formula;
    double share = 0;
    std::vector<double> where, elsewhere;
  };

  std::optional<SoftConstraint> read_one(std::span<const float> raw) const;

  const Model& model_;
  std::vector<std::optional<Contrast>> contrasts_;
};

}  // namespace lerpp
