#include "model/constant_term.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace lerpp {
namespace {

/// d: as many examples, with the answers of everybody, stand beside those of a trait.
constexpr double doubt = 10;
/// s: as many examples that do not have the answer stand beside those of a trait.
constexpr double smoothing = 5;
/// Makes the two kinds of evidence about as large, so that they are learned as fast.
constexpr double confidence_scale = 10;

}  // namespace

template <class Real>
struct ConstantTerm<Real>::Worker {
  struct Feature {
    OperatorId op = 0;
    EntityId answer = 0;
    Real lift = 0;
    Real best = 0;
  };
  struct Sum {
    Real lift = 0;
    Real confidence = 0;
  };

  explicit Worker(const ConstantCounts& counts)
      : reader(counts),
        sums(counts.tables().graph().entities()),
        wanted(sums.size()),
        gradient(2 * std::size_t{counts.tables().graph().operators()}) {}

  ConstantCounts::Reader reader;
  std::vector<Sum> sums;       ///< by entity, of the operator at hand
  std::vector<EntityId> seen;  ///< whose sums are not zero
  EntityId start = 0;
  std::vector<Feature> features;  ///< of the last query
  std::vector<Real> wanted;       ///< by entity, the gradient of a lesson
  std::vector<Real> gradient;
};

template <class Real>
ConstantTerm<Real>::ConstantTerm(std::shared_ptr<const ConstantTables> tables, unsigned workers)
    : counts_(std::move(tables)), workers_(workers, Worker(counts_)) {}

template <class Real>
ConstantTerm<Real>::~ConstantTerm() = default;

template <class Real>
void ConstantTerm<Real>::begin(const Parameters<Real>& parameters, OperatorId target,
                               const View<Real>& view) {
  counts_.begin(target, view.mask);
  target_ = target;
  weights_ = parameters.of(Part::constant, target);
  for (Worker& own : workers_) std::fill(own.gradient.begin(), own.gradient.end(), Real{0});
}

template <class Real>
auto ConstantTerm<Real>::weigh(const Worker& own, const ConstantCounts::Trait& trait,
                               const ConstantTables::Entry& entry) const -> Said {
  const std::uint32_t count = counts_.count(own.reader, entry);
  // r(x, y) => q(x, y) needs no constant: it is a rule.
  if (count < trait.least || entry.answer == trait.edge.target) return {};
  const auto times = static_cast<Real>(count);
  const Real expected = static_cast<Real>(doubt) *
                        static_cast<Real>(counts_.base(own.reader, entry.answer)) /
                        static_cast<Real>(counts_.answering(own.reader));
  return {std::log(1 + times / expected),
          times / (static_cast<Real>(trait.body) + static_cast<Real>(smoothing)), count};
}

template <class Real>
void ConstantTerm<Real>::add(unsigned worker, EntityId start, std::span<Real> scores) {
  Worker& own = workers_[worker];
  own.start = start;
  own.features.clear();
  OperatorId op = 0;
  constexpr Real scale = confidence_scale;
  const auto flush = [&] {
    for (const EntityId answer : own.seen) {
      const auto sum = std::exchange(own.sums[answer], {});
      const Real best = scale * sum.confidence;
      own.features.push_back({op, answer, sum.lift, best});
      scores[answer] += weights_[2 * op] * sum.lift + weights_[2 * op + 1] * best;
    }
    own.seen.clear();
  };
  counts_.for_each_trait(own.reader, start, [&](const ConstantCounts::Trait& trait) {
    if (trait.edge.op != op) flush();
    op = trait.edge.op;
    for (const ConstantTables::Entry& entry : trait.entries) {
      const Said said = weigh(own, trait, entry);
      if (said.count == 0) continue;
      auto& sum = own.sums[entry.answer];
      if (sum.confidence == 0) own.seen.push_back(entry.answer);
      sum.lift += said.lift;
      sum.confidence = std::max(sum.confidence, said.confidence);
    }
  });
  flush();
}

template <class Real>
void ConstantTerm<Real>::learn(unsigned worker, const Lesson<Real>& lesson) {
  Worker& own = workers_[worker];
  assert(lesson.start == own.start);
  for (std::size_t i = 0; i < lesson.entities.size(); ++i)
    own.wanted[lesson.entities[i]] += lesson.gradient[i];
  for (const auto& feature : own.features) {
    const Real wanted = own.wanted[feature.answer];
    own.gradient[2 * feature.op] += wanted * feature.lift;
    own.gradient[2 * feature.op + 1] += wanted * feature.best;
  }
  for (const EntityId entity : lesson.entities) own.wanted[entity] = 0;
}

template <class Real>
void ConstantTerm<Real>::finish(Parameters<Real>& gradient, std::span<Real> /*function_gradient*/) {
  const std::span<Real> to = gradient.of(Part::constant, target_);
  for (const Worker& own : workers_) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += own.gradient[i];
  }
}

template <class Real>
std::vector<ConstantReason> ConstantTerm<Real>::explain(unsigned worker, EntityId start,
                                                        EntityId answer) {
  Worker& own = workers_[worker];
  std::vector<ConstantReason> reasons;
  std::size_t best = 0;
  constexpr Real scale = confidence_scale;
  Real confidence = 0;
  const auto flush = [&] {
    if (confidence > 0) {
      reasons[best].contribution +=
          static_cast<double>(weights_[2 * reasons[best].op + 1] * scale * confidence);
    }
    confidence = 0;
  };
  counts_.for_each_trait(own.reader, start, [&](const ConstantCounts::Trait& trait) {
    if (!reasons.empty() && reasons.back().op != trait.edge.op) flush();
    const auto entry = std::lower_bound(
        trait.entries.begin(), trait.entries.end(), answer,
        [](const ConstantTables::Entry& a, EntityId entity) { return a.answer < entity; });
    if (entry == trait.entries.end() || entry->answer != answer) return;
    const Said said = weigh(own, trait, *entry);
    if (said.count == 0) return;
    reasons.push_back({trait.edge.op, trait.edge.target, said.count, trait.body,
                       static_cast<double>(weights_[2 * trait.edge.op] * said.lift)});
    if (said.confidence > confidence) {
      confidence = said.confidence;
      best = reasons.size() - 1;
    }
  });
  flush();
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const ConstantReason& a, const ConstantReason& b) {
                     return std::abs(a.contribution) > std::abs(b.contribution);
                   });
  return reasons;
}

template class ConstantTerm<float>;
template class ConstantTerm<double>;

}  // namespace lerpp
