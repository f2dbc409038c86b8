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
/// Of the mass of all entities: what is taken off it is rounded.
constexpr double least_rest = 1e-12;

}  // namespace

RuleFit::RuleFit(const Graph& graph, std::shared_ptr<const PriorClasses> classes,
                 std::vector<Opinion> opinions, double trust, std::uint64_t seed)
    : graph_(graph),
      random_(seed),
      prior_(std::move(classes)),
      weights_(graph.operators()),
      gradient_(weights_.size()),
      first_(weights_.size()),
      second_(weights_.size()),
      on_(weights_.size(), 1),
      groups_(graph.entities() + 1),
      opinions_(std::move(opinions)),
      trust_(opinions_.empty() ? 0 : trust),
      place_of_(trust_ > 0 ? graph.entities() : 0) {}

std::span<const RuleFit::Feature> RuleFit::features(OperatorId target, const Question& question,
                                                    EntityId entity) {
  const std::span<const Feature> all = prior_.features(entity);
  if (!differs(question, entity)) return all;
  buffer_.assign(all.begin(), all.end());
  for (Feature& feature : buffer_) {
    if (entity == question.start && feature.op == target) --feature.times;
    if (entity == question.answer && feature.op == graph_.inverse(target)) --feature.times;
  }
  std::erase_if(buffer_, [](const Feature& feature) { return feature.times == 0; });
  return buffer_;
}

void RuleFit::find_rest(const FeatureTable& table, std::size_t query) {
  const Question& question = table.question(query);
  const std::span<const EntityId> touched = table.touched(query);
  double rest = prior_.all();
  for (const EntityId entity : touched) rest -= prior_.mass(entity);
  answers_.clear();
  for (const Edge& known : graph_.edges(question.start, table.target())) {
    if (known.target == question.answer) continue;
    answers_.push_back(known.target);
    rest -= prior_.mass(known.target);
  }
  // What is left of a sum has its rounding, which must not pass for a share of nobody.
  const bool nobody = touched.size() + answers_.size() == graph_.entities();
  rest_ = nobody ? 0 : std::max(rest, least_rest * prior_.all());
}

void RuleFit::add_evidence(const FeatureTable& table, std::size_t query) {
  for (const FeatureTable::Finding& found : table.findings(query)) {
    const Weights& weights = weights_[found.rule];
    if (group_[found.rule] != 0 || (weights.once == 0 && weights.more == 0)) continue;
    const std::span<const std::uint32_t> places = table.entities(found);
    const std::span<const std::uint16_t> counts = table.counts(found);
    for (std::size_t i = 0; i < places.size(); ++i) scores_[places[i]] += weights.of(counts[i]);
  }
  groups_.find(
      table, table.findings(query), [&](std::uint32_t rule) { return group_[rule]; },
      [&](std::uint32_t rule) { return amount(rule); });
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const float weight = group_weights_[groups_[i].number];
    for (const auto& [place, sum] : groups_[i].sums) scores_[place] += weight * std::log1p(sum);
  }
}

double RuleFit::evaluate(const FeatureTable& table, std::size_t query) {
  const Question& question = table.question(query);
  const std::span<const EntityId> touched = table.touched(query);
  scores_.resize(touched.size() + 1);
  for (std::size_t place = 0; place < touched.size(); ++place) {
    const EntityId entity = touched[place];
    scores_[place] = differs(question, entity)
                         ? prior_.score(features(table.target(), question, entity))
                         : prior_.score(entity);
  }
  find_rest(table, query);
  scores_[touched.size()] =
      rest_ > 0 ? static_cast<float>(prior_.score_of(rest_)) : ScoreLoss<float>::nothing;
  add_evidence(table, query);
  if (trust_ > 0) find_own_shares(table, query);
  const double own = double{scores_[0]};
  const double loss = loss_.evaluate(scores_, {0, 1, 0, 0});
  for (double& share : own_shares_) share = std::exp(share - own - loss);
  slope_.assign(touched.size() + 1, 0);
  for (std::size_t i = 0; i < loss_.entities().size(); ++i)
    slope_[loss_.entities()[i]] = loss_.gradient()[i];
  return loss;
}

/// Their scores, as yet.
void RuleFit::find_own_shares(const FeatureTable& table, std::size_t query) {
  const std::span<const EntityId> touched = table.touched(query);
  for (std::uint32_t place = 0; place < touched.size(); ++place) place_of_[touched[place]] = place;
  own_shares_.clear();
  places_.clear();
  for (const EntityId entity : opinions_[query].entities) {
    places_.push_back(place_of_[entity]);
    own_shares_.push_back(double{scores_[places_.back()]});
  }
}

void RuleFit::trust_opinion(const Question& question, std::size_t query) {
  if (trust_ == 0) return;
  const double trust = question.fact ? trust_ : 1;
  // The wanted shares are trust * opinion + (1 - trust) * answer. Outside the opinion's list they
  // are as now, but for a common factor.
  const Opinion& opinion = opinions_[query];
  double wanted = 1;
  double now = 1;
  listed_.assign(slope_.size(), 0);
  for (std::size_t i = 0; i < own_shares_.size(); ++i) {
    wanted -= double{opinion.shares[i]};
    now -= own_shares_[i];
    listed_[places_[i]] = 1;
  }
  slope_[0] += static_cast<float>(trust);
  const double factor = std::min(most_factor, std::max(0.0, wanted) / std::max(1e-6, now));
  for (std::size_t place = 0; place < slope_.size(); ++place) {
    if (listed_[place] != 0) continue;
    const float share = slope_[place] + (place == 0 ? static_cast<float>(1 - trust) : 0.0F);
    slope_[place] -= static_cast<float>(trust * factor) * share;
  }
  for (std::size_t i = 0; i < own_shares_.size(); ++i)
    slope_[places_[i]] -= static_cast<float>(trust) * opinion.shares[i];
}

void RuleFit::add_slope(std::span<const Feature> features, double slope) {
  for (const auto& [op, times] : features) {
    Weights& to = gradient_[paths() + op];
    to.once += static_cast<float>(slope);
    to.more += static_cast<float>(slope * log_of_count(times));
  }
}

/// All entities learn together as if the query led nowhere (see learn_rest()), and those that it
/// leads to learn how far they differ. Differences below `least` are thinned, by systematic
/// sampling: what is expected is exact.
void RuleFit::learn_prior(const FeatureTable& table, std::size_t query, double least) {
  const Question& question = table.question(query);
  const std::span<const EntityId> touched = table.touched(query);
  const double rest_slope = of_mass(slope_);
  rest_slopes_ += rest_slope;
  double laid = 0;
  double next = random_.real() * least;
  const auto learn = [&](EntityId entity, double slope) {
    const double size = std::abs(slope);
    if (size >= least) return add_slope(prior_.features(entity), slope);
    laid += size;
    if (laid <= next) return;
    add_slope(prior_.features(entity), std::copysign(least, slope));
    next += least;
  };
  for (std::size_t place = 0; place < touched.size(); ++place) {
    const EntityId entity = touched[place];
    double slope = double{slope_[place]};
    if (differs(question, entity)) {
      add_slope(features(table.target(), question, entity), slope);
      slope = 0;
    }
    learn(entity, slope - rest_slope * prior_.mass(entity));
  }
  for (const EntityId entity : answers_) learn(entity, -rest_slope * prior_.mass(entity));
}

void RuleFit::learn_rest() {
  const std::vector<PriorMass::Sum> sums = prior_.gradient();
  for (OperatorId op = 0; op < sums.size(); ++op) {
    gradient_[paths() + op].once += static_cast<float>(rest_slopes_ * sums[op].once);
    gradient_[paths() + op].more += static_cast<float>(rest_slopes_ * sums[op].more);
  }
}

void RuleFit::learn_paths(const FeatureTable& table, std::size_t query) {
  for (const FeatureTable::Finding& found : table.findings(query)) {
    if (group_[found.rule] != 0) continue;
    Weights sum;
    const std::span<const std::uint32_t> reached = table.entities(found);
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
    for (const auto& [place, sum] : sums) {
      group_gradient_[number] += slope_[place] * std::log1p(sum);
      slope_of_sum[place] = slope_[place] * group_weights_[number] / (1 + sum);
    }
    for (const FeatureTable::Finding* found : findings) {
      const std::span<const std::uint32_t> reached = table.entities(*found);
      const std::span<const std::uint16_t> counts = table.counts(*found);
      float slope = 0;
      for (std::size_t at = 0; at < reached.size(); ++at)
        slope += slope_of_sum[reached[at]] * static_cast<float>(counts[at]);
      gradient_[found->rule].once += slope * amount(found->rule);
    }
    for (const auto& [place, sum] : sums) slope_of_sum[place] = 0;
  }
}

void RuleFit::learn_query(const FeatureTable& table, std::size_t query, float share) {
  trust_opinion(table.question(query), query);
  for (float& slope : slope_) slope *= share;
  learn_prior(table, query, thin * double{share});
  learn_paths(table, query);
  learn_groups(table);
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
      rest_slopes_ = 0;
      const std::size_t last = std::min(order.size(), first + batch);
      for (std::size_t at = first; at < last; ++at) {
        loss += evaluate(table, order[at]);
        learn_query(table, order[at], 1 / static_cast<float>(last - first));
      }
      learn_rest();
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
