// SPDX-License-Identifier: Apache-2.0
#include "explain/reasons.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "read/soft_walks.hpp"

namespace lerpp {
namespace {

/// Rules whose share of what all rules say, for and against, is less are not retraced.
constexpr double least_share = 0.002;
/// Walks are retraced until they carry so much of what a rule has reached.
constexpr double carried_share = 0.999;

}  // namespace

ReasonFinder::ReasonFinder(MaskedModel& asked, EntityId answer,
                           std::span<const std::optional<SoftConstraint>> constraints)
    : asked_(asked),
      trace_(asked.trace()),
      answer_(answer),
      constraints_(constraints),
      graph_(asked.graph(), asked.mask()) {}

std::vector<Explanation::Reason> ReasonFinder::find(std::size_t most_walks,
                                                    std::size_t groundings) {
  add_terms();
  add_soft(most_walks, groundings);
  std::erase_if(reasons_, [](const Explanation::Reason& reason) { return reason.share == 0; });
  for (Explanation::Reason& reason : reasons_) {
    if (reason.rule) reason.rule = with_weight(*reason.rule, reason.share);
  }
  std::stable_sort(reasons_.begin(), reasons_.end(),
                   [](const Explanation::Reason& a, const Explanation::Reason& b) {
                     return std::abs(a.share) > std::abs(b.share);
                   });
  return std::move(reasons_);
}

/// Where the reason of this statement stands, new if need be.
std::size_t ReasonFinder::place(const Rule& rule) {
  const auto [found, fresh] =
      places_.try_emplace({rule.hops(), rule.constraints()}, reasons_.size());
  if (fresh) reasons_.push_back({rule, 0, {}, 0});
  return found->second;
}

void ReasonFinder::add(std::size_t place, const Explanation::Part& part) {
  Explanation::Reason& reason = reasons_[place];
  reason.share += part.share;
  const auto same = std::find_if(reason.parts.begin(), reason.parts.end(), [&](const auto& other) {
    return other.source == part.source && other.rule == part.rule && other.hop == part.hop;
  });
  if (same == reason.parts.end()) {
    reason.parts.push_back(part);
  } else {
    same->share += part.share;
  }
}

void ReasonFinder::add_terms() {
  for (std::size_t kind = 0; kind < asked_.terms(); ++kind) {
    const Term<float>* const term = asked_.term(kind);
    if (term == nullptr) continue;
    for (const TermReason& said : asked_.explain(kind, answer_)) {
      const std::size_t at = place(term->rule_of(said));
      add(at, {source_of_place(kind), 0, 0, said.contribution});
      reasons_[at].count = said.count;
      if (said.body > 0) reasons_[at].others = {said.count, said.body};
    }
  }
  if (const double share = asked_.embedding(answer_); share != 0)
    reasons_.push_back({std::nullopt, share, {{Source::embedding, 0, 0, share}}, 0});
}

void ReasonFinder::add_soft(std::size_t most_walks, std::size_t groundings) {
  const std::uint32_t node = trace_.node(answer_);
  if (node == kernels::no_slot) return;
  std::vector<Explanation::Part> parts;
  double loudness = 0;
  for (std::uint32_t rule = 0; rule < trace_.rules(); ++rule) {
    for (std::uint32_t k = 0; k <= trace_.length(); ++k) {
      const double share = trace_.share(rule, k, node);
      if (share == 0) continue;
      parts.push_back({Source::soft, rule, k, share});
      loudness += std::abs(share);
    }
  }
  BestWalks best(trace_);
  for (const Explanation::Part& part : parts) {
    double left = part.share;
    if (std::abs(part.share) > least_share * loudness) {
      const double reached = trace_.reached(part.rule, part.hop, node);
      for (const SoftWalk& walk :
           best.find(part.rule, part.hop, node, most_walks, carried_share * reached)) {
        // A rule speaks of all its walks together: each has its part in what they reach.
        const double share = part.share * std::min(1.0, walk.weight / reached);
        add_walk(walk, {Source::soft, part.rule, part.hop, share}, groundings);
        left -= share;
      }
    }
    walks_share_ += left;
  }
}

void ReasonFinder::add_walk(const SoftWalk& walk, const Explanation::Part& part,
                            std::size_t groundings) {
  const FoldedWalk simple = folded(walk.operators, walk.nodes);
  std::vector<EntityId> entities;
  Statement statement{part.rule, simple.hops, {}};
  for (std::size_t at = 0; at < simple.places.size(); ++at) {
    entities.push_back(trace_.entity(simple.places[at]));
    std::vector<std::size_t>& fulfilled = statement.fulfilled.emplace_back();
    std::copy_if(simple.variables[at].begin(), simple.variables[at].end(),
                 std::back_inserter(fulfilled),
                 [&](std::size_t k) { return fulfils(constraint(part.rule, k), entities.back()); });
  }
  auto known = statements_.find(statement);
  if (known == statements_.end())
    known = statements_.emplace(statement, place(rule_of(statement))).first;
  add(known->second, part);
  Explanation::Reason& reason = reasons_[known->second];
  std::set<std::vector<EntityId>>& told = told_[known->second];
  if (!told.insert(entities).second) return;
  reason.count = std::max<std::uint64_t>(reason.count, told.size());
  if (told.size() <= groundings) reason.groundings.push_back({entities, {}, {}});
}

Rule ReasonFinder::rule_of(const Statement& statement) const {
  std::vector<Formula> constraints;
  for (const std::vector<std::size_t>& fulfilled : statement.fulfilled) {
    std::vector<Formula> parts;
    parts.reserve(fulfilled.size());
    for (const std::size_t k : fulfilled) parts.push_back(constraint(statement.rule, k)->formula);
    constraints.push_back(Formula::conjunction(std::move(parts)));
  }
  return simplify(path_rule(asked_.query().target, statement.hops, std::move(constraints)),
                  asked_.graph().relations());
}

}  // namespace lerpp
