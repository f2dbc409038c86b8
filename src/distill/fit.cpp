// SPDX-License-Identifier: Apache-2.0
#include "distill/fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lerpp {
namespace {

constexpr std::size_t batch = 32;
constexpr double thin = 0.003;
/// What thinning leaves of a small share must not be blown up.
constexpr double most_factor = 4;
constexpr float first_decay = 0.9F;
constexpr float second_decay = 0.999F;
/// Of the logarithm of an amount: sums of such amounts stay numbers.
constexpr float most_log = 30;

}  // namespace

RuleFit::RuleFit(const Graph& graph, std::shared_ptr<const PriorClasses> classes,
                 std::vector<Opinion> opinions, double trust, std::uint64_t seed)
    : graph_(graph),
      classes_(std::move(classes)),
      random_(seed),
      weights_(graph.operators()),
      gradient_(weights_.size()),
      first_(weights_.size()),
      second_(weights_.size()),
      on_(weights_.size(), 1),
      groups_(graph.entities()),
      slope_(graph.entities()),
      opinions_(std::move(opinions)),
      trust_(opinions_.empty() ? 0 : trust),
      listed_(graph.entities()) {}

std::span<const RuleFit::Feature> RuleFit::features(OperatorId target, const Question& question,
                                                    EntityId entity) {
  const std::span<const Feature> all = classes_->features(classes_->of_entities()[entity]);
  if (!question.fact || (entity != question.start && entity != question.answer)) return all;
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
  for (const auto& [op, times] : features) sum += weights_[paths() + op].of(times);
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
  for (const EntityId entity : {question.start, question.answer})  // the two that differ
    scores_[entity] = prior_of(features(table.target(), question, entity));
  for (const FeatureTable::Finding& found : table.findings(query)) {
    const Weights& weights = weights_[found.rule];
    if (group_[found.rule] != 0 || (weights.once == 0 && weights.more == 0)) continue;
    const std::span<const EntityId> entities = table.entities(found);
    const std::span<const std::uint16_t> counts = table.counts(found);
    for (std::size_t i = 0; i < entities.size(); ++i) scores_[entities[i]] += weights.of(counts[i]);
  }
  groups_.find(
      table, table.findings(query), [&](std::uint32_t rule) { return group_[rule]; },
      [&](std::uint32_t rule) { return amount(rule); });
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const float weight = group_weights_[groups_[i].number];
    for (const auto& [entity, sum] : groups_[i].sums) scores_[entity] += weight * std::log1p(sum);
  }
  for (const Edge& known : graph_.edges(question.start, table.target())) {
    if (known.target != question.answer) scores_[known.target] = ScoreLoss<float>::nothing;
  }
  own_shares_.clear();
  if (trust_ > 0) {
    for (const EntityId entity : opinions_[query].entities)
      own_shares_.push_back(double{scores_[entity]});
  }
  const double own = double{scores_[question.answer]};
  const double loss = loss_.evaluate(scores_, {question.answer, 1, least, random_.real()});
  for (double& share : own_shares_) share = std::exp(share - own - loss);
  return loss;
}

void RuleFit::find_slopes(const Question& question, std::size_t query) {
  sloped_.assign(loss_.entities().begin(), loss_.entities().end());
  for (std::size_t i = 0; i < sloped_.size(); ++i) slope_[sloped_[i]] = loss_.gradient()[i];
  if (trust_ == 0) return;
  const double trust = question.fact ? trust_ : 1;
  // The wanted shares are trust * opinion + (1 - trust) * answer. Outside the opinion's list they
  // are as now, but for a common factor.
  const Opinion& opinion = opinions_[query];
  double wanted = 1;
  double now = 1;
  for (std::size_t i = 0; i < own_shares_.size(); ++i) {
    wanted -= double{opinion.shares[i]};
    now -= own_shares_[i];
    listed_[opinion.entities[i]] = 1;
  }
  slope_[question.answer] += static_cast<float>(trust);
  const double factor = std::min(most_factor, std::max(0.0, wanted) / std::max(1e-6, now));
  for (const EntityId entity : sloped_) {
    if (listed_[entity] != 0) {
      listed_[entity] = 2;
      continue;
    }
    const float share =
        slope_[entity] + (entity == question.answer ? static_cast<float>(1 - trust) : 0.0F);
    slope_[entity] -= static_cast<float>(trust * factor) * share;
  }
  for (std::size_t i = 0; i < own_shares_.size(); ++i) {
    const EntityId entity = opinion.entities[i];
    if (listed_[entity] != 2) sloped_.push_back(entity);
    slope_[entity] -= static_cast<float>(trust) * opinion.shares[i];
    listed_[entity] = 0;
  }
}

void RuleFit::learn_prior(const FeatureTable& table, const Question& question) {
  for (const EntityId entity : sloped_) {
    const float slope = slope_[entity];
    for (const auto& [op, times] : features(table.target(), question, entity)) {
      Weights& to = gradient_[paths() + op];
      to.once += slope;
      to.more += slope * static_cast<float>(log_of_count(times));
    }
  }
}

void RuleFit::learn_paths(const FeatureTable& table, std::size_t query) {
  for (const FeatureTable::Finding& found : table.findings(query)) {
    if (group_[found.rule] != 0) continue;
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
}

void RuleFit::learn_groups(const FeatureTable& table) {
  std::vector<float>& slope_of_sum = groups_.of_entity();
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const auto& [number, findings, sums] = groups_[i];
    for (const auto& [entity, sum] : sums) {
      group_gradient_[number] += slope_[entity] * std::log1p(sum);
      slope_of_sum[entity] = slope_[entity] * group_weights_[number] / (1 + sum);
    }
    for (const FeatureTable::Finding* found : findings) {
      const std::span<const EntityId> reached = table.entities(*found);
      const std::span<const std::uint16_t> counts = table.counts(*found);
      float slope = 0;
      for (std::size_t at = 0; at < reached.size(); ++at)
        slope += slope_of_sum[reached[at]] * static_cast<float>(counts[at]);
      gradient_[found->rule].once += slope * amount(found->rule);
    }
    for (const auto& [entity, sum] : sums) slope_of_sum[entity] = 0;
  }
}

double RuleFit::learn(const FeatureTable& table, const Settings& settings) {
  std::vector<std::size_t> order(table.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t batches = (order.size() + batch - 1) / batch;
  const auto epochs = std::max<std::size_t>(
      settings.epochs, settings.least_steps / std::max<std::size_t>(1, batches));
  const std::size_t steps = epochs * batches;
  std::size_t done = 0;
  double loss = 0;
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    random_.shuffle(order);
    loss = 0;
    for (std::size_t first = 0; first < order.size(); first += batch) {
      if (settings.observer != nullptr && settings.observer->stopped()) return loss;
      refresh_prior();
      std::fill(gradient_.begin(), gradient_.end(), Weights{});
      group_gradient_.assign(group_weights_.size(), 0);
      const std::size_t last = std::min(order.size(), first + batch);
      for (std::size_t at = first; at < last; ++at) {
        const Question question = table.question(order[at]);
        loss += evaluate(table, order[at], thin);
        find_slopes(question, order[at]);
        const auto share = 1 / static_cast<float>(last - first);
        for (const EntityId entity : sloped_) slope_[entity] *= share;
        learn_prior(table, question);
        learn_paths(table, order[at]);
        learn_groups(table);
        for (const EntityId entity : sloped_) slope_[entity] = 0;
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
  const auto decayed = static_cast<float>(1 - rate * settings.decay);
  const auto move = [&](float& x, float d, float& first, float& second, float kept) {
    first = first_decay * first + (1 - first_decay) * d;
    second = second_decay * second + (1 - second_decay) * d * d;
    x = kept * x - pace * first / (std::sqrt(second * correction) + 1e-8F);
  };
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (on_[i] == 0) continue;
    // The logarithm of an amount has nowhere to be pulled to.
    const bool grouped = group(i) != 0;
    move(weights_[i].once, gradient_[i].once, first_[i].once, second_[i].once,
         grouped ? 1 : decayed);
    if (grouped) {
      weights_[i].once = std::clamp(weights_[i].once, -most_log, most_log);
    } else {
      move(weights_[i].more, gradient_[i].more, first_[i].more, second_[i].more, decayed);
    }
  }
  group_first_.resize(group_weights_.size());
  group_second_.resize(group_weights_.size());
  for (std::size_t i = 0; i < group_weights_.size(); ++i)
    move(group_weights_[i], group_gradient_[i], group_first_[i], group_second_[i], decayed);
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
  shorten(group_);
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
  group_.insert(group_.end(), more, 0);
}

void RuleFit::join(std::size_t rule, std::uint32_t group, double amount) {
  group_[rule] = group;
  weights_[rule] = {std::clamp(static_cast<float>(std::log(amount)), -most_log, most_log), 0};
  group_weights_.resize(std::max<std::size_t>(group_weights_.size(), group + 1));
}

}  // namespace lerpp
