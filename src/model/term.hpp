#pragma once

#include <memory>
#include <span>
#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>

namespace lerpp {

/// What one query teaches: the entities whose scores should move, and d loss / d score of each.
template <class Real>
struct Lesson {
  EntityId start = 0;
  EntityId answer = 0;
  std::span<const EntityId> entities;
  std::span<const Real> gradient;
};

/// What terms see of the graph.
template <class Real>
struct View {
  const Mask* mask = nullptr;  ///< hidden facts count nowhere; there may be none
  /// L of every entity, a padded row each; only where the model has pairs.
  const Real* functions = nullptr;
};

/// Evidence besides the rules: adds to the scores of the entities, and learns from their gradient
/// under the one softmax. begin() and finish() come before and after the queries of a batch; add()
/// and learn() in between, from several workers at once, and a worker's learn() follows its add()
/// of the same query.
template <class Real>
class Term {
 public:
  Term() = default;
  Term(const Term&) = delete;
  Term& operator=(const Term&) = delete;
  virtual ~Term() = default;

  /// Takes the parameters of a target.
  virtual void begin(const Parameters<Real>& parameters, OperatorId target,
                     const View<Real>& view) = 0;
  /// Adds to the score of every entity.
  virtual void add(unsigned worker, EntityId start, std::span<Real> scores) = 0;
  /// Remembers what a lesson means for the parameters.
  virtual void learn(unsigned worker, const Lesson<Real>& lesson) = 0;
  /// Adds that to the gradient of the target of begin(), and to that of the functions, which is
  /// laid out as they are.
  virtual void finish(Parameters<Real>& gradient, std::span<Real> function_gradient) = 0;

  /// Whether it shares the softmax of the term before it even where each has its own.
  virtual bool joins() const { return false; }
};

}  // namespace lerpp
