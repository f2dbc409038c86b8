// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/options.hpp>
#include <lerp/logic/export.hpp>
#include <lerp/logic/rule_text.hpp>

/// Rules of AnyBURL and PyClause. See docs/apply.md.
namespace lerpp {

/// `body ⇒ q(x,y)`: the body is a chain of hops from x. It ends at y, at an entity, or at no matter
/// what; in the last two cases the head says what y is.
struct AnyburlRule {
  std::uint64_t predicted = 0;
  std::uint64_t correct = 0;
  double confidence = 0;  ///< as the file says

  /// `h(c,Y) ⇐ b(Y,A)` starts at Y: x is Y there, and the target is the inverse of h.
  OperatorId target = 0;
  std::vector<OperatorId> hops;
  std::optional<EntityId> answer;  ///< y is this entity
  bool same = false;               ///< y is x
  std::optional<EntityId> end;     ///< where the body ends, if y is said already
  /// Answers q(x,?) and never q(?,y): so do rules without a body and old spellings of q(x,x).
  bool directed = false;

  bool leads_to_answer() const { return !answer && !same; }
  /// Whether different variables stand for different entities, none of which is named in the rule.
  /// PyClause does not ask that of rules with constants and a single hop; there x is not the
  /// answer, and that is all.
  bool distinct() const { return leads_to_answer() || (answer && hops.size() > 1); }

  bool operator==(const AnyburlRule&) const = default;
};

/// `h(X,Y) <= b(X,A), c(A,Y)`, without the numbers.
std::string to_text(const AnyburlRule& rule, const Names& names);
/// Reads what to_text writes, and other names of variables.
Result<AnyburlRule> parse_anyburl_rule(std::string_view text, const Names& names);
/// Reads a rule file: predicted, correct, confidence and rule, separated by tabs. `where` names it
/// in errors.
Result<std::vector<AnyburlRule>> parse_anyburl(std::string_view text, const Names& names,
                                               const std::string& where);
/// Whether the first line is one of a rule file of AnyBURL's.
bool looks_like_anyburl(std::string_view text);

/// The chain of the rule, weighted by its confidence, if it leads to its answer. That variables
/// differ gets lost.
std::optional<Rule> to_rule(const AnyburlRule& rule);
/// Rules that are a chain from x to y and no more, without figures.
std::optional<AnyburlRule> to_anyburl(const Rule& rule, RelationId relations);
/// Counts, over all x and y, what the rule predicts and how much of it is known.
void count(AnyburlRule& rule, const Graph& known);

/// As export_rules, with what differs said in each rule.
Result<Exported> export_rules(std::span<const AnyburlRule> rules, const Dataset& dataset,
                              ExportFormat format);

}  // namespace lerpp
