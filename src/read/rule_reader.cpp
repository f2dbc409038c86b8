#include "read/rule_reader.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/clock.hpp"

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
/// Rules that are looked at for each that is shown: some become one with others when they are put
/// more plainly, and some are not sure enough.
constexpr std::size_t pool = 2;
constexpr std::size_t pool_of_sure = 10;
constexpr std::size_t pool_margin = 20;

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
  strength += other.strength;
  told += other.told;
  said += other.said;
  times += other.times;
  for (std::size_t i = 0; i < of_source.size(); ++i) of_source[i] += other.of_source[i];
}

RuleReader::RuleReader(const KnownGraph& known, const RulesOptions& options,
                       const Observer& observer)
    : known_(known),
      options_(options),
      graph_(known.graph()),
      valid_(graph_.entities(), graph_.relations(),
             {known.knows(Split::valid) ? std::span<const Fact>() : known.dataset()[Split::valid]}),
      observer_(observer) {}

std::vector<RuleReader::Candidate> RuleReader::merged(const std::vector<Candidate>& candidates,
                                                      bool together) {
  std::map<Key, std::size_t> places;
  std::vector<Candidate> result;
  for (const Candidate& candidate : candidates) {
    const auto [place, fresh] = places.try_emplace(key_of(candidate.rule), result.size());
    if (fresh) {
      result.push_back(candidate);
    } else {
      Candidate& same = result[place->second];
      const double most = std::max(same.times, candidate.times);
      same.add(candidate);
      if (together) same.times = most;
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Candidate& a, const Candidate& b) { return a.strength > b.strength; });
  return result;
}

void RuleReader::cut(std::vector<Candidate>& candidates, std::size_t most) {
  if (candidates.size() > most) candidates.resize(most);
}

Result<RuleReport> RuleReader::read(const std::vector<RelationId>& relations, const Watch& watch,
                                    const LiteralsOf& literals) {
  const Clock::time_point start = Clock::now();
  RuleReport report;
  std::vector<std::vector<Candidate>> of_relation(relations.size());
  std::vector<std::size_t> asked(relations.size());
  each("watching", "relations", relations.size(), [&](unsigned worker, std::size_t place) {
    of_relation[place] = gather(worker, relations[place], watch, asked[place]);
  });
  report.questions = std::accumulate(asked.begin(), asked.end(), std::size_t{0});
  std::vector<Candidate> candidates;
  for (auto& some : of_relation) {
    report.found += some.size();
    cut(some, options_.each);
    candidates.insert(candidates.end(), some.begin(), some.end());
  }
  candidates = merged(candidates, false);
  const std::size_t top = options_.top == 0 ? candidates.size() : options_.top;
  cut(candidates, (wants_sure() ? pool_of_sure : pool) * top + pool_margin);
  std::vector<std::unique_ptr<RuleCounter>> counters(worker_count(options_.threads));
  const auto counter = [&](unsigned worker) -> RuleCounter& {
    auto& own = counters[worker];
    if (!own) own = std::make_unique<RuleCounter>(graph_, valid_, options_);
    return *own;
  };
  each("reading", "rules", candidates.size(), [&](unsigned worker, std::size_t place) {
    put_plainly(candidates[place], counter(worker), literals);
  });
  // What differed in constraints alone was said together.
  candidates = merged(candidates, true);
  if (!wants_sure()) cut(candidates, top);
  report.rules.assign(candidates.size(), {path_rule(0, {})});
  each("counting", "rules", candidates.size(), [&](unsigned worker, std::size_t place) {
    report.rules[place] = finished(candidates[place]);
    counter(worker).count(report.rules[place]);
  });
  if (observer_.stopped()) return fail_stopped("reading rules");
  if (wants_sure()) {
    std::erase_if(report.rules, [&](const ReadRule& read) { return !is_sure(read); });
    if (report.rules.size() > top) report.rules.resize(top, {path_rule(0, {})});
  }
  report.seconds = seconds_since(start);
  return report;
}

bool RuleReader::is_sure(const ReadRule& read) const {
  return read.rule.weight() > 0 && read.support.confidence() >= options_.confidence &&
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
                                                      std::size_t& asked) const {
  Random random(options_.seed, relation);
  const std::vector<Fact> facts = facts_of(relation, random);
  if (facts.empty()) return {};
  std::vector<Candidate> all;
  double total = 0;
  for (const bool tail : {true, false}) {
    const OperatorId target = tail ? relation : relation + graph_.relations();
    std::vector<Question> questions;
    questions.reserve(facts.size());
    for (const Fact& fact : facts) {
      questions.push_back(tail ? Question{fact.subject, fact.object}
                               : Question{fact.object, fact.subject});
    }
    Ledger ledger;
    watch(worker, target, questions, random, ledger);
    asked += ledger.questions();
    for (const auto& [body, number] : ledger.numbers()) {
      const Ledger::Account& account = ledger.account(number);
      if (account.told == 0) continue;
      const double told = account.told / static_cast<double>(ledger.questions());
      total += std::abs(told);
      all.push_back({canonical(rule_of(body, target, 0), graph_.relations()), 0, told, account.said,
                     account.times, account.of_source});
    }
  }
  const auto count = static_cast<double>(facts.size());
  for (Candidate& candidate : all) {
    candidate.told /= total;
    candidate.strength = candidate.told * count / (count + doubt);
  }
  all = merged(all, false);
  std::erase_if(all, [](const Candidate& candidate) {
    const Rule& rule = candidate.rule;
    const bool itself = rule.hops().size() == 1 && rule.hops().front() == rule.target();
    return itself || std::abs(candidate.told) < least_share;
  });
  return all;
}

void RuleReader::put_plainly(Candidate& candidate, RuleCounter& counter,
                             const LiteralsOf& literals) const {
  Rule rule = counter.tidied(candidate.rule, candidate.said < 0);
  if (!rule.is_pair() && candidate.said > 0 && literals) {
    if (const auto literal = counter.refinement(rule, literals(rule.target()))) {
      rule = with_literal(rule, *literal);
      candidate.said += candidate.times * literal->evidence;
    }
  }
  candidate.rule = canonical(rule, graph_.relations());
}

ReadRule RuleReader::finished(const Candidate& candidate) {
  const auto& sources = candidate.of_source;
  const auto most = std::max_element(sources.begin(), sources.end()) - sources.begin();
  ReadRule read = {with_weight(candidate.rule, candidate.said / candidate.times)};
  read.source = static_cast<Source>(most);
  read.share = candidate.told;
  return read;
}

}  // namespace lerpp
