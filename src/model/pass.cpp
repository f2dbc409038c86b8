// SPDX-License-Identifier: Apache-2.0
#include "model/pass.hpp"

#include <algorithm>
#include <numeric>

#include "model/real.hpp"

namespace lerpp {
namespace {

/// A ball costs its finding besides: beyond this share of the entities, going over all of them is
/// cheaper.
constexpr double most_ball_nodes = 0.4;
/// Edges of a graph from which on a ball has at most so many edges for each node of its frontier.
constexpr std::size_t unbounded_edges = 4'000'000;
constexpr std::size_t edges_per_node = 32;
/// Rows whose constraints are found together.
constexpr std::size_t constraint_rows = 256;

}  // namespace

template <class Real>
Asker<Real>::Asker(const Pass<Real>& pass) : finder(pass.graph()) {
  for (const auto& term : pass.terms()) terms.push_back(term ? term->make_scratch() : nullptr);
}

template <class Real>
Pass<Real>::Pass(const Background& background, std::size_t copies)
    : background_(background),
      mask_(background.graph()),
      weights_(background.shape(), copies),
      terms_(make_terms<Real>(background)) {
  if (background.shape().depth == 0) return;
  functions_.emplace(background.graph(), background.shape());
  needed_.resize(background.graph().entities());
}

template <class Real>
void Pass<Real>::begin(const Parameters<Real>& parameters, OperatorId target,
                       std::span<const EntityId> starts, std::span<const Fact> hidden,
                       const Reach& reach) {
  target_ = target;
  reach_ = reach;
  mask_.hide(hidden);
  weights_.prepare(parameters, target, reach.length);
  for (const auto& term : terms_) {
    if (term) term->begin(parameters, target, &mask_);
  }
  ask(starts);
}

template <class Real>
void Pass<Real>::ask(std::span<const EntityId> starts) {
  starts_ = starts;
  if (balls_.size() < starts.size()) balls_.resize(starts.size());
  whole_.assign(starts.size(), 1);
}

template <class Real>
void Pass<Real>::find_ball(Asker<Real>& asker, std::size_t query) {
  if (reach_.path == Path::whole) return;
  const EntityId entities = graph().entities();
  // A frontier is the nearest part of a ball: the whole graph has none.
  const bool always = reach_.frontier > 0 || reach_.path == Path::balls;
  const std::size_t most =
      always ? entities : static_cast<std::size_t>(most_ball_nodes * entities) + 1;
  // A few hubs would fill the memory of a step, and all of its time.
  const std::size_t edges =
      graph().edges().size() > unbounded_edges ? edges_per_node * reach_.frontier : 0;
  const BallFinder::Limits limits = {reach_.length, most, reach_.frontier, edges};
  whole_[query] = asker.finder.find(starts_[query], limits, &mask_, balls_[query]) ? 0 : 1;
  if (is_whole(query) || weights_.shape().functions() == 0) return;
  for (const EntityId entity : balls_[query].nodes) needed_.mark(entity);
}

template <class Real>
void Pass<Real>::collect(const FunctionSource& source) {
  const bool any_whole = std::find(whole_.begin(), whole_.end(), 1) != whole_.end();
  if (any_whole) whole_ball(graph(), &mask_, reach_.length, all_);
  constrained_ = weights_.shape().functions() > 0;
  computes_ = constrained_;
  if (!constrained_) return;
  needed_.clear();
  if (any_whole) {
    for (const EntityId entity : all_.nodes) needed_.add(entity);
  }
  needed_.take_marked();
  constraints_.resize(needed_.size() * weights_.stride());
  plain_ = source.plain;
  if (plain_ == nullptr) {
    functions_->begin(*source.weights, needed_.rows(), &mask_, true);
  } else {
    collect_plain(source);
  }
}

/// A column of an entity depends on its edges and on the column before of its neighbours, so a
/// hidden fact changes the functions within depth - 1 hops of its ends.
template <class Real>
void Pass<Real>::find_stale(const FunctionSource& source) {
  if (stale_.capacity() == 0) stale_.resize(graph().entities());
  stale_.clear();
  for (const EntityId entity : mask_.entities()) stale_.add(entity);
  for (const EntityId entity : source.changed) stale_.add(entity);
  std::size_t first = 0;
  for (std::uint32_t column = 1; column < weights_.shape().depth; ++column) {
    const std::size_t last = stale_.size();
    for (; first < last; ++first) {
      for (const Edge& edge : graph().edges(stale_.rows()[first])) stale_.add(edge.target);
    }
  }
}

template <class Real>
void Pass<Real>::collect_plain(const FunctionSource& source) {
  computes_ = false;
  if (!mask_.entities().empty() || !source.changed.empty()) {
    find_stale(source);
    std::vector<EntityId> again;
    for (const EntityId entity : stale_.rows()) {
      if (needed_.slot(entity) != kernels::no_slot) again.push_back(entity);
    }
    computes_ = !again.empty();
    if (computes_) functions_->begin(*source.weights, again, &mask_, false);
  }
  rows_.resize(needed_.size() * function_width());
}

template <class Real>
std::size_t Pass<Real>::constraint_blocks() const {
  return constrained_ ? (needed_.size() + constraint_rows - 1) / constraint_rows : 0;
}

template <class Real>
void Pass<Real>::constrain(std::size_t block) {
  const std::size_t first = block * constraint_rows;
  const std::size_t last = std::min(first + constraint_rows, needed_.size());
  const std::size_t width = function_width();
  for (std::size_t row = first; row < last && plain_ != nullptr; ++row) {
    const EntityId entity = needed_.rows()[row];
    const std::uint32_t slot = computes_ ? functions_->slot(entity) : kernels::no_slot;
    const Real* from = slot == kernels::no_slot ? plain_->data() + entity * width
                                                : functions_->values() + slot * width;
    std::copy(from, from + width, rows_.data() + row * width);
  }
  weights_.constraints(last - first, function_rows() + first * width, width,
                       constraints_.data() + first * weights_.stride());
}

template <class Real>
const Real* Pass<Real>::function_rows() const {
  return plain_ != nullptr ? rows_.data() : functions_->values();
}

template <class Real>
void Pass<Real>::run(Asker<Real>& asker, const FunctionSource& source) {
  for (std::size_t query = 0; query < starts_.size(); ++query) find_ball(asker, query);
  collect(source);
  if (computes_) functions_->forward(asker.functions);
  for (std::size_t block = 0; block < constraint_blocks(); ++block) constrain(block);
}

template <class Real>
void Pass<Real>::follow(Asker<Real>& asker, std::size_t first, std::size_t count) const {
  const Ball& ball = this->ball(first);
  Constraints<Real> constraints;
  if (constrained_) {
    asker.slots.resize(ball.nodes.size());
    for (std::size_t node = 0; node < ball.nodes.size(); ++node)
      asker.slots[node] = needed_.slot(ball.nodes[node]);
    constraints = {constraints_.data(), asker.slots.data()};
  }
  asker.starts.assign(count, 0);  // the node of a ball's own start
  if (is_whole(first)) std::copy_n(starts_.begin() + first, count, asker.starts.begin());
  asker.rules.forward(weights_, ball, asker.starts, constraints);
}

template <class Real>
void Pass<Real>::score(Asker<Real>& asker, std::size_t query, std::span<Real> scores) const {
  std::fill(scores.begin(), scores.end(), Real{0});
  for (std::size_t kind = 0; kind < terms_.size(); ++kind) {
    if (terms_[kind]) terms_[kind]->add(*asker.terms[kind], starts_[query], scores);
  }
  const std::span<const Real> own = asker.rules.scores();
  const Ball& ball = this->ball(query);
  for (std::size_t node = 0; node < own.size(); ++node) scores[ball.nodes[node]] += own[node];
}

template struct Asker<LERP_REAL>;
template class Pass<LERP_REAL>;

}  // namespace lerpp
