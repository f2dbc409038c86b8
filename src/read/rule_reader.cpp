// SPDX-License-Identifier: Apache-2.0
#include "read/rule_reader.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace lerpp {
namespace {

/// Questions of all targets together, where nobody says, and of one at least and at most.
constexpr std::size_t all_questions = 4000;
constexpr std::size_t fewest_questions = 10;
constexpr std::size_t most_questions = 200;
/// Shares of a relation count for less where there are few questions: as if so many more had said
/// nothing.
constexpr double doubt = 10;
/// Bodies that carry less of their relation's evidence are noise.
constexpr double least_share = 1e-5;
/// Rules of a relation that are read, at least.
constexpr std::size_t fewest_kept = 100;
/// Rules that are counted at once, at least: some are not listed.
constexpr std::size_t counted_at_once = 16;

/// Same statements have the same key.
struct Key {
  OperatorId target;
  Body body;
  auto operator<=>(const Key&) const = default;
};
Key key_of(const Rule& rule) {
  return {rule.target(), {rule.hops(), rule.constraints(), rule.is_pair()}};
}

}  // namespace

void RuleReader::Candidate::add(const Candidate& other) {
  told += other.told;
  said += other.said;
  groundings += other.groundings;
  std::vector<std::uint32_t> both;
  both.reserve(answers.size() + other.answers.size());
  std::set_union(answers.begin(), answers.end(), other.answers.begin(), other.answers.end(),
                 std::back_inserter(both));
  answers = std::move(both);
  for (std::size_t i = 0; i < of_source.size(); ++i) of_source[i] += other.of_source[i];
}

/// Evidence of a sum of rules is counted by groundings; where only detours were drawn, and of
/// evidence under a logarithm, by answers.
double RuleReader::Candidate::weight() const {
  return said / (groundings > 0 ? groundings : static_cast<double>(answers.size()));
}

RuleReader::RuleReader(const KnownGraph& known, const RulesOptions& options,
                       const Observer& observer, Readings readings)
    : known_(known),
      options_(options),
      graph_(known.graph()),
      valid_(graph_.entities(), graph_.relations(),
             {known.knows(Split::valid) ? std::span<const Fact>() : known.dataset()[Split::valid]}),
      observer_(observer),
      readings_(std::move(readings)),
      counters_(worker_count(options.threads)) {}

std::size_t RuleReader::entries_kept(const RulesOptions& options) {
  return std::max<std::size_t>(options.each, fewest_kept);
}

std::vector<RelationId> RuleReader::unread(const std::vector<RelationId>& relations) const {
  std::vector<RelationId> missing;
  std::copy_if(relations.begin(), relations.end(), std::back_inserter(missing),
               [&](RelationId relation) { return !readings_.contains(relation); });
  return missing;
}

RuleCounter& RuleReader::counter(unsigned worker) {
  auto& own = counters_[worker];
  if (!own) own = std::make_unique<RuleCounter>(graph_, valid_, options_);
  return *own;
}

std::vector<RuleReader::Candidate> RuleReader::merged(std::vector<Candidate> candidates) {
  std::map<Key, std::size_t> places;
  std::vector<Candidate> result;
  for (Candidate& candidate : candidates) {
    const auto [place, fresh] = places.try_emplace(key_of(candidate.rule), result.size());
    if (fresh) {
      result.push_back(std::move(candidate));
    } else {
      result[place->second].add(candidate);
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Candidate& a, const Candidate& b) { return a.told > b.told; });
  return result;
}

Result<void> RuleReader::read(const std::vector<RelationId>& relations, const Watch& watch,
                              const LiteralsOf& literals) {
  std::vector<RelationReading> readings(relations.size());
  std::vector<std::vector<Candidate>> of_relation(relations.size());
  each("reading the model", "relations", relations.size(), [&](unsigned worker, std::size_t place) {
    of_relation[place] = gather(worker, relations[place], watch, readings[place]);
  });
  std::vector<Candidate*> candidates;
  for (auto& some : of_relation) {
    for (Candidate& candidate : some) candidates.push_back(&candidate);
  }
  each("reading", "rules", candidates.size(), [&](unsigned worker, std::size_t place) {
    Candidate& candidate = *candidates[place];
    candidate.rule = put_plainly(candidate, counter(worker), literals);
  });
  if (observer_.stopped()) return fail_stopped("reading rules");
  for (std::size_t i = 0; i < relations.size(); ++i) {
    // What differed in its constraints alone may be the same now.
    for (const Candidate& candidate : merged(std::move(of_relation[i])))
      readings[i].entries.push_back({finished(candidate)});
    readings_.insert_or_assign(relations[i], std::move(readings[i]));
  }
  has_read_ = true;
  return {};
}

Result<RuleReport> RuleReader::list(const std::vector<RelationId>& relations) {
  RuleReport report;
  std::vector<RelationReading::Entry*> order;
  for (const RelationId relation : relations) {
    RelationReading& reading = readings_.at(relation);
    report.questions += reading.questions;
    report.found += reading.found;
    for (RelationReading::Entry& entry : reading.entries) order.push_back(&entry);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->read.share > b->read.share; });
  const std::size_t top = options_.top == 0 ? order.size() : options_.top;
  std::map<OperatorId, std::size_t> listed;
  for (std::size_t next = 0; next < order.size() && report.rules.size() < top;) {
    const std::size_t some =
        std::min(order.size() - next, std::max(top - report.rules.size(), counted_at_once));
    count({order.data() + next, some});
    if (observer_.stopped()) return fail_stopped("reading rules");
    for (std::size_t i = next; i < next + some && report.rules.size() < top; ++i) {
      const ReadRule& read = order[i]->read;
      if (!is_listed(read) || listed[read.rule.target()] == options_.each) continue;
      ++listed[read.rule.target()];
      report.rules.push_back(read);
    }
    next += some;
  }
  return report;
}

void RuleReader::count(std::span<RelationReading::Entry* const> entries) {
  std::vector<RelationReading::Entry*> missing;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(missing),
               [](const RelationReading::Entry* entry) { return !entry->counted; });
  each("counting", "rules", missing.size(), [&](unsigned worker, std::size_t place) {
    counter(worker).count(missing[place]->read);
    missing[place]->counted = true;
  });
  has_read_ = has_read_ || !missing.empty();
}

/// What speaks for its head must lead to some fact of it.
bool RuleReader::is_listed(const ReadRule& read) const {
  if (wants_sure()) return is_sure(read);
  return read.rule.weight() <= 0 || read.support.support > 0;
}

bool RuleReader::is_sure(const ReadRule& read) const {
  return read.rule.weight() > 0 && read.support.support > 0 &&
         read.support.confidence() >= options_.confidence &&
         read.support.pca_confidence() >= options_.pca;
}

std::vector<Fact> RuleReader::facts_of(RelationId relation, Random& random) const {
  std::vector<Fact> facts;
  const auto collect = [&](Split split) {
    for (const Fact& fact : known_.dataset().known_facts(split, known_.splits())) {
      if (fact.relation == relation) facts.push_back(fact);
    }
  };
  collect(Split::train);
  collect(Split::valid);
  if (facts.empty()) collect(Split::facts);
  random.shuffle(facts);
  const std::size_t chosen =
      std::clamp(all_questions / graph_.operators(), fewest_questions, most_questions);
  const std::size_t most = options_.questions > 0 ? options_.questions : chosen;
  if (facts.size() > most) facts.resize(most);
  return facts;
}

/// What they told are shares of all that was told about the relation.
std::vector<RuleReader::Candidate> RuleReader::gather(unsigned worker, RelationId relation,
                                                      const Watch& watch,
                                                      RelationReading& reading) const {
  Random random(options_.seed, relation);
  const std::vector<Fact> facts = facts_of(relation, random);
  if (facts.empty()) return {};
  std::vector<Candidate> all;
  double total = 0;
  std::uint32_t answers = 0;
  for (const bool tail : {true, false}) {
    const OperatorId target = tail ? relation : relation + graph_.relations();
    std::vector<Question> questions;
    questions.reserve(facts.size());
    for (const Fact& fact : facts) {
      questions.push_back(tail ? Question{fact.subject, fact.object}
                               : Question{fact.object, fact.subject});
    }
    Ledger ledger(answers);
    watch(worker, target, questions, random, ledger);
    answers = ledger.next_answer();
    reading.questions += ledger.questions();
    for (const auto& [body, number] : ledger.numbers()) {
      const Ledger::Account& account = ledger.account(number);
      if (account.told == 0) continue;
      const double told = account.told / static_cast<double>(ledger.questions());
      total += std::abs(told);
      all.push_back({canonical(rule_of(body, target, 0), graph_.relations()), told, account.said,
                     account.groundings, account.answers, account.of_source});
    }
  }
  const auto count = static_cast<double>(facts.size());
  for (Candidate& candidate : all) candidate.told *= count / (count + doubt) / total;
  all = merged(std::move(all));
  std::erase_if(all, [](const Candidate& candidate) {
    const Rule& rule = candidate.rule;
    const bool itself = rule.hops().size() == 1 && rule.hops().front() == rule.target();
    return itself || std::abs(candidate.told) < least_share;
  });
  reading.found = all.size();
  if (all.size() > entries_kept(options_)) all.resize(entries_kept(options_));
  return all;
}

Rule RuleReader::put_plainly(const Candidate& candidate, RuleCounter& counter,
                             const LiteralsOf& literals) const {
  const Rule rule = counter.tidied(candidate.rule, candidate.said < 0);
  if (rule.is_pair() || candidate.said <= 0 || !literals)
    return canonical(rule, graph_.relations());
  const auto literal = counter.refinement(rule, literals(rule.target()));
  return canonical(literal ? with_literal(rule, *literal) : rule, graph_.relations());
}

ReadRule RuleReader::finished(const Candidate& candidate) {
  const auto& sources = candidate.of_source;
  const auto most = std::max_element(sources.begin(), sources.end()) - sources.begin();
  ReadRule read = {with_weight(candidate.rule, candidate.weight())};
  read.source = static_cast<Source>(most);
  read.share = candidate.told;
  return read;
}

}  // namespace lerpp
