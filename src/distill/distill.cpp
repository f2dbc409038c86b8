// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>

#include <lerp/base/parallel.hpp>
#include <lerp/distill/distill.hpp>
#include <lerp/logic/rule_body.hpp>

#include "distill/target.hpp"
#include "model/known_state.hpp"
#include "read/read_off.hpp"

namespace lerpp {
namespace {

/// Operators that literals are made of.
constexpr std::size_t telling = 24;
constexpr std::size_t small_graph = 1000;
constexpr std::size_t large_graph = 10'000;
/// Known facts of a relation, on average, that say more about its rules than the model does.
constexpr std::size_t many_facts = 1000;
/// Known facts of an entity, on average, from which on a graph is crowded.
constexpr std::size_t crowding = 12;
/// Questions of all targets of a large crowded graph: they lead to so many entities that few can be
/// asked, and the model's answers make up for that.
constexpr std::uint32_t crowded_queries = 70'000;
/// The largest share of the rules that a cut takes away.
constexpr double most_cut = 0.9;

/// Facts of a relation, each hidden while it is asked; and where the model is trusted, the same
/// starts with the whole graph to see, as later questions are, which only the model answers. A
/// model that is trusted wholly may know its facts by heart, and is asked only these.
std::vector<Question> questions_of(const DistillOptions& options, std::span<const Fact> facts,
                                   bool tail, Random& random) {
  std::vector<Question> questions;
  for (const Fact& fact : facts) {
    questions.push_back(tail ? Question{fact.subject, fact.object}
                             : Question{fact.object, fact.subject});
  }
  if (options.trust == 0) return questions;
  std::vector<Question> open = questions;
  if (open.size() > options.open) open.resize(options.open);
  for (Question& question : open) question = {question.start, 0, false};
  if (options.trust == 1 && !open.empty()) return open;
  questions.insert(questions.end(), open.begin(), open.end());
  random.shuffle(questions);
  return questions;
}

/// The lists of both directions of a relation.
class Directions {
 public:
  Directions(const Shared& shared, RelationId relation, std::span<const Fact> facts, Random& random)
      : shared_(shared), lists_(2) {
    std::vector<std::vector<Question>> questions;
    for (const bool tail : {true, false})
      questions.push_back(questions_of(shared.options, facts, tail, random));
    run_blocks(lists_.size(), 1, shared.pair_workers,
               [&](unsigned /*worker*/, std::size_t place, std::size_t /*last*/) {
                 lists_[place] = std::make_unique<TargetList>(
                     shared, place == 0 ? relation : relation + shared.graph.relations(),
                     std::move(questions[place]));
               });
  }

  /// Cuts both, step by step, to so many rules together: rules that do the same work can lose one
  /// another, not both at once. A rule that answers both ends of its head counts once.
  void cut_to(std::size_t most) {
    while (!shared_.observer.stopped() && size() > most) cut(most);
  }

  void add_literals(std::size_t most) {
    for_each([&](TargetList& list) {
      list.add_literals(most);
      list.learn(1);
    });
  }

  void write(std::vector<ListedRule>& out) {
    for_each([](TargetList& list) { list.learn(0.5); });
    for (const auto& list : lists_) list->write(out);
  }

  /// Gives each direction the rules of the other, read the other way round: that makes no rule
  /// more, and each direction can use twice as many.
  void share() {
    std::vector<std::vector<Rule>> others(lists_.size());
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      for (const Rule& rule : lists_[1 - i]->paths())
        others[i].push_back(reversed(rule, shared_.graph.relations()));
    }
    for (std::size_t i = 0; i < lists_.size(); ++i) lists_[i]->add(others[i]);
    for_each([](TargetList& list) { list.learn(1); });
  }

 private:
  /// A rule, by its number in the list of each direction whose questions it answers.
  struct Entry {
    double cost = 0;
    std::array<std::optional<std::size_t>, 2> numbers = {};
  };

  /// Neither knows of the other.
  template <class Action>
  void for_each(const Action& action) {
    run_blocks(lists_.size(), 1, shared_.pair_workers,
               [&](unsigned /*worker*/, std::size_t place, std::size_t /*last*/) {
                 action(*lists_[place]);
               });
  }

  /// The rules that are on either list, those that say the same as one.
  std::vector<Entry> entries() const {
    std::vector<Entry> all;
    std::map<RuleBody, std::size_t> places;  // of those with a path
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      const std::vector<Rule>& paths = lists_[i]->paths();
      for (std::size_t number = 0; number < lists_[i]->total(); ++number) {
        if (!lists_[i]->on(number)) continue;
        std::size_t place = all.size();
        if (number < paths.size()) {
          const RuleBody body = body_of(paths[number], shared_.graph.relations());
          place = places.try_emplace(body, place).first->second;
        }
        if (place == all.size()) all.emplace_back();
        all[place].numbers[i] = number;
      }
    }
    return all;
  }

  std::size_t size() const { return entries().size(); }

  void cut(std::size_t most) {
    for_each([](TargetList& list) { list.find_costs(); });
    std::vector<Entry> all = entries();
    std::vector<std::vector<std::uint8_t>> kept;
    for (const auto& list : lists_) kept.emplace_back(list->total(), 0);
    for (Entry& entry : all) {
      for (std::size_t i = 0; i < lists_.size(); ++i) {
        if (entry.numbers[i]) entry.cost += lists_[i]->costs()[*entry.numbers[i]];
      }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Entry& a, const Entry& b) { return a.cost > b.cost; });
    // While there are many more, nearly all that goes is of no use.
    const double cut = shared_.options.cut;
    const double share = all.size() > 2 * most ? std::min(2 * cut, most_cut) : cut;
    const auto some = static_cast<std::size_t>((1 - share) * static_cast<double>(all.size()));
    all.resize(std::max(most, some));
    for (const Entry& entry : all) {
      for (std::size_t i = 0; i < lists_.size(); ++i) {
        if (entry.numbers[i]) kept[i][*entry.numbers[i]] = 1;
      }
    }
    for (std::size_t i = 0; i < lists_.size(); ++i) lists_[i]->cut(kept[i]);
    for_each([](TargetList& list) { list.refit(); });
  }

  const Shared& shared_;
  std::vector<std::unique_ptr<TargetList>> lists_;
};

/// The rules of a relation at each of some sizes, the largest first: each list is cut down from the
/// one before it.
std::vector<std::vector<ListedRule>> distill_relation(const Shared& shared, RelationId relation,
                                                      std::vector<Fact> facts,
                                                      std::span<const std::uint32_t> sizes) {
  Random random(shared.options.seed, relation);
  random.shuffle(facts);
  if (facts.size() > shared.options.queries) facts.resize(shared.options.queries);
  Directions lists(shared, relation, facts, random);
  std::vector<std::vector<ListedRule>> of_sizes(sizes.size());
  for (std::size_t place = 0; place < sizes.size(); ++place) {
    const std::size_t most = sizes[place];
    const std::size_t some = most + most / 2;
    lists.cut_to(some);
    for (std::uint32_t round = 0; round < shared.options.literals; ++round) {
      if (shared.observer.stopped()) return of_sizes;
      lists.add_literals(most);
      lists.cut_to(some);
    }
    lists.share();
    lists.cut_to(most);
    lists.write(of_sizes[place]);
  }
  return of_sizes;
}

}  // namespace

DistillOptions distill_options(const Dataset& dataset) {
  // Chosen on validation, see docs/distill.md.
  DistillOptions options;
  const std::size_t entities = dataset.entities.size();
  const std::size_t facts = dataset[Split::facts].size() + dataset[Split::train].size();
  const bool crowded = facts >= crowding * entities;
  if (entities > large_graph) {
    if (!crowded) {
      options.queries = 12'000;
      options.cut = 0.2;
      options.refit = 0.5;
      return options;
    }
    const auto targets = static_cast<std::uint32_t>(2 * dataset.relations.size());
    options.queries = std::clamp(crowded_queries / targets, 100U, options.queries);
    options.open = 0;
    options.candidates = 200;
    options.groups = 50;
    options.literals = 0;
    options.trust = 0.8;
    return options;
  }
  options.groups = 200;
  const bool dense = crowded && entities <= small_graph;
  const bool rich = !dense && facts >= many_facts * dataset.relations.size();
  if (dense || rich) {
    options.decay = 0.1;
    options.cut = 0.1;
    options.refit = 1;
  }
  if (rich) options.folds = 10;
  if (!rich) options.trust = dense ? 1 : 0.5;
  return options;
}

Result<RuleList> distill(const Model& model, const KnownGraph& known, const DistillOptions& options,
                         const Observer& observer) {
  LERP_TRY(lists, distill_sizes(model, known, options, {&options.rules, 1}, observer));
  return std::move(lists.front());
}

Result<std::vector<RuleList>> distill_sizes(const Model& model, const KnownGraph& known,
                                            const DistillOptions& options,
                                            std::span<const std::uint32_t> sizes,
                                            const Observer& observer) {
  LERP_CHECK(check_options(options));
  const Graph& graph = known.graph();
  const RelationId relations = graph.relations();
  std::vector<std::vector<Fact>> facts(relations);
  for (const Split split : {Split::train, Split::valid}) {
    for (const Fact& fact : known.dataset().known_facts(split, known.splits()))
      facts[fact.relation].push_back(fact);
  }
  // The largest first, so that no worker begins with it last.
  std::vector<RelationId> order(relations);
  std::iota(order.begin(), order.end(), RelationId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](RelationId a, RelationId b) { return facts[a].size() > facts[b].size(); });
  const Background background(model.shape(), known, model.paths);
  const std::optional<Folds> folds =
      options.folds > 1 ? std::optional<Folds>(std::in_place, graph, options.folds) : std::nullopt;
  const unsigned workers = worker_count(options.threads);
  const Shared shared = {model,
                         graph,
                         options,
                         known.state().classes(),
                         background,
                         telling_operators(graph, telling),
                         folds ? &*folds : nullptr,
                         relations < 2 * workers && workers > 1 ? 2U : 1U,
                         observer};
  std::vector<std::vector<std::vector<ListedRule>>> of_relation(relations);
  std::atomic<std::uint64_t> done = 0;
  std::mutex mutex;
  run_blocks(relations, 1, workers,
             [&](unsigned /*worker*/, std::size_t place, std::size_t /*last*/) {
               const RelationId relation = order[place];
               if (observer.stopped() || facts[relation].empty()) return;
               of_relation[relation] = distill_relation(shared, relation, facts[relation], sizes);
               const std::lock_guard lock(mutex);
               observer.report({"distilling", ++done, relations, "relations", {}});
             });
  if (observer.stopped()) return fail_stopped("distilling");
  std::vector<RuleList> lists(sizes.size());
  for (std::size_t place = 0; place < sizes.size(); ++place) {
    lists[place].frontier = options.frontier;
    for (const auto& of_sizes : of_relation) {
      if (of_sizes.empty()) continue;
      const std::vector<ListedRule>& rules = of_sizes[place];
      lists[place].rules.insert(lists[place].rules.end(), rules.begin(), rules.end());
    }
  }
  return lists;
}

}  // namespace lerpp
