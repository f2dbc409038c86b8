#include "model/path_term.hpp"

#include <algorithm>
#include <cmath>

namespace lerpp {
namespace {

/// Most flows are small.
constexpr std::uint32_t tabled_flows = 1024;

}  // namespace

template <class Real>
PathTerm<Real>::PathTerm(const Graph& graph, std::shared_ptr<const PathTable> table,
                         unsigned workers)
    : table_(std::move(table)), rows_(graph) {
  assert(table_->relations() == graph.relations());
  for (OperatorId target = 0; target < table_->operators(); ++target)
    tries_.emplace_back(table_->of(target));
  for (std::uint32_t flow = 0; flow < tabled_flows; ++flow)
    logarithms_.push_back(std::log1p(static_cast<Real>(flow)));
  workers_.reserve(workers);
  for (unsigned worker = 0; worker < workers; ++worker) workers_.emplace_back(rows_);
}

template <class Real>
Real PathTerm<Real>::logarithm(std::uint32_t flow) const {
  return flow < tabled_flows ? logarithms_[flow] : std::log1p(static_cast<Real>(flow));
}

template <class Real>
void PathTerm<Real>::begin(const Parameters<Real>& parameters, OperatorId target,
                           const View<Real>& view) {
  const std::span<const Real> weights = parameters.of(Part::path, target);
  const std::size_t used = 2 * table_->of(target).size();
  assert(weights.size() >= used);
  weights_.assign(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(used));
  target_ = target;
  mask_ = view.mask;
  for (Worker& worker : workers_) {
    worker.sums.clear();
    worker.start.reset();
  }
}

template <class Real>
const PathWalk& PathTerm<Real>::walk_from(unsigned worker, EntityId start) {
  Worker& own = workers_[worker];
  // Queries about a hub come in rows.
  if (own.start != start) own.walk.walk(tries_[target_], start, mask_);
  own.start = start;
  return own.walk;
}

template <class Real>
void PathTerm<Real>::add(unsigned worker, EntityId start, std::span<Real> scores) {
  const PathWalk& walk = walk_from(worker, start);
  for (const PathWalk::Finding& found : walk.findings()) {
    const Real w = weights_[2 * std::size_t{found.path}];
    const Real u = weights_[2 * std::size_t{found.path} + 1];
    if (w == 0 && u == 0) continue;
    if (found.flow > 0) {
      const Real value = w + u * logarithm(found.flow);
      for (const EntityId entity : walk.entities(found)) scores[entity] += value;
    } else {
      const std::span<const EntityId> entities = walk.entities(found);
      const std::span<const std::uint32_t> flows = walk.flows(found);
      for (std::size_t i = 0; i < entities.size(); ++i)
        scores[entities[i]] += w + u * logarithm(flows[i]);
    }
  }
}

template <class Real>
void PathTerm<Real>::learn(unsigned worker, const Lesson<Real>& lesson) {
  auto& [walk, start, gradient, sums] = workers_[worker];
  assert(start == lesson.start);
  if (gradient.empty()) gradient.resize(rows_.graph().entities());
  if (sums.empty()) sums.resize(weights_.size());
  for (std::size_t i = 0; i < lesson.entities.size(); ++i)
    gradient[lesson.entities[i]] += lesson.gradient[i];
  for (const PathWalk::Finding& found : walk.findings()) {
    Real w = 0;
    Real u = 0;
    if (found.flow > 0) {
      for (const EntityId entity : walk.entities(found)) w += gradient[entity];
      u = w * logarithm(found.flow);
    } else {
      const std::span<const EntityId> entities = walk.entities(found);
      const std::span<const std::uint32_t> flows = walk.flows(found);
      for (std::size_t i = 0; i < entities.size(); ++i) {
        const Real slope = gradient[entities[i]];
        w += slope;
        u += slope * logarithm(flows[i]);
      }
    }
    sums[2 * std::size_t{found.path}] += w;
    sums[2 * std::size_t{found.path} + 1] += u;
  }
  for (const EntityId entity : lesson.entities) gradient[entity] = 0;
}

template <class Real>
void PathTerm<Real>::finish(Parameters<Real>& gradient, std::span<Real> /*function_gradient*/) {
  const std::span<Real> result = gradient.of(Part::path, target_);
  for (const Worker& worker : workers_) {
    for (std::size_t i = 0; i < worker.sums.size(); ++i) result[i] += worker.sums[i];
  }
}

template <class Real>
std::vector<PathReason> PathTerm<Real>::explain(unsigned worker, EntityId start, EntityId answer) {
  const PathWalk& walk = walk_from(worker, start);
  std::vector<PathReason> reasons;
  for (const PathWalk::Finding& found : walk.findings()) {
    const std::span<const EntityId> entities = walk.entities(found);
    const auto place = std::find(entities.begin(), entities.end(), answer);
    if (place == entities.end()) continue;
    const std::uint32_t flow =
        found.flow > 0 ? found.flow
                       : walk.flows(found)[static_cast<std::size_t>(place - entities.begin())];
    const Real w = weights_[2 * std::size_t{found.path}];
    const Real u = weights_[2 * std::size_t{found.path} + 1];
    reasons.push_back({found.path, flow, static_cast<double>(w + u * logarithm(flow))});
  }
  return reasons;
}

template class PathTerm<float>;
template class PathTerm<double>;

}  // namespace lerpp
