// SPDX-License-Identifier: Apache-2.0
#include "distill/target.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace lerpp {
namespace {

/// Entries of a target's table: some hundred megabytes.
constexpr std::size_t most_entries = 40'000'000;
/// The pool from which candidates are taken, as a multiple of them.
constexpr std::size_t pool = 5;
constexpr std::size_t traced_queries = 1000;
/// Questions by which candidates are chosen, and by which rules are cut: 800 cut the wrong ones.
constexpr std::size_t screened_queries = 800;
constexpr std::size_t weighed_queries = 3000;
/// Entities of an opinion of the soft model.
constexpr std::size_t opinion_size = 100;

/// Asks the soft model, and lets it answer the questions that have no fact. What it cannot answer
/// either is asked no more.
std::vector<Opinion> opinions(const Shared& shared, OperatorId target,
                              std::vector<Question>& questions) {
  if (shared.options.trust == 0) return {};
  std::vector<Opinion> all = Teacher(shared.model, shared.background)
                                 .ask(target, questions, opinion_size, shared.observer);
  std::vector<Opinion> kept;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto& shares = all[i].shares;
    if (shares.empty()) continue;
    Question question = questions[i];
    const auto best = std::max_element(shares.begin(), shares.end()) - shares.begin();
    if (!question.fact) question.answer = all[i].entities[static_cast<std::size_t>(best)];
    questions[kept.size()] = question;
    kept.push_back(std::move(all[i]));
  }
  questions.resize(kept.size());
  return kept;
}

}  // namespace

TargetList::TargetList(const Shared& shared, OperatorId target, std::vector<Question> questions)
    : shared_(shared),
      target_(target),
      questions_(std::move(questions)),
      fit_(shared.graph, shared.classes, opinions(shared, target, questions_), shared.options.trust,
           shared.options.seed + target) {
  build_table();
  // Screening asks what bodies add to what the answers take part in.
  fit_.learn(*table_, settings(1, shared.options.refit));
  Random random(shared.options.seed, target);
  const std::span<const Question> some(questions_.data(),
                                       std::min(questions_.size(), traced_queries));
  std::vector<Candidate> candidates =
      read_off(shared.model, shared.background, target, some, pool * shared.options.candidates,
               random, shared.observer);
  add_groups(candidates);
  std::vector<Rule> others;
  others.reserve(candidates.size());
  for (const Candidate& candidate : candidates) others.push_back(candidate.rule);
  if (shared.model.shape().constants > 0) add_likeness(others);
  add_best(std::move(others), shared.options.candidates);
  learn(1);
}

std::size_t TargetList::size() const {
  return static_cast<std::size_t>(std::count(fit_.on().begin(), fit_.on().end(), 1));
}

void TargetList::find_costs() {
  costs_ = fit_.costs(*table_, weighed_queries);
  const std::vector<RuleFit::Weights> weights = fit_.weights();
  const std::vector<float> group_weights = fit_.group_weights();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (fit_.group(i) == 0) fit_.weights()[i] = {weights[i].once / 2, weights[i].more / 2};
  }
  for (float& weight : fit_.group_weights()) weight /= 2;
  const std::vector<double> halved = fit_.costs(*table_, weighed_queries);
  fit_.weights() = weights;
  fit_.group_weights() = group_weights;
  for (std::size_t i = 0; i < costs_.size(); ++i) costs_[i] += halved[i];
}

void TargetList::cut(const std::vector<std::uint8_t>& kept) {
  const std::size_t paths = rules_.size();
  std::vector<std::uint32_t> numbers(paths, RuleTrie::none);
  std::vector<Rule> left;
  for (std::size_t i = 0; i < paths; ++i) {
    if (kept[i] == 0) continue;
    numbers[i] = static_cast<std::uint32_t>(left.size());
    left.push_back(rules_[i]);
  }
  for (std::size_t i = paths; i < kept.size(); ++i) {
    if (kept[i] != 0) continue;
    fit_.on()[i] = 0;
    fit_.weights()[i] = {};
  }
  fit_.keep(numbers);
  table_->keep(numbers);
  rules_ = std::move(left);
}

void TargetList::add(const std::vector<Rule>& rules) {
  const std::size_t before = rules_.size();
  for (const Rule& rule : rules) {
    if (std::find(rules_.begin(), rules_.end(), rule) == rules_.end()) rules_.push_back(rule);
  }
  fit_.grow(rules_.size() - before);
  build_table();
}

void TargetList::add_literals(std::size_t most) {
  std::vector<Rule> candidates;
  for (const Rule& rule : rules_) {
    for (Rule& candidate : with_literals(rule, shared_.telling, shared_.graph.relations()))
      candidates.push_back(std::move(candidate));
  }
  add_best(std::move(candidates), most);
}

void TargetList::write(std::vector<ListedRule>& out) const {
  for (std::size_t i = 0; i < fit_.size(); ++i) {
    if (!on(i)) continue;
    if (const std::uint32_t group = fit_.group(i); group != 0) {
      out.push_back({with_weight(rules_[i], double{fit_.group_weights()[group]}),
                     double{fit_.amount(i)}, group});
      continue;
    }
    const RuleFit::Weights weights = fit_.weights()[i];
    if (weights.once == 0 && weights.more == 0) continue;
    const Rule rule = i < rules_.size()
                          ? rules_[i]
                          : pair_rule(target_, Formula::truth(),
                                      Formula::exists(static_cast<OperatorId>(i - rules_.size())));
    out.push_back({with_weight(rule, double{weights.once}), double{weights.more}});
  }
}

RuleFit::Settings TargetList::settings(double rate, double length) const {
  RuleFit::Settings settings;
  settings.rate = shared_.options.rate * rate;
  settings.last_rate = settings.rate / 10;
  settings.decay = shared_.options.decay;
  settings.epochs = std::max(1U, static_cast<std::uint32_t>(length * shared_.options.epochs));
  settings.least_steps = static_cast<std::size_t>(length * shared_.options.steps);
  settings.observer = &shared_.observer;
  return settings;
}

void TargetList::build_table() {
  table_.reset();
  table_.emplace(shared_.graph, target_, rules_, questions_, shared_.options.frontier, most_entries,
                 shared_.observer, shared_.folds,
                 [&](std::size_t query) { return fit_.named(query); });
}

void TargetList::add_groups(std::vector<Candidate>& candidates) {
  const std::span<const float> weights = shared_.model.parameters.of(Part::weight, target_);
  std::map<std::size_t, std::uint32_t> numbers;  // of the places that are groups
  std::vector<Candidate> others;
  std::vector<Candidate> grouped;
  for (Candidate& candidate : candidates) {
    const bool joins =
        candidate.place && candidate.amount > 0 && grouped.size() < shared_.options.groups;
    (joins ? grouped : others).push_back(std::move(candidate));
  }
  candidates = std::move(others);
  if (grouped.empty()) return;
  const std::size_t before = rules_.size();
  fit_.grow(grouped.size());
  for (std::size_t i = 0; i < grouped.size(); ++i) {
    const std::size_t place = *grouped[i].place;
    const auto next = static_cast<std::uint32_t>(numbers.size() + 1);
    const std::uint32_t group = numbers.try_emplace(place, next).first->second;
    fit_.join(before + i, group, grouped[i].amount);
    fit_.group_weights()[group] = weights[place];
    rules_.push_back(grouped[i].rule);
  }
  build_table();
  refit();
}

/// What holds of others that have an r in common with x: `r(x,z1) ∧ r(z2,z1) ∧ q(z2,y)`, as the
/// constants of the model have it, for the operators that starts most often have.
void TargetList::add_likeness(std::vector<Rule>& candidates) const {
  std::vector<std::pair<std::size_t, OperatorId>> having(shared_.graph.operators());
  for (OperatorId op = 0; op < having.size(); ++op) having[op].second = op;
  for (const Question& question : questions_) {
    const std::span<const Edge> edges = shared_.graph.edges(question.start);
    for (std::size_t i = 0; i < edges.size(); ++i)
      having[edges[i].op].first += i == 0 || edges[i].op != edges[i - 1].op ? 1 : 0;
  }
  std::stable_sort(having.begin(), having.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  having.resize(std::min<std::size_t>(having.size(), shared_.options.likeness));
  for (const auto& [count, op] : having) {
    if (count == 0) break;
    Rule like = path_rule(target_, {op, shared_.graph.inverse(op), target_});
    if (std::ranges::find(candidates, like) == candidates.end())
      candidates.push_back(std::move(like));
  }
}

void TargetList::add_best(std::vector<Rule> candidates, std::size_t most) {
  std::erase_if(candidates, [&](const Rule& candidate) {
    return std::find(rules_.begin(), rules_.end(), candidate) != rules_.end();
  });
  // Two rules may become the same with one literal more each.
  std::set<std::pair<std::vector<OperatorId>, std::vector<Formula>>> seen;
  std::erase_if(candidates, [&](const Rule& candidate) {
    return !seen.emplace(candidate.hops(), candidate.constraints()).second;
  });
  RuleExplorer explorer(shared_.graph, target_, candidates, shared_.options.frontier,
                        shared_.folds);
  const std::vector<double> gains =
      fit_.gains(*table_, explorer, candidates.size(), screened_queries);
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return gains[a] > gains[b]; });
  const std::size_t before = rules_.size();
  for (const std::size_t i : order) {
    if (rules_.size() - before < most && gains[i] > 0) rules_.push_back(candidates[i]);
  }
  fit_.grow(rules_.size() - before);
  build_table();
}

}  // namespace lerpp
