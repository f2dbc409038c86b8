// SPDX-License-Identifier: Apache-2.0
#include "read/rule_counter.hpp"

#include <algorithm>
#include <cmath>

#include "read/body_pairs.hpp"

namespace lerpp {
namespace {

/// Pairs that examples are chosen from.
constexpr std::size_t example_pool = 400;
/// Pairs that are tried for one example.
constexpr std::size_t examples_tried = 50;
/// By how much a literal must raise the confidence, and how much of the support it must leave.
constexpr double least_gain = 0.1;
constexpr double least_left = 0.5;
constexpr std::size_t least_support = 2;
/// How many times the confidence a constraint of a soft rule must make.
constexpr double least_earned = 1.1;

Fact head_of(const Rule& rule, RelationId relations, EntityId x, EntityId y) {
  const OperatorId target = rule.target();
  return target < relations ? Fact{x, target, y} : Fact{y, target - relations, x};
}

bool are_distinct(std::vector<EntityId> entities) {
  std::sort(entities.begin(), entities.end());
  return std::adjacent_find(entities.begin(), entities.end()) == entities.end();
}

Rule with_constraints(const Rule& rule, std::vector<Formula> constraints) {
  return rule.is_pair()
             ? pair_rule(rule.target(), constraints[0], constraints[1], rule.weight())
             : path_rule(rule.target(), rule.hops(), std::move(constraints), rule.weight());
}

}  // namespace

Rule with_literal(const Rule& rule, const Literal& literal) {
  std::vector<Formula> constraints = rule.constraints();
  Formula& own = literal.on_y ? constraints.back() : constraints.front();
  own = Formula::conjunction({own, literal.formula});
  return with_constraints(rule, std::move(constraints));
}

void RuleCounter::count(ReadRule& read) {
  const auto [support, counted] = count_support(read.rule, evaluator_, options_.work);
  read.support = support;
  read.counted = counted;
  if (read.rule.is_pair()) {
    count_product(read);
  } else {
    count_path(read);
  }
  read.lift = lift(read);
}

void RuleCounter::count_path(ReadRule& read) {
  const Rule& rule = read.rule;
  Pairs facts;
  Pairs others;
  BodyPairs(rule, evaluator_, read.counted).for_each([&](EntityId x, EntityId y) {
    const bool known = known_.contains(x, rule.target(), y);
    Pairs& examples = known ? facts : others;
    if (examples.size() < example_pool) examples.emplace_back(x, y);
    if (known) return;
    ++read.news;
    read.hits += valid_.contains(x, rule.target(), y) ? 1 : 0;
  });
  add_examples(read, facts, true);
  if (read.examples.empty()) add_examples(read, others, false);
}

/// All pairs of one set with another: too many to look at, and easy to count.
void RuleCounter::count_product(ReadRule& read) {
  const Rule& rule = read.rule;
  const EntitySet& starts = evaluator_(rule.constraints()[0]);
  const EntitySet& ends = evaluator_(rule.constraints()[1]);
  EntitySet both = starts;
  both &= ends;
  read.news = starts.count() * ends.count() - both.count();
  Pairs facts;
  starts.for_each([&](EntityId x) {
    const auto counts = [&](const Edge& edge) {
      return edge.target != x && ends.contains(edge.target);
    };
    for (const Edge& edge : known_.edges(x, rule.target())) {
      if (!counts(edge)) continue;
      --read.news;
      if (facts.size() < example_pool) facts.emplace_back(x, edge.target);
    }
    for (const Edge& edge : valid_.edges(x, rule.target()))
      read.hits += counts(edge) && !known_.contains(x, rule.target(), edge.target) ? 1 : 0;
  });
  add_examples(read, facts, true);
}

std::optional<double> RuleCounter::lift(const ReadRule& read) const {
  const OperatorId target = read.rule.target();
  double domain = 0;
  double range = 0;
  double facts = 0;
  double asked = 0;
  for (EntityId entity = 0; entity < known_.entities(); ++entity) {
    const std::size_t own = known_.edges(entity, target).size();
    domain += own > 0 ? 1 : 0;
    facts += static_cast<double>(own);
    range += known_.edges(entity, known_.inverse(target)).empty() ? 0 : 1;
    asked += static_cast<double>(valid_.edges(entity, target).size());
  }
  const double unknown = domain * range - facts;
  if (read.news == 0 || asked == 0 || unknown <= 0) return std::nullopt;
  const double base = asked / unknown;
  return static_cast<double>(read.hits) / static_cast<double>(read.news) / base;
}

void RuleCounter::add_examples(ReadRule& read, const Pairs& pairs, bool known) {
  const std::size_t wanted = std::min<std::size_t>(options_.examples, pairs.size());
  // Evenly spread; where one has no proof without its own fact, or one that comes twice to an
  // entity, the next.
  for (std::size_t i = 0; i < wanted; ++i) {
    std::optional<std::vector<EntityId>> best;
    const std::size_t first = i * pairs.size() / wanted;
    const std::size_t last = std::min((i + 1) * pairs.size() / wanted, first + examples_tried);
    for (std::size_t at = first; at < last; ++at) {
      const auto [x, y] = pairs[at];
      std::optional<Fact> hidden;
      if (known) hidden = head_of(read.rule, known_.relations(), x, y);
      const auto path = proof(read.rule, x, y, evaluator_, hidden);
      if (!path) continue;
      const bool distinct = are_distinct(*path);
      if (distinct || !best) best = path;
      if (distinct) break;
    }
    if (best) read.examples.push_back({*best, known});
  }
}

double RuleCounter::plain_confidence(const Rule& rule, double share) {
  std::size_t pairs = 0;
  std::size_t facts = 0;
  BodyPairs(rule, evaluator_, share).for_each([&](EntityId x, EntityId y) {
    ++pairs;
    facts += known_.contains(x, rule.target(), y) ? 1 : 0;
  });
  return pairs == 0 ? 0 : static_cast<double>(facts) / static_cast<double>(pairs);
}

Rule RuleCounter::tidied(const Rule& rule, bool against) {
  Rule tidy = rule;
  const auto& given = rule.constraints();
  const bool free = std::all_of(given.begin(), given.end(), [](const Formula& constraint) {
    return constraint.is(Formula::Kind::truth);
  });
  if (free || rule.is_pair()) return tidy;
  const double share = affordable_share(rule, known_, options_.work);
  double confidence = plain_confidence(rule, share);
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (given[k].is(Formula::Kind::truth)) continue;
    std::vector<Formula> constraints = tidy.constraints();
    constraints[k] = Formula::truth();
    const Rule freer = with_constraints(tidy, std::move(constraints));
    const double without = plain_confidence(freer, share);
    const bool earned =
        against ? without > least_earned * confidence : confidence > least_earned * without;
    if (earned) continue;
    tidy = freer;
    confidence = without;
  }
  return tidy;
}

std::optional<Literal> RuleCounter::refinement(const Rule& rule,
                                               const std::vector<Literal>& literals) {
  struct Tally {
    const EntitySet* set = nullptr;
    double pairs = 0;
    double facts = 0;
  };
  std::vector<Tally> tallies;
  tallies.reserve(literals.size());
  for (const Literal& literal : literals) tallies.push_back({&evaluator_(literal.formula)});
  Tally all;
  BodyPairs body(rule, evaluator_, affordable_share(rule, known_, options_.work));
  body.for_each([&](EntityId x, EntityId y) {
    const double fact = known_.contains(x, rule.target(), y) ? 1 : 0;
    all.pairs += 1;
    all.facts += fact;
    for (std::size_t i = 0; i < tallies.size(); ++i) {
      if (!tallies[i].set->contains(literals[i].on_y ? y : x)) continue;
      tallies[i].pairs += 1;
      tallies[i].facts += fact;
    }
  });
  if (all.facts < least_support) return std::nullopt;
  std::optional<Literal> best;
  double most = 0;
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    const auto& [set, pairs, facts] = tallies[i];
    if (facts < least_left * all.facts || facts / pairs < all.facts / all.pairs + least_gain)
      continue;
    const double merit = facts / pairs * std::sqrt(facts);
    if (merit <= most) continue;
    most = merit;
    best = literals[i];
  }
  return best;
}

}  // namespace lerpp
