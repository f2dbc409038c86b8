#include "model/prior_term.hpp"

#include <algorithm>
#include <limits>

namespace lerpp {
namespace {

using Feature = PriorClasses::Feature;

/// The runs of equal operators in a row of edges.
void count(std::span<const Edge> edges, std::vector<Feature>& out) {
  out.clear();
  for (const Edge& edge : edges) {
    if (out.empty() || out.back().op != edge.op) out.push_back({edge.op, 0});
    ++out.back().times;
  }
}

std::uint64_t hash_of(std::span<const Feature> features) {
  std::uint64_t hash = features.size();
  for (const Feature& feature : features) {
    hash = (hash ^ (std::uint64_t{feature.op} << 32U | feature.times)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

/// Classes by the hash of their features: 8 bytes a slot, at most half of them taken.
class ClassIndex {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// The class with this hash that `is(number)` finds to be the same, or else the slot for it.
  template <class Same>
  std::uint32_t& find(std::uint64_t hash, Same&& same) {
    const auto tag = static_cast<std::uint32_t>(hash >> 32U);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].number != none && !(slots_[at].tag == tag && same(slots_[at].number)))
      at = (at + 1) & (slots_.size() - 1);
    slots_[at].tag = tag;
    return slots_[at].number;
  }
  bool full(std::size_t classes) const { return 2 * classes >= slots_.size(); }
  /// Twice as large and empty: the owner puts its classes in again.
  void grow() { slots_.assign(2 * slots_.size(), {}); }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number = none;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
};

}  // namespace

PriorClasses::PriorClasses(const Graph& graph) : of_entity_(graph.entities()) {
  // On a large graph nearly every entity is a class of its own: the features are written where they
  // stay, and the index knows no more than their hashes.
  ClassIndex index;
  std::vector<Feature> own;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    count(graph.edges(entity), own);
    std::uint32_t& number = index.find(hash_of(own), [&](std::uint32_t other) {
      return std::ranges::equal(features(other), own);
    });
    const auto fresh = static_cast<std::uint32_t>(size());
    if (number == ClassIndex::none) {
      number = fresh;
      features_.insert(features_.end(), own.begin(), own.end());
      starts_.push_back(features_.size());
    }
    of_entity_[entity] = number;
    if (size() == fresh || !index.full(size())) continue;
    index.grow();
    const auto differs = [](std::uint32_t) { return false; };
    for (std::uint32_t old = 0; old < size(); ++old)
      index.find(hash_of(features(old)), differs) = old;
  }
}

template <class Real>
std::span<const Feature> PriorTerm<Real>::features(EntityId entity,
                                                   std::vector<Feature>& buffer) const {
  const std::span<const Feature> all = classes_->features(classes_->of_entities()[entity]);
  if (mask_ == nullptr || !mask_->touches(entity)) return all;
  buffer.assign(all.begin(), all.end());
  for (std::size_t i = 0, at = graph_.start(entity); i < buffer.size(); ++i) {
    const std::size_t end = at + all[i].times;
    for (; at < end; ++at) buffer[i].times -= mask_->hides(at) ? 1 : 0;
  }
  std::erase_if(buffer, [](const Feature& feature) { return feature.times == 0; });
  return buffer;
}

template <class Real>
Real PriorTerm<Real>::value(std::span<const Feature> features) const {
  Real sum = 0;
  for (const Feature& feature : features) sum += value(feature);
  return sum;
}

template <class Real>
void PriorTerm<Real>::begin(const Parameters<Real>& parameters, OperatorId target,
                            const View<Real>& view) {
  target_ = target;
  mask_ = view.mask;
  weights_ = parameters.of(Part::prior, target);
  of_class_.resize(classes_->size());
  for (std::size_t number = 0; number < of_class_.size(); ++number)
    of_class_[number] = value(classes_->features(number));
  const std::span<const std::uint32_t> classes = classes_->of_entities();
  of_entity_.resize(classes.size());
  for (std::size_t entity = 0; entity < classes.size(); ++entity)
    of_entity_[entity] = of_class_[classes[entity]];
  for (auto& sums : sums_) sums.assign(weights_.size(), 0);
  if (mask_ == nullptr) return;
  std::vector<Feature> buffer;
  for (const EntityId entity : mask_->entities())
    of_entity_[entity] = value(features(entity, buffer));
}

template <class Real>
void PriorTerm<Real>::add(unsigned /*worker*/, EntityId /*start*/, std::span<Real> scores) {
  for (std::size_t entity = 0; entity < scores.size(); ++entity)
    scores[entity] += of_entity_[entity];
}

template <class Real>
void PriorTerm<Real>::learn(unsigned worker, const Lesson<Real>& lesson) {
  std::vector<double>& sums = sums_[worker];
  std::vector<Feature> buffer;
  for (std::size_t i = 0; i < lesson.entities.size(); ++i) {
    const auto d = static_cast<double>(lesson.gradient[i]);
    for (const auto& [op, times] : features(lesson.entities[i], buffer)) {
      sums[2 * op] += d;
      sums[2 * op + 1] += d * log_of_count(times);
    }
  }
}

template <class Real>
void PriorTerm<Real>::finish(Parameters<Real>& gradient, std::span<Real> /*function_gradient*/) {
  const std::span<Real> to = gradient.of(Part::prior, target_);
  for (std::size_t i = 0; i < to.size(); ++i) {
    double sum = 0;
    for (const auto& sums : sums_) sum += sums[i];
    to[i] += static_cast<Real>(sum);
  }
}

template <class Real>
std::vector<PriorReason> PriorTerm<Real>::explain(EntityId answer) const {
  std::vector<PriorReason> reasons;
  std::vector<Feature> buffer;
  for (const Feature& feature : features(answer, buffer))
    reasons.push_back({feature.op, feature.times, static_cast<double>(value(feature))});
  return reasons;
}

template class PriorTerm<float>;
template class PriorTerm<double>;

}  // namespace lerpp
