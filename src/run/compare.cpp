// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include <lerp/logic/rule_text.hpp>
#include <lerp/run/compare.hpp>

namespace lerpp {
namespace {

/// The numbers of another dataset for the same names.
class Translator {
 public:
  Translator(const Dataset& from, const Dataset& to) : from_(from), to_(to) {}

  std::optional<Fact> operator()(const Fact& fact) const {
    const auto subject = to_.entities.find(from_.entities.name(fact.subject));
    const auto relation = to_.relations.find(from_.relations.name(fact.relation));
    const auto object = to_.entities.find(from_.entities.name(fact.object));
    if (!subject || !relation || !object) return {};
    return Fact{*subject, *relation, *object};
  }

 private:
  const Dataset& from_;
  const Dataset& to_;
};

std::set<std::string> texts(const RuleReport& report, const Dataset& data) {
  std::set<std::string> all;
  for (const ReadRule& read : report.rules)
    all.insert(to_text(read.rule, {data.relations, data.entities}));
  return all;
}

}  // namespace

Result<RunRanks> compare_ranks(const Run& before, const Run& after, const RankingOptions& options) {
  LERP_TRY(old_data, before.data());
  LERP_TRY(new_data, after.data());
  const std::vector<Fact>& there = (*new_data)[options.split];
  const std::set<Fact> known(there.begin(), there.end());
  const Translator translate(*old_data, *new_data);
  std::vector<std::pair<Fact, Fact>> both;
  for (const Fact& fact : (*old_data)[options.split]) {
    const std::optional<Fact> same = translate(fact);
    if (same && known.contains(*same)) both.emplace_back(fact, *same);
  }
  if (both.empty()) {
    return fail(
        fmt::format("the two runs have no fact of split {} in common", name_of(options.split)), "",
        "compare runs of the same data, or choose another split");
  }
  // Spread evenly, at the same places of both.
  const std::size_t count =
      options.facts == 0 ? both.size() : std::min<std::size_t>(both.size(), options.facts);
  std::vector<Fact> old_facts;
  std::vector<Fact> new_facts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [old_fact, new_fact] = both[i * both.size() / count];
    old_facts.push_back(old_fact);
    new_facts.push_back(new_fact);
  }
  RankingOptions all = options;
  all.facts = 0;
  LERP_TRY(old_ranks, before.ranks(old_facts, all));
  LERP_TRY(new_ranks, after.ranks(new_facts, all));
  return RunRanks{old_data, both.size(), rank_changes(old_facts, old_ranks, new_ranks)};
}

RulesApart compare_rules(const RuleReport& before, const Dataset& before_data,
                         const RuleReport& after, const Dataset& after_data) {
  const std::set<std::string> old_texts = texts(before, before_data);
  const std::set<std::string> new_texts = texts(after, after_data);
  RulesApart apart;
  for (const ReadRule& read : after.rules) {
    const std::string text = to_text(read.rule, {after_data.relations, after_data.entities});
    if (!old_texts.contains(text)) apart.gained.push_back(read);
  }
  for (const ReadRule& read : before.rules) {
    const std::string text = to_text(read.rule, {before_data.relations, before_data.entities});
    if (!new_texts.contains(text)) apart.lost.push_back(read);
  }
  apart.kept = after.rules.size() - apart.gained.size();
  return apart;
}

}  // namespace lerpp
