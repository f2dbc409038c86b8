// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/events/induce.hpp>

namespace lerpp {

/// An equation that may be worth telling.
struct EquationCandidate {
  Equation equation;
  bool learned = false;  ///< read off a function; else counted in the corpus
  double certainty = 0;  ///< of a learned one: the log-odds that the model gives it
};

/// What functions say of the events of each type, as log-odds for the graph to be true. The most
/// certain first.
std::vector<EquationCandidate> learned_equations(const EventModel& model);

/// Of these bodies, the first `count` of which some type's events make an equation as below.
std::vector<Formula> promising_bodies(const std::vector<Formula>& bodies, std::size_t count,
                                      const std::vector<EventGraph>& graphs,
                                      const EventShape& shape, const InduceOptions& options);

/// The equations that are frequent, beat chance, and hold clearly less often in graphs with events
/// removed: learned ones first, the most certain of them before the others; then counted ones, by
/// how far they beat chance. Few of each type and kind, and none that says less than one already
/// chosen.
std::vector<EquationCandidate> choose_equations(const std::vector<EquationCandidate>& candidates,
                                                const std::vector<EventGraph>& graphs,
                                                const EventShape& shape,
                                                const InduceOptions& options);

}  // namespace lerpp
