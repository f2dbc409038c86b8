// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include <lerp/logic/rule_text.hpp>

#include "logic/parser.hpp"

namespace lerpp {
namespace {

/// Puts the conjuncts of a body in the order of a rule.
class Assembler {
 public:
  Assembler(const Parser& parser, const Names& names, const Conjunct& head, const Conjuncts& body)
      : parser_(parser), relations_(names.relations.size()), body_(body) {
    // x is where the rule starts: by its name, or else y is not, or else the first comes first.
    const bool turned = head.second == "x" || head.first == "y";
    start_ = turned ? head.second : head.first;
    end_ = turned ? head.first : head.second;
    target_ = turned ? head.relation + relations_ : head.relation;
  }

  Result<Rule> assemble(double weight) {
    bool same = false;
    for (const Conjunct& conjunct : body_) {
      same = same || conjunct.is(Conjunct::Kind::same);
      if (!conjunct.is(Conjunct::Kind::link)) continue;
      links_[conjunct.first].push_back(&conjunct);
      links_[conjunct.second].push_back(&conjunct);
    }
    LERP_CHECK(same ? check_equations() : follow());
    const bool pair = links_.empty() && !same;
    places_.emplace(end_, pair ? 1 : hops_.size());

    std::vector<std::vector<Formula>> parts(hops_.size() + (pair ? 2 : 1));
    for (const Conjunct& conjunct : body_) {
      if (!conjunct.is(Conjunct::Kind::constraint)) continue;
      const auto place = places_.find(conjunct.first);
      if (place == places_.end()) {
        return parser_.error("the variable " + conjunct.first + " has no place in the rule",
                             conjunct.at, "constrain x, y or a variable on the way between them");
      }
      parts[place->second].push_back(conjunct.formula);
    }
    std::vector<Formula> constraints;
    constraints.reserve(parts.size());
    for (auto& some : parts) constraints.push_back(Formula::conjunction(std::move(some)));
    if (pair) return pair_rule(target_, constraints[0], constraints[1], weight);
    return path_rule(target_, std::move(hops_), std::move(constraints), weight);
  }

 private:
  Result<void> check_equations() {
    places_.emplace(start_, 0);
    for (const Conjunct& conjunct : body_) {
      const bool ends = (conjunct.first == start_ && conjunct.second == end_) ||
                        (conjunct.first == end_ && conjunct.second == start_);
      if (conjunct.is(Conjunct::Kind::same) && !(ends && links_.empty())) {
        return parser_.error("an equation beside a chain or of other variables", conjunct.at,
                             "only x and y can be the same, and then without a chain");
      }
    }
    return {};
  }

  /// From the start to the end; each variable has one link behind and one ahead.
  Result<void> follow() {
    places_.emplace(start_, 0);
    if (links_.empty()) return {};
    const Conjunct* behind = nullptr;
    std::string at = start_;
    std::size_t steps = 0;
    while (at != end_) {
      const Conjunct* ahead = nullptr;
      for (const Conjunct* link : links_[at]) {
        if (link == behind) continue;
        if (ahead != nullptr) return off_chain(*link);
        ahead = link;
      }
      if (ahead == nullptr) return off_chain(behind == nullptr ? *first_link() : *behind);
      const bool forwards = ahead->first == at;
      at = forwards ? ahead->second : ahead->first;
      hops_.push_back(forwards ? ahead->relation : ahead->relation + relations_);
      if (!places_.emplace(at, ++steps).second) return off_chain(*ahead);
      behind = ahead;
    }
    for (const Conjunct& conjunct : body_) {
      if (!conjunct.is(Conjunct::Kind::link)) continue;
      const bool on_chain = places_.contains(conjunct.first) && places_.contains(conjunct.second);
      if (!on_chain ||
          (&conjunct != behind && (conjunct.first == end_ || conjunct.second == end_))) {
        return off_chain(conjunct);
      }
    }
    return {};
  }

  const Conjunct* first_link() const {
    const Conjunct* link = body_.data();
    while (!link->is(Conjunct::Kind::link)) ++link;
    return link;
  }

  tl::unexpected<Error> off_chain(const Conjunct& link) const {
    return parser_.error(
        "the relations between variables are no chain from " + start_ + " to " + end_, link.at,
        "write what hangs off the chain with ∃, as in ∃z sister(z,x)");
  }

  const Parser& parser_;
  RelationId relations_;
  const Conjuncts& body_;
  std::string start_;
  std::string end_;
  OperatorId target_ = 0;
  std::unordered_map<std::string, std::vector<const Conjunct*>> links_;  ///< of each variable
  std::unordered_map<std::string, std::size_t> places_;  ///< of variables in the rule
  std::vector<OperatorId> hops_;
};

}  // namespace

Result<Rule> parse_rule(std::string_view text, const Names& names) {
  return parse_rule_from(text, 0, names);
}

Result<Rule> parse_rule_from(std::string_view text, std::size_t from, const Names& names) {
  Parser parser(text, names, from);
  LERP_CHECK(parser.start());
  LERP_TRY(weight, parser.weight());
  LERP_TRY(body, parser.body());
  LERP_TRY(head, parser.head());
  LERP_CHECK(parser.end());
  return Assembler(parser, names, head, body).assemble(weight);
}

Result<Formula> parse_formula(std::string_view text, const Names& names) {
  Parser parser(text, names);
  LERP_CHECK(parser.start());
  LERP_TRY(body, parser.body());
  LERP_CHECK(parser.end());
  if (body.empty()) return Formula::truth();
  LERP_TRY(merged, parser.merge(std::move(body)));
  return merged.formula;
}

}  // namespace lerpp
