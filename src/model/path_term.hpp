#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <lerp/model/paths.hpp>

#include "model/path_walk.hpp"
#include "model/term.hpp"

namespace lerpp {

/// One path behind a score.
struct PathReason {
  std::uint32_t path = 0;   ///< its place in the table
  std::uint32_t walks = 0;  ///< along it
  double contribution = 0;  ///< what the score owes to it
};

/// Evidence of discrete paths. With flow_p(x, y) the number of walks along p from x to y,
///
///     score(y) += sum over p of the target with flow_p(start, y) > 0 of w_p + u_p log(1 + flow_p)
///
/// where w and u are signed: a path may speak against an answer.
template <class Real>
class PathTerm final : public Term<Real> {
 public:
  /// The graph must outlive the term.
  PathTerm(const Graph& graph, std::shared_ptr<const PathTable> table, unsigned workers);

  void begin(const Parameters<Real>& parameters, OperatorId target,
             const View<Real>& view) override;
  void add(unsigned worker, EntityId start, std::span<Real> scores) override;
  void learn(unsigned worker, const Lesson<Real>& lesson) override;
  void finish(Parameters<Real>& gradient, std::span<Real> function_gradient) override;

  /// What the paths to an answer say of it, for the target of begin().
  std::vector<PathReason> explain(unsigned worker, EntityId start, EntityId answer);

 private:
  struct Worker {
    explicit Worker(const OperatorRows& rows) : walk(rows) {}

    PathWalk walk;
    std::optional<EntityId> start;  ///< of the walk, since begin()
    std::vector<Real> gradient;     ///< of each entity; 0 between lessons
    std::vector<Real> sums;         ///< of w and u of each path; none before the first lesson
  };

  Real logarithm(std::uint32_t flow) const;
  const PathWalk& walk_from(unsigned worker, EntityId start);

  std::shared_ptr<const PathTable> table_;
  OperatorRows rows_;
  std::vector<PathTrie> tries_;  ///< of each target
  std::vector<Real> logarithms_;
  std::vector<Real> weights_;  ///< w and u of each path of the target
  OperatorId target_ = 0;
  const Mask* mask_ = nullptr;
  std::vector<Worker> workers_;
};

}  // namespace lerpp
