#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>

#include <lerp/base/parallel.hpp>
#include <lerp/explain/distill.hpp>

#include "explain/distill_candidates.hpp"
#include "explain/distill_fit.hpp"

namespace lerpp {
namespace {

/// Entries of a target's table: some hundred megabytes.
constexpr std::size_t most_entries = 40'000'000;
/// What a cut leaves: rules that do the same work can lose one another, not both at once.
constexpr double kept_share = 0.7;
/// The pool from which candidates are taken, as a multiple of them.
constexpr std::size_t pool = 5;
constexpr std::size_t traced_queries = 1000;
constexpr std::size_t screened_queries = 800;
/// Entities of an opinion of the soft model.
constexpr std::size_t opinion_size = 100;
constexpr std::size_t telling = 24;
/// Where facts are few, the model's answers say more than they do; where there are plenty, less.
constexpr std::size_t large_graph = 10'000;
constexpr double small_trust = 0.8;

struct Shared {
  const Model& model;
  const Graph& graph;
  const DistillOptions& options;
  std::shared_ptr<const PriorClasses> classes;
  const Background& background;
  std::vector<OperatorId> telling;
};

/// Asks the soft model, and lets it answer the questions that have no fact.
std::vector<Opinion> opinions(const Shared& shared, OperatorId target,
                              std::vector<Question>& questions) {
  if (shared.options.trust == 0) return {};
  std::vector<Opinion> result =
      Teacher(shared.model, shared.graph, shared.background).ask(target, questions, opinion_size);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (questions[i].fact) continue;
    const auto& shares = result[i].shares;
    const auto best = std::max_element(shares.begin(), shares.end()) - shares.begin();
    questions[i].answer = result[i].entities[static_cast<std::size_t>(best)];
  }
  return result;
}

/// Facts of a relation, and entities without: questions that only the soft model answers, and that
/// are as those of later, with the whole graph to see.
std::vector<Question> questions_of(const Shared& shared, std::span<const Fact> facts, bool tail,
                                   Random& random) {
  std::vector<Question> questions;
  for (const Fact& fact : facts)
    questions.push_back(tail ? Question{fact.subject, fact.object}
                             : Question{fact.object, fact.subject});
  if (shared.options.trust == 0) return questions;
  std::vector<EntityId> entities(shared.graph.entities());
  std::iota(entities.begin(), entities.end(), EntityId{0});
  random.shuffle(entities);
  entities.resize(std::min<std::size_t>(entities.size(), shared.options.open));
  for (const EntityId entity : entities) questions.push_back({entity, 0, false});
  random.shuffle(questions);
  return questions;
}

/// One direction of a relation.
class TargetList {
 public:
  TargetList(const Shared& shared, OperatorId target, std::vector<Question> questions)
      : shared_(shared),
        target_(target),
        questions_(std::move(questions)),
        fit_(shared.graph, shared.classes, opinions(shared, target, questions_),
             shared.options.trust, shared.options.seed + target) {
    build_table();
    // Screening asks what bodies add to what the answers take part in.
    fit_.learn(*table_, settings(1));
    Random random(shared.options.seed, target);
    const std::span<const Question> some(questions_.data(),
                                         std::min(questions_.size(), traced_queries));
    add_best(read_off(shared.model, shared.graph, target, some, pool * shared.options.candidates,
                      random),
             shared.options.candidates);
    fit_.learn(*table_, settings(1));
  }

  std::size_t size() const {
    return static_cast<std::size_t>(std::count(fit_.on().begin(), fit_.on().end(), 1));
  }
  std::size_t total() const { return fit_.size(); }
  bool on(std::size_t rule) const { return fit_.on()[rule] != 0; }
  std::vector<double> costs() { return fit_.costs(*table_, screened_queries); }

  void learn(double rate) { fit_.learn(*table_, settings(rate)); }

  void cut(const std::vector<std::uint8_t>& kept) {
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

  /// Adds the rules of the list with one literal more, where that helps.
  void add_literals(std::size_t most) {
    std::vector<Rule> candidates;
    for (const Rule& rule : rules_) {
      for (Rule& candidate : with_literals(rule, shared_.telling, shared_.graph.relations()))
        candidates.push_back(std::move(candidate));
    }
    add_best(std::move(candidates), most);
  }

  void write(std::vector<ListedRule>& out) {
    for (std::size_t i = 0; i < fit_.size(); ++i) {
      const RuleFit::Weights weights = fit_.weights()[i];
      if (!on(i) || (weights.once == 0 && weights.more == 0)) continue;
      const Rule rule =
          i < rules_.size()
              ? rules_[i]
              : pair_rule(target_, Formula::truth(),
                          Formula::exists(static_cast<OperatorId>(i - rules_.size())));
      out.push_back({with_weight(rule, double{weights.once}), double{weights.more}});
    }
  }

 private:
  RuleFit::Settings settings(double rate) const {
    RuleFit::Settings settings;
    settings.rate = shared_.options.rate * rate;
    settings.last_rate = settings.rate / 10;
    settings.decay = shared_.options.decay;
    settings.epochs = shared_.options.epochs;
    settings.least_steps = shared_.options.steps;
    return settings;
  }

  void build_table() {
    table_.reset();
    table_.emplace(shared_.graph, target_, rules_, questions_, shared_.options.frontier,
                   most_entries);
  }

  void add_best(std::vector<Rule> candidates, std::size_t most) {
    std::erase_if(candidates, [&](const Rule& candidate) {
      return std::find(rules_.begin(), rules_.end(), candidate) != rules_.end();
    });
    // Two rules may become the same with one literal more each.
    std::set<std::pair<std::vector<OperatorId>, std::vector<Formula>>> seen;
    std::erase_if(candidates, [&](const Rule& candidate) {
      return !seen.emplace(candidate.hops(), candidate.constraints()).second;
    });
    RuleExplorer explorer(shared_.graph, target_, candidates, shared_.options.frontier);
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

  const Shared& shared_;
  OperatorId target_;
  std::vector<Question> questions_;
  std::vector<Rule> rules_;
  mutable RuleFit fit_;
  std::optional<FeatureTable> table_;
};

/// Cuts the lists of both directions, step by step, to so many rules together.
void cut_to(std::vector<TargetList>& lists, std::size_t most) {
  struct Place {
    double cost;
    std::size_t list;
    std::size_t rule;
  };
  for (;;) {
    std::size_t size = 0;
    for (const TargetList& list : lists) size += list.size();
    if (size <= most) return;
    std::vector<Place> places;
    std::vector<std::vector<std::uint8_t>> kept;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const std::vector<double> costs = lists[i].costs();
      kept.emplace_back(lists[i].total(), 0);
      for (std::size_t rule = 0; rule < costs.size(); ++rule) {
        if (lists[i].on(rule)) places.push_back({costs[rule], i, rule});
      }
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.cost > b.cost; });
    const auto some = static_cast<std::size_t>(kept_share * static_cast<double>(size));
    places.resize(std::max(most, some));
    for (const Place& place : places) kept[place.list][place.rule] = 1;
    for (std::size_t i = 0; i < lists.size(); ++i) lists[i].cut(kept[i]);
    for (TargetList& list : lists) list.learn(0.5);
  }
}

std::vector<ListedRule> distill_relation(const Shared& shared, RelationId relation,
                                         std::vector<Fact> facts) {
  Random random(shared.options.seed, relation);
  random.shuffle(facts);
  if (facts.size() > shared.options.queries) facts.resize(shared.options.queries);
  std::vector<TargetList> lists;
  lists.reserve(2);
  for (const bool tail : {true, false}) {
    lists.emplace_back(shared, tail ? relation : relation + shared.graph.relations(),
                       questions_of(shared, facts, tail, random));
  }
  const std::size_t most = shared.options.rules;
  for (std::uint32_t round = 0; round < shared.options.literals; ++round) {
    cut_to(lists, most + most / 2);
    for (TargetList& list : lists) {
      list.add_literals(most);
      list.learn(1);
    }
  }
  cut_to(lists, most);
  std::vector<ListedRule> rules;
  for (TargetList& list : lists) {
    list.learn(0.5);
    list.write(rules);
  }
  return rules;
}

}  // namespace

Result<RuleList> distill(const Model& model, const Dataset& dataset, const DistillOptions& given,
                         bool known_valid, const Observer& observer) {
  LERP_CHECK(check_options(given));
  DistillOptions options = given;
  if (options.trust < 0) options.trust = dataset.entities.size() <= large_graph ? small_trust : 0;
  const RelationId relations = dataset.relations.size();
  const Graph graph = dataset.known_graph(known_valid, options.threads);
  std::vector<std::vector<Fact>> facts(relations);
  for (const Split split : {Split::train, Split::valid}) {
    if (split == Split::valid && !known_valid) continue;
    for (const Fact& fact : dataset[split]) facts[fact.relation].push_back(fact);
  }
  // The largest first, so that no worker begins with it last.
  std::vector<RelationId> order(relations);
  std::iota(order.begin(), order.end(), RelationId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](RelationId a, RelationId b) { return facts[a].size() > facts[b].size(); });
  Team team(options.threads);
  const Background background(model.shape(), graph, model.paths, team);
  const Shared shared = {model,      graph,
                         options,    std::make_shared<PriorClasses>(graph),
                         background, telling_operators(graph, telling)};
  std::vector<std::vector<ListedRule>> of_relation(relations);
  std::atomic<std::uint64_t> done = 0;
  std::mutex mutex;
  run_blocks(relations, 1, worker_count(options.threads),
             [&](unsigned /*worker*/, std::size_t place, std::size_t /*last*/) {
               const RelationId relation = order[place];
               if (observer.stopped() || facts[relation].empty()) return;
               of_relation[relation] = distill_relation(shared, relation, facts[relation]);
               const std::lock_guard lock(mutex);
               observer.report({"distilling", ++done, relations, "relations", {}});
             });
  if (observer.stopped()) return fail("stopped while distilling", "", "", ErrorKind::interrupted);
  RuleList list;
  list.frontier = options.frontier;
  for (const auto& rules : of_relation)
    list.rules.insert(list.rules.end(), rules.begin(), rules.end());
  return list;
}

}  // namespace lerpp
