// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "read/evidence.hpp"
#include "read/rule_features.hpp"

namespace lerpp {

/// Asks a list of rules training questions while their facts are hidden, as ModelWatcher asks a
/// model.
class ListWatcher {
 public:
  /// Both must outlive it.
  ListWatcher(const RuleList& list, const Graph& graph) : list_(list), graph_(graph) {}

  void watch(OperatorId target, std::span<const Question> questions, Ledger& ledger);

 private:
  const RuleList& list_;
  const Graph& graph_;
};

}  // namespace lerpp
