// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/curate/score.hpp>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "explain/predictor_state.hpp"

namespace lerpp {
namespace {

constexpr std::uint64_t other_end_seed = 7;
/// Validation facts that a threshold is chosen on, at most.
constexpr std::size_t most_valid = 5000;

using Labelled = std::vector<std::pair<double, bool>>;

/// Validation facts as true, and the same with another end, of those that the relation has, as
/// false.
std::vector<LabelledFact> validation_pairs(const Predictor::State& state) {
  const Dataset& data = state.dataset();
  std::vector<std::vector<Fact>> by_relation(data.relations.size());
  for (const Fact& fact : data[Split::valid]) by_relation[fact.relation].push_back(fact);
  std::vector<LabelledFact> pairs;
  Random random(other_end_seed);
  const std::vector<Fact>& valid = data[Split::valid];
  const std::size_t count = std::min(valid.size(), most_valid);
  for (std::size_t i = 0; i < count; ++i) {
    const Fact& fact = valid[i * valid.size() / count];
    const std::vector<Fact>& peers = by_relation[fact.relation];
    const Fact& peer = peers[random.below(peers.size())];
    const Fact other = random.below(2) == 0 ? Fact{fact.subject, fact.relation, peer.object}
                                            : Fact{peer.subject, fact.relation, fact.object};
    pairs.push_back({fact, true});
    if (!state.full.contains(other)) pairs.push_back({other, false});
  }
  return pairs;
}

/// The threshold that tells most of them right.
double best_threshold(Labelled labelled) {
  std::ranges::sort(labelled);
  std::int64_t right = std::ranges::count(labelled, true, &std::pair<double, bool>::second);
  std::int64_t most = right;
  double threshold = 0;
  for (std::size_t i = 0; i < labelled.size(); ++i) {
    right += labelled[i].second ? -1 : 1;  // now below the threshold
    const bool apart = i + 1 == labelled.size() || labelled[i + 1].first > labelled[i].first;
    if (!apart || right <= most) continue;
    most = right;
    threshold = i + 1 == labelled.size() ? 1 : (labelled[i].first + labelled[i + 1].first) / 2;
  }
  return threshold;
}

Result<std::vector<ScoredFacts::Item>> judge_all(const Predictor& predictor,
                                                 std::span<const LabelledFact> given,
                                                 const Observer& observer) {
  const Predictor::State& state = predictor.state();
  std::vector<Fact> facts;
  facts.reserve(given.size());
  for (const LabelledFact& one : given) facts.push_back(one.fact);
  LERP_TRY(looked, state.judge.look(facts, observer));
  std::vector<ScoredFacts::Item> items;
  for (std::size_t i = 0; i < given.size(); ++i) {
    items.push_back({given[i], state.probability(looked[i]), looked[i].tail.score,
                     predictor.split_of(given[i].fact)});
  }
  return items;
}

Labelled labels_of(std::span<const ScoredFacts::Item> items) {
  Labelled labelled;
  for (const ScoredFacts::Item& item : items) {
    if (item.given.label) labelled.emplace_back(item.probability, *item.given.label);
  }
  return labelled;
}

}  // namespace

double area_under_curve(std::vector<std::pair<double, bool>> labelled) {
  std::ranges::sort(labelled);
  double below = 0;  // false ones so far
  double won = 0;
  double all_true = 0;
  for (std::size_t first = 0; first < labelled.size();) {
    std::size_t last = first;
    double same_true = 0;
    for (; last < labelled.size() && labelled[last].first == labelled[first].first; ++last)
      same_true += labelled[last].second ? 1 : 0;
    const double same_false = static_cast<double>(last - first) - same_true;
    won += same_true * (below + same_false / 2);
    below += same_false;
    all_true += same_true;
    first = last;
  }
  return all_true * below > 0 ? won / (all_true * below) : 0.5;
}

Result<ScoredFacts> score_facts(const Predictor& predictor, std::vector<LabelledFact> facts,
                                const Observer& observer) {
  const Clock::time_point begin = Clock::now();
  const Predictor::State& state = predictor.state();
  if (!state.likelihood) {
    return fail("the model has not learned how likely its answers are", state.dataset().name,
                "ask through a run");
  }
  ScoredFacts result;
  result.dataset = state.dataset().name;
  LERP_TRY(items, judge_all(predictor, facts, observer));
  result.facts = std::move(items);
  const Labelled labelled = labels_of(result.facts);
  if (!labelled.empty()) {
    ScoredFacts::Accuracy accuracy;
    accuracy.labelled = labelled.size();
    accuracy.area = area_under_curve(labelled);
    LERP_TRY(valid, judge_all(predictor, validation_pairs(state), observer));
    // Without validation facts, what is more likely true than not counts as true.
    accuracy.threshold = valid.empty() ? 0.5 : best_threshold(labels_of(valid));
    const auto right = std::ranges::count_if(
        labelled, [&](const auto& one) { return (one.first >= accuracy.threshold) == one.second; });
    accuracy.accuracy = static_cast<double>(right) / static_cast<double>(labelled.size());
    result.accuracy = accuracy;
  }
  result.seconds = seconds_since(begin);
  return result;
}

Json to_json(const ScoredFacts& scored, const Dataset& dataset) {
  Json json = {{"dataset", scored.dataset}, {"seconds", scored.seconds}, {"facts", Json::array()}};
  for (const ScoredFacts::Item& item : scored.facts) {
    Json one = {{"subject", dataset.entities.name(item.given.fact.subject)},
                {"relation", dataset.relations.name(item.given.fact.relation)},
                {"object", dataset.entities.name(item.given.fact.object)},
                {"probability", item.probability},
                {"score", item.score},
                {"known", item.known ? Json(name_of(*item.known)) : Json(nullptr)}};
    if (item.given.label) one["label"] = *item.given.label;
    json["facts"].push_back(std::move(one));
  }
  if (scored.accuracy) {
    json["labelled"] = scored.accuracy->labelled;
    json["threshold"] = scored.accuracy->threshold;
    json["accuracy"] = scored.accuracy->accuracy;
    json["area_under_curve"] = scored.accuracy->area;
  }
  return json;
}

std::string to_text(const ScoredFacts& scored, const Dataset& dataset) {
  std::string text = "probability    score  known  fact";
  for (const ScoredFacts::Item& item : scored.facts) {
    text += fmt::format("\n{:>11.4f} {:>8.2f}  {:<5}  {}({}, {})", item.probability, item.score,
                        item.known ? name_of(*item.known) : "",
                        dataset.relations.name(item.given.fact.relation),
                        dataset.entity_label(item.given.fact.subject),
                        dataset.entity_label(item.given.fact.object));
  }
  if (scored.accuracy) {
    text += fmt::format(
        "\n{} labelled facts: accuracy {:.3f} at threshold {:.4f}, area under the curve {:.3f}",
        thousands(scored.accuracy->labelled), scored.accuracy->accuracy, scored.accuracy->threshold,
        scored.accuracy->area);
  }
  return text;
}

}  // namespace lerpp
