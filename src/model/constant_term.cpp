// SPDX-License-Identifier: Apache-2.0
#include "model/constant_term.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "model/entity_map.hpp"
#include "model/real.hpp"

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
struct ConstantTerm<Real>::Space final : Term<Real>::Scratch {
  struct Feature {
    std::uint32_t slot = 0;
    EntityId answer = 0;
    Real lift = 0;
    Real best = 0;
  };
  struct Sum {
    Real lift = 0;
    Real confidence = 0;
  };

  explicit Space(const ConstantCounts& counts)
      : reader(counts), sums(counts.tables().graph().entities()), wanted(sums.size()) {}

  ConstantCounts::Reader reader;
  EntityMap<Sum> sums;         ///< by entity, of the operator at hand
  std::vector<EntityId> seen;  ///< whose sums are not zero
  EntityId start = 0;
  std::vector<Feature> features;  ///< of the last query
  EntityMap<Real> wanted;         ///< by entity, the gradient of a lesson
};

template <class Real>
auto ConstantTerm<Real>::make_scratch() const -> std::unique_ptr<Scratch> {
  return std::make_unique<Space>(counts_);
}

template <class Real>
void ConstantTerm<Real>::begin(const Parameters<Real>& parameters, OperatorId target,
                               const Mask* mask) {
  counts_.begin(target, mask);
  target_ = target;
  slots_.take(parameters.operators(target), parameters.shape().operators());
  weights_ = parameters.of(Part::constant, target);
}

template <class Real>
auto ConstantTerm<Real>::weigh(const Space& own, const ConstantCounts::Trait& trait,
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
void ConstantTerm<Real>::add(Scratch& scratch, EntityId start, std::span<Real> scores) const {
  auto& own = static_cast<Space&>(scratch);
  own.start = start;
  own.features.clear();
  OperatorId op = 0;
  constexpr Real scale = confidence_scale;
  const auto flush = [&] {
    const std::uint32_t slot = slots_[op];
    for (const EntityId answer : own.seen) {
      const typename Space::Sum sum = own.sums.get(answer);
      const Real best = scale * sum.confidence;
      own.features.push_back({slot, answer, sum.lift, best});
      scores[answer] +=
          weights_[2 * std::size_t{slot}] * sum.lift + weights_[2 * std::size_t{slot} + 1] * best;
    }
    own.sums.forget(own.seen);
    own.seen.clear();
  };
  counts_.for_each_trait(own.reader, start, [&](const ConstantCounts::Trait& trait) {
    if (slots_[trait.edge.op] == OperatorSlots::none) return;
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
void ConstantTerm<Real>::learn(Scratch& scratch, const Lesson<Real>& lesson,
                               std::span<Real> sums) const {
  auto& own = static_cast<Space&>(scratch);
  assert(lesson.start == own.start);
  for (std::size_t i = 0; i < lesson.entities.size(); ++i)
    own.wanted[lesson.entities[i]] += lesson.gradient[i];
  for (const auto& feature : own.features) {
    const Real wanted = own.wanted.get(feature.answer);
    sums[2 * std::size_t{feature.slot}] += wanted * feature.lift;
    sums[2 * std::size_t{feature.slot} + 1] += wanted * feature.best;
  }
  own.wanted.forget(lesson.entities);
}

template <class Real>
std::vector<TermReason> ConstantTerm<Real>::explain(Scratch& scratch, EntityId start,
                                                    EntityId answer) const {
  auto& own = static_cast<Space&>(scratch);
  std::vector<TermReason> reasons;
  std::size_t best = 0;
  constexpr Real scale = confidence_scale;
  Real confidence = 0;
  const auto flush = [&] {
    if (confidence > 0) {
      const std::size_t slot = slots_[reasons[best].number];
      reasons[best].contribution +=
          static_cast<double>(weights_[2 * slot + 1] * scale * confidence);
    }
    confidence = 0;
  };
  counts_.for_each_trait(own.reader, start, [&](const ConstantCounts::Trait& trait) {
    const std::size_t slot = slots_[trait.edge.op];
    if (slot == OperatorSlots::none) return;
    if (!reasons.empty() && reasons.back().number != trait.edge.op) flush();
    const auto entry = std::lower_bound(
        trait.entries.begin(), trait.entries.end(), answer,
        [](const ConstantTables::Entry& a, EntityId entity) { return a.answer < entity; });
    if (entry == trait.entries.end() || entry->answer != answer) return;
    const Said said = weigh(own, trait, *entry);
    if (said.count == 0) return;
    reasons.push_back({trait.edge.op, trait.edge.target, said.count, trait.body,
                       static_cast<double>(weights_[2 * slot] * said.lift)});
    if (said.confidence > confidence) {
      confidence = said.confidence;
      best = reasons.size() - 1;
    }
  });
  flush();
  std::stable_sort(reasons.begin(), reasons.end(), [](const TermReason& a, const TermReason& b) {
    return std::abs(a.contribution) > std::abs(b.contribution);
  });
  return reasons;
}

template <class Real>
Rule ConstantTerm<Real>::rule_of(const TermReason& reason) const {
  return pair_rule(target_, Formula::constant(reason.number, *reason.constant), Formula::truth());
}

template <class Real>
Rule ConstantTerm<Real>::statement(std::uint32_t number) const {
  return path_rule(target_, {number, counts_.tables().graph().inverse(number), target_});
}

template class ConstantTerm<LERP_REAL>;

}  // namespace lerpp
