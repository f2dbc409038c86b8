#include "explain/distill_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/log_table.hpp"

namespace lerpp {
namespace {

constexpr std::size_t batch = 32;
constexpr double thin = 0.003;
constexpr float first_decay = 0.9F;
constexpr float second_decay = 0.999F;

float value(const RuleFit::Weights& weights, std::uint32_t count) {
  return weights.once + weights.more * static_cast<float>(log_of_count(count));
}

}  // namespace

RuleFit::RuleFit(const Graph& graph, std::shared_ptr<const PriorClasses> classes, std::size_t paths,
                 std::uint64_t seed)
    : graph_(graph),
      classes_(std::move(classes)),
      random_(seed),
      weights_(paths + graph.operators()),
      gradient_(weights_.size()),
      first_(weights_.size()),
      second_(weights_.size()),
      on_(weights_.size(), 1),
      slope_(graph.entities()) {}

std::span<const RuleFit::Feature> RuleFit::features(OperatorId target, const Question& question,
                                                    EntityId entity) {
  const std::span<const Feature> all = classes_->features(classes_->of_entities()[entity]);
  if (entity != question.start && entity != question.answer) return all;
  buffer_.assign(all.begin(), all.end());
  for (Feature& feature : buffer_) {
    if (entity == question.start && feature.op == target) --feature.times;
    if (entity == question.answer && feature.op == graph_.inverse(target)) --feature.times;
  }
  std::erase_if(buffer_, [](const Feature& feature) { return feature.times == 0; });
  return buffer_;
}

float RuleFit::prior_of(std::span<const Feature> features) const {
  float sum = 0;
  for (const auto& [op, times] : features) sum += value(weights_[paths() + op], times);
  return sum;
}

void RuleFit::refresh_prior() {
  of_class_.resize(classes_->size());
  for (std::size_t number = 0; number < of_class_.size(); ++number)
    of_class_[number] = prior_of(classes_->features(number));
  prior_.resize(graph_.entities());
  const std::span<const std::uint32_t> classes = classes_->of_entities();
  for (std::size_t entity = 0; entity < prior_.size(); ++entity)
    prior_[entity] = of_class_[classes[entity]];
}

/// Leaves in loss_ what the scores of a query should do.
double RuleFit::evaluate(const FeatureTable& table, std::size_t query, double least) {
  const Question question = table.question(query);
  scores_ = prior_;
  for (const EntityId entity : {question.start, question.answer})
    scores_[entity] = prior_of(features(table.target(), question, entity));
  for (const FeatureTable::Finding& found : table.findings(query)) {
    const Weights& weights = weights_[found.rule];
    if (weights.once == 0 && weights.more == 0) continue;
    const std::span<const EntityId> entities = table.entities(found);
    const std::span<const std::uint16_t> counts = table.counts(found);
    for (std::size_t i = 0; i < entities.size(); ++i)
      scores_[entities[i]] += value(weights, counts[i]);
  }
  for (const Edge& known : graph_.edges(question.start, table.target())) {
    if (known.target != question.answer) scores_[known.target] = ScoreLoss<float>::nothing;
  }
  return loss_.evaluate(scores_, {question.answer, 1, least, random_.real()});
}

double RuleFit::learn(const FeatureTable& table, const Settings& settings) {
  std::vector<std::size_t> order(table.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t steps = settings.epochs * ((order.size() + batch - 1) / batch);
  std::size_t done = 0;
  double loss = 0;
  for (std::uint32_t epoch = 0; epoch < settings.epochs; ++epoch) {
    random_.shuffle(order);
    loss = 0;
    for (std::size_t first = 0; first < order.size(); first += batch) {
      refresh_prior();
      std::fill(gradient_.begin(), gradient_.end(), Weights{});
      const std::size_t last = std::min(order.size(), first + batch);
      for (std::size_t at = first; at < last; ++at) {
        const Question question = table.question(order[at]);
        loss += evaluate(table, order[at], thin);
        const std::span<const EntityId> entities = loss_.entities();
        const auto share = 1 / static_cast<float>(last - first);
        for (std::size_t i = 0; i < entities.size(); ++i) {
          const float slope = loss_.gradient()[i] * share;
          slope_[entities[i]] = slope;
          for (const auto& [op, times] : features(table.target(), question, entities[i])) {
            Weights& to = gradient_[paths() + op];
            to.once += slope;
            to.more += slope * static_cast<float>(log_of_count(times));
          }
        }
        for (const FeatureTable::Finding& found : table.findings(order[at])) {
          Weights sum;
          const std::span<const EntityId> reached = table.entities(found);
          const std::span<const std::uint16_t> counts = table.counts(found);
          for (std::size_t i = 0; i < reached.size(); ++i) {
            const float slope = slope_[reached[i]];
            sum.once += slope;
            sum.more += slope * static_cast<float>(log_of_count(counts[i]));
          }
          gradient_[found.rule].once += sum.once;
          gradient_[found.rule].more += sum.more;
        }
        for (const EntityId entity : entities) slope_[entity] = 0;
      }
      const double share = static_cast<double>(done++) / static_cast<double>(steps);
      step(settings, settings.rate + (settings.last_rate - settings.rate) * share);
    }
  }
  refresh_prior();
  return loss / static_cast<double>(std::max<std::size_t>(1, order.size()));
}

void RuleFit::step(const Settings& settings, double rate) {
  ++steps_;
  const auto count = static_cast<double>(steps_);
  const auto pace = static_cast<float>(rate / (1 - std::pow(double{first_decay}, count)));
  const auto correction = static_cast<float>(1 / (1 - std::pow(double{second_decay}, count)));
  const auto kept = static_cast<float>(1 - rate * settings.decay);
  const auto off = static_cast<float>(rate * settings.shrink);
  const auto move = [&](float& x, float d, float& first, float& second) {
    first = first_decay * first + (1 - first_decay) * d;
    second = second_decay * second + (1 - second_decay) * d * d;
    x = kept * x - pace * first / (std::sqrt(second * correction) + 1e-8F);
    x = std::copysign(std::max(0.0F, std::abs(x) - off), x);
  };
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (on_[i] == 0) continue;
    move(weights_[i].once, gradient_[i].once, first_[i].once, second_[i].once);
    move(weights_[i].more, gradient_[i].more, first_[i].more, second_[i].more);
  }
}

std::vector<double> RuleFit::costs(const FeatureTable& table, std::size_t queries) {
  std::vector<double> costs(weights_.size());
  const std::size_t count = std::min(queries, table.size());
  std::vector<double> change(graph_.operators());
  std::vector<float> mass(classes_->size());
  refresh_prior();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t query = i * table.size() / count;
    const Question question = table.question(query);
    evaluate(table, query, 0);
    std::fill(mass.begin(), mass.end(), 0.0F);
    std::fill(change.begin(), change.end(), 0);
    // Shares of the softmax: the gradient of the answer is its share less one.
    const auto count_prior = [&](std::span<const Feature> features, double share) {
      for (const auto& [op, times] : features) {
        if (on_[paths() + op] != 0)
          change[op] += share * std::expm1(-double{value(weights_[paths() + op], times)});
      }
    };
    for (std::size_t at = 0; at < loss_.entities().size(); ++at) {
      const EntityId entity = loss_.entities()[at];
      const float share = loss_.gradient()[at] + (entity == question.answer ? 1.0F : 0.0F);
      slope_[entity] = share;
      if (entity == question.start || entity == question.answer) {
        count_prior(features(table.target(), question, entity), double{share});
      } else {
        mass[classes_->of_entities()[entity]] += share;
      }
    }
    for (std::size_t number = 0; number < mass.size(); ++number) {
      if (mass[number] > 0) count_prior(classes_->features(number), double{mass[number]});
    }
    for (const FeatureTable::Finding& found : table.findings(query)) {
      const Weights& weights = weights_[found.rule];
      const std::span<const EntityId> reached = table.entities(found);
      const std::span<const std::uint16_t> counts = table.counts(found);
      double lost = 0;
      double own = 0;
      for (std::size_t at = 0; at < reached.size(); ++at) {
        const float evidence = value(weights, counts[at]);
        if (reached[at] == question.answer) own = double{evidence};
        if (slope_[reached[at]] > 0)
          lost += double{slope_[reached[at]]} * std::expm1(-double{evidence});
      }
      costs[found.rule] += std::log(std::max(1e-30, 1 + lost)) + own;
    }
    for (const auto& [op, times] : features(table.target(), question, question.answer))
      costs[paths() + op] += double{value(weights_[paths() + op], times)};
    for (OperatorId op = 0; op < graph_.operators(); ++op)
      costs[paths() + op] += std::log(std::max(1e-30, 1 + change[op]));
    for (const EntityId entity : loss_.entities()) slope_[entity] = 0;
  }
  for (double& cost : costs) cost /= static_cast<double>(std::max<std::size_t>(1, count));
  return costs;
}

std::vector<double> RuleFit::gains(const FeatureTable& table, RuleExplorer& candidates,
                                   std::size_t count, std::size_t queries) {
  std::vector<double> slopes(count);
  std::vector<double> curvatures(count);
  refresh_prior();
  queries = std::min(queries, table.size());
  for (std::size_t i = 0; i < queries; ++i) {
    const std::size_t query = i * table.size() / queries;
    const EntityId answer = table.question(query).answer;
    evaluate(table, query, 0);
    for (std::size_t at = 0; at < loss_.entities().size(); ++at)
      slope_[loss_.entities()[at]] = loss_.gradient()[at];
    const RuleWalk& walk = candidates.walk(table.question(query));
    for (const RuleWalk::Finding& found : walk.findings()) {
      double slope = 0;
      double share = 0;
      for (const EntityId entity : walk.entities(found)) {
        slope += double{slope_[entity]};
        share += double{slope_[entity]} + (entity == answer ? 1 : 0);
      }
      slopes[found.rule] += slope;
      curvatures[found.rule] += share * (1 - share);
    }
    for (const EntityId entity : loss_.entities()) slope_[entity] = 0;
  }
  // A few queries more of curvature: a rule that speaks once proves nothing.
  constexpr double caution = 2;
  std::vector<double> gains(count);
  for (std::size_t i = 0; i < count; ++i)
    gains[i] = slopes[i] * slopes[i] / (2 * (std::max(0.0, curvatures[i]) + caution));
  return gains;
}

void RuleFit::keep(std::span<const std::uint32_t> numbers) {
  const std::size_t before = paths();
  const auto shorten = [&](auto& items) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i >= before || numbers[i] != RuleTrie::none) items[kept++] = items[i];
    }
    items.resize(kept);
  };
  shorten(on_);
  shorten(first_);
  shorten(second_);
  shorten(gradient_);
  shorten(weights_);
}

void RuleFit::grow(std::size_t more) {
  const auto before = static_cast<std::ptrdiff_t>(paths());
  for (auto* items : {&weights_, &gradient_, &first_, &second_})
    items->insert(items->begin() + before, more, Weights{});
  on_.insert(on_.begin() + before, more, 1);
}

}  // namespace lerpp
