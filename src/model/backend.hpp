// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/kg/fact.hpp>
#include <lerp/model/parameters.hpp>

namespace lerpp {

/// Queries of one target, with their answers, and the facts that are hidden while they are learned.
struct Batch {
  OperatorId target = 0;
  std::vector<EntityId> starts;
  std::vector<EntityId> answers;
  std::vector<Fact> hidden;
  std::uint64_t seed = 0;  ///< of what is drawn while it is learned
};

/// What learns under a softmax of its own, as if alone, and is added up in the end. Kinds that lean
/// on each other err together; apart, one makes up for the other. The loss is the sum of all.
enum class Softmax : std::uint8_t {
  one,   ///< rules and terms share one
  two,   ///< rules; all terms
  each,  ///< rules; each of the terms
};

/// How a model learns, as far as a step is concerned.
struct StepSettings {
  std::uint32_t length = 0;    ///< hops of the rules in use
  std::uint32_t frontier = 0;  ///< entities of a query that pass anything on; 0 is all
  double thin = 0;             ///< see ScoreLoss
  Softmax softmax = Softmax::one;
  /// Where it asks to stop, the step ends early and what it found is of no use: the caller asks
  /// too.
  const Observer* observer = nullptr;
};

/// What a step finds besides the gradient of its targets: of each lane, the mean loss and the
/// gradient of the functions' parameters, which all targets share.
template <class Real>
struct StepFindings {
  std::vector<double> losses;
  std::vector<std::vector<Real>> shared;
};

/// What computes. A step is a list of lanes, batches of different targets that are learned side by
/// side from the same parameters: a concatenated sparse batch. A backend takes it forward, to its
/// losses, and back; in which order it goes through the queries is its own affair, as long as the
/// result depends on the lanes alone. Engine is the one for the CPU.
template <class Real>
class Backend {
 public:
  virtual ~Backend() = default;

  /// Sets the gradient of each lane's target; other targets' are left as they are.
  virtual void learn(const Parameters<Real>& parameters, std::span<const Batch> lanes,
                     const StepSettings& settings, Parameters<Real>& gradient,
                     StepFindings<Real>& findings) = 0;
};

}  // namespace lerpp
