// SPDX-License-Identifier: Apache-2.0
#include "model/path_term.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "model/entity_map.hpp"
#include "model/real.hpp"

namespace lerpp {
namespace {

/// Most flows are small.
constexpr std::uint32_t tabled_flows = 1024;

template <class Real>
Real log_of_flow(std::uint32_t flow) {
  static const std::vector<Real> table = [] {
    std::vector<Real> logarithms;
    for (std::uint32_t i = 0; i < tabled_flows; ++i)
      logarithms.push_back(std::log1p(static_cast<Real>(i)));
    return logarithms;
  }();
  return flow < tabled_flows ? table[flow] : std::log1p(static_cast<Real>(flow));
}

template <class Real>
struct PathScratch final : Term<Real>::Scratch {
  explicit PathScratch(const OperatorRows& rows)
      : walk(rows, PathWalk::limits_for(rows.graph())), gradient(rows.graph().entities()) {}

  PathWalk walk;
  std::uint64_t round = 0;  ///< of the walk
  EntityId start = 0;
  EntityMap<Real> gradient;  ///< of each entity; 0 between lessons
};

/// Every begin() of any term has a number of its own.
std::uint64_t next_round() {
  static std::atomic<std::uint64_t> round = 0;
  return ++round;
}

}  // namespace

PathIndex::PathIndex(const Graph& graph, std::shared_ptr<const PathTable> given, unsigned threads,
                     const Observer& observer)
    : table(std::move(given)), rows(graph, threads, observer) {
  assert(table->relations() == graph.relations());
  for (OperatorId target = 0; target < table->operators(); ++target)
    tries.emplace_back(table->of(target));
}

template <class Real>
PathTerm<Real>::PathTerm(std::shared_ptr<const PathIndex> index) : index_(std::move(index)) {}

template <class Real>
auto PathTerm<Real>::make_scratch() const -> std::unique_ptr<Scratch> {
  return std::make_unique<PathScratch<Real>>(index_->rows);
}

template <class Real>
void PathTerm<Real>::begin(const Parameters<Real>& parameters, OperatorId target,
                           const Mask* mask) {
  const std::span<const Real> weights = parameters.of(Part::path, target);
  const std::size_t used = 2 * index_->table->of(target).size();
  assert(weights.size() >= used);
  weights_.assign(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(used));
  target_ = target;
  mask_ = mask;
  round_ = next_round();
}

template <class Real>
const PathWalk& PathTerm<Real>::walk_from(Scratch& scratch, EntityId start) const {
  auto& own = static_cast<PathScratch<Real>&>(scratch);
  // Queries about a hub come in rows.
  if (own.round != round_ || own.start != start)
    own.walk.walk(index_->tries[target_], start, mask_);
  own.round = round_;
  own.start = start;
  return own.walk;
}

template <class Real>
void PathTerm<Real>::add(Scratch& scratch, EntityId start, std::span<Real> scores) const {
  const PathWalk& walk = walk_from(scratch, start);
  for (const PathWalk::Finding& found : walk.findings()) {
    const Real w = weights_[2 * std::size_t{found.path}];
    const Real u = weights_[2 * std::size_t{found.path} + 1];
    if (w == 0 && u == 0) continue;
    if (found.flow > 0) {
      const Real value = w + u * log_of_flow<Real>(found.flow);
      for (const EntityId entity : walk.entities(found)) scores[entity] += value;
    } else {
      const std::span<const EntityId> entities = walk.entities(found);
      const std::span<const std::uint32_t> flows = walk.flows(found);
      for (std::size_t i = 0; i < entities.size(); ++i)
        scores[entities[i]] += w + u * log_of_flow<Real>(flows[i]);
    }
  }
}

template <class Real>
void PathTerm<Real>::learn(Scratch& scratch, const Lesson<Real>& lesson,
                           std::span<Real> sums) const {
  const PathWalk& walk = walk_from(scratch, lesson.start);
  EntityMap<Real>& gradient = static_cast<PathScratch<Real>&>(scratch).gradient;
  for (std::size_t i = 0; i < lesson.entities.size(); ++i)
    gradient[lesson.entities[i]] += lesson.gradient[i];
  for (const PathWalk::Finding& found : walk.findings()) {
    Real w = 0;
    Real u = 0;
    if (found.flow > 0) {
      for (const EntityId entity : walk.entities(found)) w += gradient.get(entity);
      u = w * log_of_flow<Real>(found.flow);
    } else {
      const std::span<const EntityId> entities = walk.entities(found);
      const std::span<const std::uint32_t> flows = walk.flows(found);
      for (std::size_t i = 0; i < entities.size(); ++i) {
        const Real slope = gradient.get(entities[i]);
        w += slope;
        u += slope * log_of_flow<Real>(flows[i]);
      }
    }
    sums[2 * std::size_t{found.path}] += w;
    sums[2 * std::size_t{found.path} + 1] += u;
  }
  gradient.forget(lesson.entities);
}

template <class Real>
std::vector<TermReason> PathTerm<Real>::explain(Scratch& scratch, EntityId start,
                                                EntityId answer) const {
  const PathWalk& walk = walk_from(scratch, start);
  std::vector<TermReason> reasons;
  for (const PathWalk::Finding& found : walk.findings()) {
    const std::span<const EntityId> entities = walk.entities(found);
    const auto place = std::find(entities.begin(), entities.end(), answer);
    if (place == entities.end()) continue;
    const std::uint32_t flow =
        found.flow > 0 ? found.flow
                       : walk.flows(found)[static_cast<std::size_t>(place - entities.begin())];
    const Real w = weights_[2 * std::size_t{found.path}];
    const Real u = weights_[2 * std::size_t{found.path} + 1];
    reasons.push_back(
        {found.path, {}, flow, 0, static_cast<double>(w + u * log_of_flow<Real>(flow))});
  }
  return reasons;
}

template <class Real>
Rule PathTerm<Real>::statement(std::uint32_t number) const {
  const std::span<const OperatorId> hops = index_->table->of(target_)[number].operators();
  return path_rule(target_, {hops.begin(), hops.end()});
}

template class PathTerm<LERP_REAL>;

}  // namespace lerpp
