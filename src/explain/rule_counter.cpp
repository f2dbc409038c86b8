#include "explain/rule_counter.hpp"

#include <algorithm>
#include <cmath>

#include "explain/body_pairs.hpp"

namespace lerpp {
namespace {

/// Pairs that examples are chosen from.
constexpr std::size_t example_pool = 400;
/// By how much a literal must raise the confidence, and how much of the support it must leave.
constexpr double least_gain = 0.1;
constexpr double least_left = 0.5;
constexpr std::size_t least_support = 2;

Fact head_of(const Rule& rule, RelationId relations, EntityId x, EntityId y) {
  const OperatorId target = rule.target();
  return target < relations ? Fact{x, target, y} : Fact{y, target - relations, x};
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
  const Rule& rule = read.rule;
  BodyPairs body(rule, evaluator_, options_.work);
  read.counted = body.share();
  read.support = support(rule, evaluator_, {true, true, body.share()});
  std::vector<std::pair<EntityId, EntityId>> facts;
  std::vector<std::pair<EntityId, EntityId>> others;
  body.for_each([&](EntityId x, EntityId y) {
    const bool known = known_.contains(x, rule.target(), y);
    auto& pool = known ? facts : others;
    if (pool.size() < example_pool) pool.emplace_back(x, y);
    if (known) return;
    ++read.news;
    read.hits += valid_.contains(x, rule.target(), y) ? 1 : 0;
  });
  read.lift = lift(read);
  add_examples(read, facts, true);
  if (read.examples.empty()) add_examples(read, others, false);
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

void RuleCounter::add_examples(ReadRule& read,
                               const std::vector<std::pair<EntityId, EntityId>>& pairs,
                               bool known) {
  const std::size_t wanted = std::min<std::size_t>(options_.examples, pairs.size());
  // Evenly spread; where one has no proof without its own fact, the next.
  for (std::size_t i = 0; i < wanted; ++i) {
    for (std::size_t at = i * pairs.size() / wanted; at < (i + 1) * pairs.size() / wanted; ++at) {
      const auto [x, y] = pairs[at];
      std::optional<Fact> hidden;
      if (known) hidden = head_of(read.rule, known_.relations(), x, y);
      const auto path = proof(read.rule, x, y, evaluator_, hidden);
      if (!path) continue;
      read.examples.push_back({*path, known});
      break;
    }
  }
}

std::size_t RuleCounter::count_pairs(const Rule& rule) {
  std::size_t pairs = 0;
  // Sets of starts differ between constraints, so the same share is the same sample.
  BodyPairs(rule, evaluator_, options_.work).for_each([&](EntityId, EntityId) { ++pairs; });
  return pairs;
}

Rule RuleCounter::tidied(const Rule& rule) {
  Rule tidy = rule;
  std::optional<std::size_t> pairs;
  for (std::size_t k = 0; k < rule.constraints().size() && !rule.is_pair(); ++k) {
    if (tidy.constraints()[k].is(Formula::Kind::truth)) continue;
    if (!pairs) pairs = count_pairs(rule);
    std::vector<Formula> constraints = tidy.constraints();
    constraints[k] = Formula::truth();
    const Rule freer = with_constraints(tidy, std::move(constraints));
    if (count_pairs(freer) == *pairs) tidy = freer;
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
  for (const Literal& literal : literals) tallies.push_back({&evaluator_(literal.formula)});
  Tally all;
  BodyPairs body(rule, evaluator_, options_.work);
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
