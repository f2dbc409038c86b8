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

  /// Takes the parameters of a target. Hidden facts count nowhere; there may be no mask.
  virtual void begin(const Parameters<Real>& parameters, OperatorId target, const Mask* mask) = 0;
  /// Adds to the score of every entity.
  virtual void add(unsigned worker, EntityId start, std::span<Real> scores) = 0;
  /// Remembers what a lesson means for the parameters.
  virtual void learn(unsigned worker, const Lesson<Real>& lesson) = 0;
  /// Adds that to the gradient of the target of begin().
  virtual void finish(Parameters<Real>& gradient) = 0;
};

}  // namespace lerpp
