#include "model/prior_term.hpp"

#include <map>

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

}  // namespace

PriorClasses::PriorClasses(const Graph& graph) : of_entity_(graph.entities()) {
  std::map<std::vector<Feature>, std::uint32_t> numbers;
  std::vector<Feature> own;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    count(graph.edges(entity), own);
    const auto [place, fresh] = numbers.try_emplace(own, static_cast<std::uint32_t>(size()));
    if (fresh) {
      features_.insert(features_.end(), own.begin(), own.end());
      starts_.push_back(features_.size());
    }
    of_entity_[entity] = place->second;
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
