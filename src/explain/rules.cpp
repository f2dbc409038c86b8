#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include <lerp/base/parallel.hpp>
#include <lerp/explain/rules.hpp>

#include "explain/list_watcher.hpp"
#include "explain/model_watcher.hpp"
#include "explain/rule_counter.hpp"

namespace lerpp {
namespace {

using Clock = std::chrono::steady_clock;

/// Questions of all targets together, where nobody says, and of one at least and at most.
constexpr std::size_t all_questions = 4000;
constexpr std::size_t fewest_questions = 10;
constexpr std::size_t most_questions = 200;
/// Bodies that carry less of their relation's evidence are noise.
constexpr double least_share = 1e-5;
/// Literals tried on each end of a rule.
constexpr std::size_t literals_tried = 8;

/// Watches the questions of one target; called by one worker at a time each.
using Watch = std::function<void(unsigned worker, OperatorId target, std::span<const Question>,
                                 Random&, Ledger&)>;

/// A rule while the list is made.
struct Candidate {
  Rule rule = path_rule(0, {});
  double told = 0;
  double said = 0;
  double times = 0;
  std::array<double, 5> of_source = {};

  void add(const Candidate& other) {
    told += other.told;
    said += other.said;
    times += other.times;
    for (std::size_t i = 0; i < of_source.size(); ++i) of_source[i] += other.of_source[i];
  }
};

struct Key {
  OperatorId target;
  Body body;
  auto operator<=>(const Key&) const = default;
};
Key key_of(const Rule& rule) {
  return {rule.target(), {rule.hops(), rule.constraints(), rule.is_pair()}};
}

/// Same statements become one; the strongest first.
std::vector<Candidate> merged(const std::vector<Candidate>& candidates) {
  std::map<Key, std::size_t> places;
  std::vector<Candidate> result;
  for (const Candidate& candidate : candidates) {
    const auto [place, fresh] = places.try_emplace(key_of(candidate.rule), result.size());
    if (fresh) {
      result.push_back(candidate);
    } else {
      result[place->second].add(candidate);
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Candidate& a, const Candidate& b) { return a.told > b.told; });
  return result;
}

class RuleReader {
 public:
  RuleReader(const Dataset& dataset, const RulesOptions& options, const Graph& graph,
             bool known_valid, const Observer& observer)
      : dataset_(dataset),
        options_(options),
        graph_(graph),
        known_valid_(known_valid),
        valid_(graph.entities(), graph.relations(),
               {known_valid ? std::span<const Fact>() : dataset[Split::valid]}),
        observer_(observer) {}

  Result<RuleReport> read(const std::vector<RelationId>& relations, const Watch& watch,
                          const std::function<std::vector<Literal>(OperatorId)>& literals) {
    const Clock::time_point start = Clock::now();
    RuleReport report;
    std::vector<std::vector<Candidate>> of_relation(relations.size());
    std::size_t done = 0;
    std::mutex mutex;
    const auto each = [&](std::string_view stage, std::size_t count, auto&& work) {
      done = 0;
      run_blocks(count, 1, worker_count(options_.threads),
                 [&](unsigned worker, std::size_t place, std::size_t) {
                   if (observer_.stopped()) return;
                   work(worker, place);
                   const std::lock_guard lock(mutex);
                   observer_.report({stage, ++done, count, "", {}});
                 });
    };
    each("watching the model", relations.size(), [&](unsigned worker, std::size_t place) {
      std::size_t asked = 0;
      of_relation[place] = gather(worker, relations[place], watch, asked);
      const std::lock_guard lock(mutex);
      report.questions += asked;
    });
    std::vector<Candidate> candidates;
    for (const auto& some : of_relation) {
      report.found += some.size();
      candidates.insert(candidates.end(), some.begin(),
                        some.begin() + static_cast<std::ptrdiff_t>(
                                           std::min<std::size_t>(some.size(), options_.each)));
    }
    candidates = merged(candidates);
    // Some become one with others when they are put more plainly.
    if (options_.top > 0) cut(candidates, 2 * std::size_t{options_.top} + 20);
    std::vector<std::unique_ptr<RuleCounter>> counters(worker_count(options_.threads));
    const auto counter = [&](unsigned worker) -> RuleCounter& {
      if (!counters[worker])
        counters[worker] = std::make_unique<RuleCounter>(graph_, valid_, options_);
      return *counters[worker];
    };
    each("reading rules", candidates.size(), [&](unsigned worker, std::size_t place) {
      put_plainly(candidates[place], counter(worker), literals);
    });
    candidates = merged(candidates);
    if (options_.top > 0) cut(candidates, options_.top);
    report.rules.assign(candidates.size(), {path_rule(0, {})});
    each("counting", candidates.size(), [&](unsigned worker, std::size_t place) {
      report.rules[place] = finished(candidates[place]);
      counter(worker).count(report.rules[place]);
    });
    if (observer_.stopped())
      return fail("stopped while reading rules", "", "", ErrorKind::interrupted);
    report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return report;
  }

 private:
  static void cut(std::vector<Candidate>& candidates, std::size_t most) {
    if (candidates.size() > most) candidates.resize(most, Candidate());
  }

  std::vector<Fact> questions_of(RelationId relation, Random& random) const {
    std::vector<Fact> facts;
    const auto collect = [&](Split split) {
      for (const Fact& fact : dataset_[split]) {
        if (fact.relation == relation) facts.push_back(fact);
      }
    };
    collect(Split::train);
    if (known_valid_) collect(Split::valid);
    if (facts.empty()) collect(Split::facts);
    random.shuffle(facts);
    const std::size_t chosen = std::clamp(all_questions / std::max(1U, graph_.operators()),
                                          fewest_questions, most_questions);
    const std::size_t most = options_.questions > 0 ? options_.questions : chosen;
    if (facts.size() > most) facts.resize(most);
    return facts;
  }

  /// The rules of a relation; what they told are shares of all that was told.
  std::vector<Candidate> gather(unsigned worker, RelationId relation, const Watch& watch,
                                std::size_t& asked) {
    Random random(options_.seed, relation);
    const std::vector<Fact> facts = questions_of(relation, random);
    if (facts.empty()) return {};
    std::vector<Candidate> all;
    double total = 0;
    for (const bool tail : {true, false}) {
      const OperatorId target = tail ? relation : relation + graph_.relations();
      std::vector<Question> questions;
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
        all.push_back({canonical(rule_of(body, target, 0), graph_.relations()), told, account.said,
                       account.times, account.of_source});
      }
    }
    for (Candidate& candidate : all) candidate.told /= total;
    all = merged(all);
    std::erase_if(all, [](const Candidate& candidate) {
      return std::abs(candidate.told) < least_share ||
             (candidate.rule.hops().size() == 1 &&
              candidate.rule.hops().front() == candidate.rule.target());
    });
    return all;
  }

  void put_plainly(Candidate& candidate, RuleCounter& counter,
                   const std::function<std::vector<Literal>(OperatorId)>& literals) const {
    Rule rule = counter.tidied(candidate.rule);
    if (!rule.is_pair() && candidate.said > 0 && literals) {
      if (const auto literal = counter.refinement(rule, literals(rule.target()))) {
        rule = with_literal(rule, *literal);
        candidate.said += candidate.times * literal->evidence;
      }
    }
    candidate.rule = canonical(rule, graph_.relations());
  }

  static ReadRule finished(const Candidate& candidate) {
    const auto& sources = candidate.of_source;
    const auto most = std::max_element(sources.begin(), sources.end()) - sources.begin();
    ReadRule read = {with_weight(candidate.rule, candidate.said / candidate.times)};
    read.source = static_cast<RuleSource>(most);
    read.share = candidate.told;
    return read;
  }

  const Dataset& dataset_;
  const RulesOptions& options_;
  const Graph& graph_;
  bool known_valid_;
  Graph valid_;
  const Observer& observer_;
};

Result<std::vector<RelationId>> wanted_relations(const Dataset& dataset,
                                                 const RulesOptions& options) {
  std::vector<RelationId> relations;
  if (options.relation.empty()) {
    for (RelationId id = 0; id < dataset.relations.size(); ++id) relations.push_back(id);
    return relations;
  }
  const auto found = dataset.relations.find(options.relation);
  if (found) return std::vector<RelationId>{*found};
  std::vector<std::string_view> names;
  for (RelationId id = 0; id < dataset.relations.size(); ++id)
    names.push_back(dataset.relations.name(id));
  Error error = unknown_option(options.relation, names).value();
  error.what = fmt::format("there is no relation '{}'", options.relation);
  error.where = dataset.name;
  return tl::unexpected<Error>(std::move(error));
}

/// What a model's prior makes of the ends of a target's answers, the strongest first on each end.
std::vector<Literal> prior_literals(const Model& model, OperatorId target) {
  std::vector<Literal> result;
  const ModelShape& shape = model.shape();
  if (!shape.prior) return result;
  const RelationId relation = target % shape.relations;
  for (const bool on_y : {true, false}) {
    // What is said of x is said where x is the answer.
    const OperatorId asked =
        (target < shape.relations) == on_y ? relation : relation + shape.relations;
    const std::span<const float> weights = model.parameters.of(Part::prior, asked);
    std::vector<Literal> some;
    for (OperatorId op = 0; op < shape.operators(); ++op) {
      if (op % shape.relations == relation) continue;
      const double value = double{weights[2 * op]} + double{weights[2 * op + 1]} * std::log(2.0);
      const Formula exists = Formula::exists(op);
      some.push_back({on_y, value > 0 ? exists : Formula::negation(exists), std::abs(value)});
    }
    std::stable_sort(some.begin(), some.end(),
                     [](const Literal& a, const Literal& b) { return a.evidence > b.evidence; });
    if (some.size() > literals_tried) some.resize(literals_tried, Literal());
    result.insert(result.end(), some.begin(), some.end());
  }
  return result;
}

}  // namespace

std::string_view name_of(RuleSource source) {
  constexpr std::array<std::string_view, 5> names = {"path", "prior", "constant", "soft", "list"};
  return names[static_cast<std::size_t>(source)];
}

std::vector<Rule> RuleReport::top(std::size_t most) const {
  std::vector<Rule> result;
  for (std::size_t i = 0; i < std::min(most, rules.size()); ++i) result.push_back(rules[i].rule);
  return result;
}

Result<RuleReport> rules(const Model& given, const Dataset& dataset, const RulesOptions& options,
                         bool known_valid, const Observer& observer) {
  LERP_CHECK(check_options(options));
  const Model model = without_embedding(given);
  if (!serves(model, dataset)) {
    return fail("the model was learned from other relations", dataset.name,
                "give the dataset that the run was made from");
  }
  LERP_TRY(relations, wanted_relations(dataset, options));
  const Graph graph = dataset.known_graph(known_valid, options.threads);
  Team team(options.threads);
  const Background background(model.shape(), graph, model.paths, team);
  const ConstraintReader reader(model, graph, options.threads);
  std::vector<std::unique_ptr<ModelWatcher>> watchers(worker_count(options.threads));
  const Watch watch = [&](unsigned worker, OperatorId target, std::span<const Question> questions,
                          Random& random, Ledger& ledger) {
    auto& watcher = watchers[worker];
    if (!watcher) watcher = std::make_unique<ModelWatcher>(model, graph, background, reader);
    watcher->watch(target, questions, random, ledger);
  };
  LERP_TRY(report, RuleReader(dataset, options, graph, known_valid, observer)
                       .read(relations, watch,
                             [&](OperatorId target) { return prior_literals(model, target); }));
  report.sum = !model.shape().evidence;
  return report;
}

Result<RuleReport> rules(const RuleList& list, const Dataset& dataset, const RulesOptions& options,
                         bool known_valid, const Observer& observer) {
  LERP_CHECK(check_options(options));
  LERP_TRY(relations, wanted_relations(dataset, options));
  const Graph graph = dataset.known_graph(known_valid, options.threads);
  const Watch watch = [&](unsigned, OperatorId target, std::span<const Question> questions, Random&,
                          Ledger& ledger) {
    ListWatcher(list, graph).watch(target, questions, ledger);
  };
  return RuleReader(dataset, options, graph, known_valid, observer).read(relations, watch, {});
}

}  // namespace lerpp
