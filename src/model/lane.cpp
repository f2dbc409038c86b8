// SPDX-License-Identifier: Apache-2.0
#include "model/lane.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "model/real.hpp"

namespace lerpp {
namespace {

/// Parts of a batch, at most: enough for every core, few enough for the memory of their sums.
constexpr std::size_t most_parts = 16;
/// Parts share so much memory for the gradient of constraints, whatever the graph.
constexpr std::size_t most_part_bytes = std::size_t{256} << 20U;
/// And so much for the sums of the rules' operators, of which there may be thousands.
constexpr std::size_t most_hop_bytes = std::size_t{4} << 20U;
/// Chunks of the rows, at most, and rows of a chunk, at least.
constexpr std::size_t most_row_chunks = 16;
constexpr std::size_t least_row_chunk = 256;

}  // namespace

template <class Real>
void Lane<Real>::begin(const Parameters<Real>& parameters, const Batch& batch,
                       const StepSettings& settings, Path path) {
  batch_ = &batch;
  settings_ = settings;
  term_sizes_.clear();
  for (const TermKind& kind : term_kinds())
    term_sizes_.push_back(parameters.of(kind.part, batch.target).size());
  pass_.begin(parameters, batch.target, batch.starts, batch.hidden,
              {settings.length, settings.frontier, path});
}

template <class Real>
void Lane<Real>::divide() {
  const RuleWeights<Real>& weights = pass_.weights();
  const std::size_t rows = pass_.needed().size();
  const std::size_t chunks = std::clamp<std::size_t>(rows / least_row_chunk, 1, most_row_chunks);
  chunk_rows_ = std::max<std::size_t>(1, (rows + chunks - 1) / chunks);
  chunk_sums_.resize(std::max<std::size_t>(1, (rows + chunk_rows_ - 1) / chunk_rows_));
  if (pass_.constraints() != nullptr) row_gradient_.resize(rows * weights.stride());

  // A pack is what the copies of the rules serve at once: one query, or several on the whole graph.
  const std::size_t queries = batch_->starts.size();
  const std::size_t packs = (queries + weights.copies() - 1) / weights.copies();
  const std::size_t bytes =
      pass_.constraints() == nullptr ? 1 : rows * weights.stride() * sizeof(Real) + 1;
  const std::size_t count =
      std::min({packs, most_parts, std::max<std::size_t>(1, most_part_bytes / bytes),
                std::max<std::size_t>(1, most_hop_bytes / weights.hop_bytes())});
  if (all_parts_.size() < count) all_parts_.resize(count);
  parts_ = std::span(all_parts_).first(count);
  for (std::size_t part = 0; part < count; ++part) {
    parts_[part].first = std::min(queries, packs * part / count * weights.copies());
    parts_[part].last = std::min(queries, packs * (part + 1) / count * weights.copies());
    parts_[part].losses.assign(groups(), 0);
    parts_[part].terms.resize(term_sizes_.size());
  }
}

template <class Real>
std::size_t Lane<Real>::cost(std::size_t part) const {
  std::size_t edges = 0;
  for (std::size_t query = parts_[part].first; query < parts_[part].last; ++query)
    edges += pass_.ball(query).edges.size();
  return edges;
}

template <class Real>
std::size_t Lane<Real>::groups() const {
  switch (settings_.softmax) {
    case Softmax::one:
      return 1;
    case Softmax::two:
      return 2;
    case Softmax::each:
      return 1 + term_sizes_.size();
  }
  return 1;
}

template <class Real>
auto Lane<Real>::kinds_of(std::size_t group) const -> Kinds {
  const std::size_t all = term_sizes_.size();
  if (settings_.softmax == Softmax::one) return {0, all};
  if (group == 0) return {0, 0};
  return settings_.softmax == Softmax::two ? Kinds{0, all} : Kinds{group - 1, group};
}

template <class Real>
void Lane<Real>::learn(Learner<Real>& learner, std::size_t number, std::size_t group) {
  PartSums& part = parts_[number];
  const Kinds kinds = kinds_of(group);
  bool any = false;
  for (std::size_t kind = kinds.first; kind < kinds.last; ++kind) {
    part.terms[kind].assign(term_sizes_[kind], Real{0});
    any = any || term_sizes_[kind] > 0;
  }
  if (group == 0) {
    learn_rules(learner, part);
    return;
  }
  if (!any) return;
  for (std::size_t query = part.first; query < part.last; ++query) {
    learner.scores.assign(pass_.graph().entities(), Real{0});
    add_terms(learner, query, kinds);
    teach_terms(learner, part, draw_lesson(learner, query, part.losses[group]), kinds);
  }
}

template <class Real>
void Lane<Real>::learn_rules(Learner<Real>& learner, PartSums& part) {
  const RuleWeights<Real>& weights = pass_.weights();
  weights.clear(part.rules);
  part.rows.clear();
  part.gradient.clear();
  if (learner.part_rows.size() < pass_.needed().size())
    learner.part_rows.resize(pass_.needed().size(), kernels::no_slot);
  for (std::size_t query = part.first; query < part.last; query += weights.copies()) {
    const std::size_t count = std::min(weights.copies(), part.last - query);
    pass_.follow(learner.asker, query, count);
    if (weights.shape().evidence) {
      learn_evidence(learner, part, query);
    } else {
      learn_sum(learner, part, query, count);
    }
  }
  close_rows(learner, part);
}

template <class Real>
Constraints<Real> Lane<Real>::constraints(const Learner<Real>& learner) const {
  return {pass_.constraints(), learner.asker.slots.data()};
}

template <class Real>
ConstraintGradient<Real> Lane<Real>::open_rows(Learner<Real>& learner, PartSums& part,
                                               const Ball& ball, std::size_t count,
                                               std::span<const std::uint32_t> nodes) const {
  if (pass_.constraints() == nullptr) return {};
  learner.node_slots.resize(ball.nodes.size());
  const auto open = [&](std::size_t node) {
    const std::uint32_t row = learner.asker.slots[node];
    std::uint32_t& place = learner.part_rows[row];
    if (place == kernels::no_slot) {
      place = static_cast<std::uint32_t>(part.rows.size());
      part.rows.push_back(row);
    }
    learner.node_slots[node] = place;
  };
  for (std::size_t node = 0; node < count; ++node) open(node);
  for (const std::uint32_t node : nodes) open(node);
  part.gradient.resize(part.rows.size() * pass_.weights().stride());  // what is new is 0
  return {part.gradient.data(), learner.node_slots.data()};
}

template <class Real>
void Lane<Real>::close_rows(Learner<Real>& learner, PartSums& part) const {
  // Sorted by counting into the chunks that will ask for them.
  part.chunk_starts.assign(chunk_sums_.size() + 1, 0);
  for (const std::uint32_t row : part.rows) {
    learner.part_rows[row] = kernels::no_slot;
    ++part.chunk_starts[row / chunk_rows_ + 1];
  }
  for (std::size_t chunk = 0; chunk < chunk_sums_.size(); ++chunk)
    part.chunk_starts[chunk + 1] += part.chunk_starts[chunk];
  part.by_chunk.resize(part.rows.size());
  std::vector<std::size_t> next(part.chunk_starts.begin(), part.chunk_starts.end() - 1);
  for (std::size_t place = 0; place < part.rows.size(); ++place)
    part.by_chunk[next[part.rows[place] / chunk_rows_]++] = static_cast<std::uint32_t>(place);
}

template <class Real>
void Lane<Real>::learn_sum(Learner<Real>& learner, PartSums& part, std::size_t first,
                           std::size_t count) {
  const Ball& ball = pass_.ball(first);
  const std::size_t nodes = ball.nodes.size();
  const Real weight = Real{1} / static_cast<Real>(batch_->starts.size());
  BallRules<Real>& rules = learner.asker.rules;
  learner.score_gradient.resize(count * nodes);
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = std::find(ball.nodes.begin(), ball.nodes.end(), batch_->answers[first + i]);
    const std::uint32_t answer = found == ball.nodes.end()
                                     ? kernels::no_slot
                                     : static_cast<std::uint32_t>(found - ball.nodes.begin());
    part.losses[0] += static_cast<double>(
        query_loss<Real>(rules.scores().subspan(i * nodes, nodes), answer, weight,
                         std::span(learner.score_gradient).subspan(i * nodes, nodes)));
  }
  const ConstraintGradient<Real> gradient = open_rows(learner, part, ball, nodes, {});
  rules.backward(pass_.weights(), ball, constraints(learner), learner.score_gradient, part.rules,
                 gradient);
}

template <class Real>
void Lane<Real>::learn_evidence(Learner<Real>& learner, PartSums& part, std::size_t query) {
  const Ball& ball = pass_.ball(query);
  learner.scores.assign(pass_.graph().entities(), Real{0});
  add_terms(learner, query, kinds_of(0));
  const std::span<const Real> own = learner.asker.rules.scores();
  for (std::size_t node = 0; node < own.size(); ++node) {
    learner.scores[ball.nodes[node]] += own[node];
    learner.nodes_of[ball.nodes[node]] = static_cast<std::uint32_t>(node);
  }
  const Lesson<Real> lesson = draw_lesson(learner, query, part.losses[0]);
  learner.lesson_nodes.clear();
  learner.lesson_gradient.clear();
  for (std::size_t i = 0; i < lesson.entities.size(); ++i) {
    const std::uint32_t node = learner.nodes_of.get(lesson.entities[i]);
    if (node == kernels::no_slot) continue;
    learner.lesson_nodes.push_back(node);
    learner.lesson_gradient.push_back(lesson.gradient[i]);
  }
  learner.nodes_of.forget(ball.nodes);
  // Only what passes something on, and what the lesson is about, can have a gradient.
  std::size_t passing = ball.starts.size() - 1;
  if (settings_.frontier > 0) passing = std::min<std::size_t>(passing, settings_.frontier);
  const ConstraintGradient<Real> gradient =
      open_rows(learner, part, ball, passing, learner.lesson_nodes);
  learner.asker.rules.backward(pass_.weights(), ball, constraints(learner),
                               {learner.lesson_nodes, learner.lesson_gradient}, part.rules,
                               gradient);
  teach_terms(learner, part, lesson, kinds_of(0));
}

template <class Real>
void Lane<Real>::add_terms(Learner<Real>& learner, std::size_t query, Kinds kinds) {
  for (std::size_t kind = kinds.first; kind < kinds.last; ++kind) {
    if (pass_.terms()[kind])
      pass_.terms()[kind]->add(*learner.asker.terms[kind], batch_->starts[query], learner.scores);
  }
}

template <class Real>
void Lane<Real>::teach_terms(Learner<Real>& learner, PartSums& part, const Lesson<Real>& lesson,
                             Kinds kinds) {
  for (std::size_t kind = kinds.first; kind < kinds.last; ++kind) {
    if (pass_.terms()[kind])
      pass_.terms()[kind]->learn(*learner.asker.terms[kind], lesson, part.terms[kind]);
  }
}

template <class Real>
Lesson<Real> Lane<Real>::draw_lesson(Learner<Real>& learner, std::size_t query,
                                     double& loss) const {
  const EntityId start = batch_->starts[query];
  const EntityId answer = batch_->answers[query];
  for (const Edge& known : pass_.graph().edges(start, batch_->target)) {
    if (known.target != answer) learner.scores[known.target] = ScoreLoss<Real>::nothing;
  }
  Random random(batch_->seed, query);
  loss += learner.loss.evaluate(
      learner.scores,
      {answer, 1 / static_cast<double>(batch_->starts.size()), settings_.thin, random.real()});
  return {start, answer, learner.loss.entities(), learner.loss.gradient()};
}

template <class Real>
void Lane<Real>::learn_constraints(std::size_t chunk) {
  const RuleWeights<Real>& weights = pass_.weights();
  const std::size_t stride = weights.stride();
  const std::size_t first = chunk * chunk_rows_;
  const std::size_t last = std::min(first + chunk_rows_, pass_.needed().size());
  Real* const sum = row_gradient_.data() + first * stride;
  std::fill_n(sum, (last - first) * stride, Real{0});
  for (const PartSums& part : parts_) {
    for (std::size_t i = part.chunk_starts[chunk]; i < part.chunk_starts[chunk + 1]; ++i) {
      const std::uint32_t place = part.by_chunk[i];
      const Real* const from = part.gradient.data() + place * stride;
      Real* const to = row_gradient_.data() + part.rows[place] * stride;
      for (std::size_t k = 0; k < stride; ++k) to[k] += from[k];
    }
  }
  const std::size_t width = pass_.function_width();
  weights.sum_constraints(last - first, sum, pass_.function_rows() + first * width, width,
                          chunk_sums_[chunk]);
  weights.functions_gradient(last - first, sum, width,
                             pass_.functions()->gradient() + first * width);
}

template <class Real>
void Lane<Real>::store(Parameters<Real>& gradient, std::span<Real> shared) {
  for (std::size_t part = 0; part < part_count; ++part) {
    const std::span<Real> own = gradient.of(static_cast<Part>(part), batch_->target);
    std::fill(own.begin(), own.end(), Real{0});
  }
  std::vector<typename RuleWeights<Real>::Sums> sums;
  sums.reserve(parts_.size());
  for (PartSums& part : parts_) sums.push_back(std::move(part.rules));
  pass_.weights().store(sums, std::span(chunk_sums_).first(chunks()), batch_->target, gradient);
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    parts_[part].rules = std::move(sums[part]);
    for (std::size_t kind = 0; kind < parts_[part].terms.size(); ++kind) {
      const std::span<Real> own = gradient.of(term_kinds()[kind].part, batch_->target);
      const Buffer<Real>& found = parts_[part].terms[kind];
      for (std::size_t i = 0; i < found.size(); ++i) own[i] += found[i];
    }
  }
  std::fill(shared.begin(), shared.end(), Real{0});
  if (pass_.functions() != nullptr) pass_.functions()->store(gradient, shared);
}

template <class Real>
double Lane<Real>::loss() const {
  double sum = 0;
  for (const PartSums& part : parts_)
    sum += std::accumulate(part.losses.begin(), part.losses.end(), 0.0);
  return sum;
}

template class Lane<LERP_REAL>;

}  // namespace lerpp
