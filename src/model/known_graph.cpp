// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/team.hpp>
#include <lerp/model/known_graph.hpp>

#include "model/known_state.hpp"

namespace lerpp {

KnownGraph::KnownGraph(const Dataset& dataset, KnownSplits splits, unsigned threads)
    : KnownGraph(std::shared_ptr<const Dataset>(std::shared_ptr<void>(), &dataset), splits,
                 threads) {}

KnownGraph::KnownGraph(Dataset&& dataset, KnownSplits splits, unsigned threads)
    : KnownGraph(std::make_shared<const Dataset>(std::move(dataset)), splits, threads) {}

KnownGraph::KnownGraph(std::shared_ptr<const Dataset> dataset, KnownSplits splits, unsigned threads)
    : state_(std::make_shared<State>(std::move(dataset), splits, threads)) {}

const Dataset& KnownGraph::dataset() const {
  return state_->dataset();
}

std::shared_ptr<const Dataset> KnownGraph::shared_dataset() const {
  return state_->shared_dataset();
}

KnownSplits KnownGraph::splits() const {
  return state_->splits();
}

unsigned KnownGraph::threads() const {
  return state_->threads();
}

const Graph& KnownGraph::graph() const {
  return state_->graph();
}

const Graph& KnownGraph::State::graph() {
  std::call_once(built_, [this] { graph_ = dataset_->known_graph(splits_, threads_); });
  return graph_;
}

std::shared_ptr<const PriorClasses> KnownGraph::State::classes() {
  const std::lock_guard lock(mutex_);
  if (!classes_) classes_ = std::make_shared<PriorClasses>(graph());
  return classes_;
}

std::shared_ptr<const ConstantTables> KnownGraph::State::constants() {
  const std::lock_guard lock(mutex_);
  if (!constants_) {
    Team team(threads_);
    constants_ = std::make_shared<ConstantTables>(graph(), team);
  }
  return constants_;
}

std::shared_ptr<const PathIndex> KnownGraph::State::walks(
    const std::shared_ptr<const PathTable>& paths) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const PathIndex>& walks = walks_[paths];
  if (!walks) walks = std::make_shared<PathIndex>(graph(), paths);
  return walks;
}

std::shared_ptr<const ListIndex> KnownGraph::State::rules(
    const std::shared_ptr<const RuleList>& list) {
  const std::lock_guard lock(mutex_);
  if (!rules_ || rules_->shared_list() != list) rules_ = std::make_shared<ListIndex>(list, graph());
  return rules_;
}

}  // namespace lerpp
