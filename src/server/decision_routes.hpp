// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <set>

#include "server/decision_log.hpp"
#include "server/served.hpp"

namespace lerpp {

/// The decisions of each run, beside it.
class DecisionBooks {
 public:
  /// Opened when it is first asked for.
  Result<DecisionLog*> of(const ServedRun& served);
  /// As before where nobody has decided yet: none, and no file is made.
  Result<DecisionLog*> if_any(const ServedRun& served);

 private:
  Result<DecisionLog*> open(const ServedRun& served, bool make);

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<DecisionLog>> logs_;
};

/// Every decision in force.
Result<std::vector<Decision>> decisions_in_force(DecisionBooks& books, const ServedRun& served);
/// The facts that a decision is in force on, as far as the data has their names.
Result<std::set<Fact>> decided_facts(DecisionBooks& books, const ServedRun& served,
                                     const Dataset& data);

}  // namespace lerpp
