// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <lerp/base/parallel.hpp>
#include <lerp/eval/ranking_plan.hpp>

namespace lerpp {
namespace {

/// Batches get smaller when so many of their size are left: threads end at about the same time.
constexpr std::size_t batches_left = 64;
constexpr std::size_t least_batch = 4;
/// Scores that one thread may have to hold at once. Bounds how long it takes to notice a stop, too.
constexpr std::size_t most_scores = std::size_t{1} << 24U;
constexpr std::size_t facts_together = std::size_t{1} << 16U;

/// `count` of the facts, spread evenly; all of them where count is 0 or more than there are.
std::vector<Fact> spread(std::span<const Fact> facts, std::uint64_t count) {
  if (count == 0 || count >= facts.size()) return {facts.begin(), facts.end()};
  std::vector<Fact> some;
  some.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) some.push_back(facts[i * facts.size() / count]);
  return some;
}

/// Finds the group of a query. Most facts of a large graph answer no query that is asked: a bit for
/// each entity tells that of most of them.
class GroupTable {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  explicit GroupTable(const RankingPlan& plan)
      : plan_(plan),
        starts_((plan.entities() + std::size_t{63}) / 64),
        places_(std::bit_ceil(2 * plan.groups() + 1), none) {
    for (std::size_t group = 0; group < plan.groups(); ++group) {
      const Query& query = plan.query(group);
      starts_[query.start / 64] |= std::uint64_t{1} << (query.start % 64);
      std::size_t place = first_place(query);
      while (places_[place] != none) place = (place + 1) & (places_.size() - 1);
      places_[place] = static_cast<std::uint32_t>(group);
    }
  }

  std::uint32_t find(const Query& query) const {
    if ((starts_[query.start / 64] >> (query.start % 64) & 1U) == 0) return none;
    std::size_t place = first_place(query);
    while (places_[place] != none && plan_.query(places_[place]) != query)
      place = (place + 1) & (places_.size() - 1);
    return places_[place];
  }

 private:
  std::size_t first_place(const Query& query) const {
    const std::uint64_t key = std::uint64_t{query.target} << 32U | query.start;
    return (key * 0x9e3779b97f4a7c15U >> 32U) & (places_.size() - 1);
  }

  const RankingPlan& plan_;
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> places_;
};

struct Known {
  std::uint32_t group = 0;
  EntityId answer = 0;
};

/// The answers of all queries that some facts hold, in no order.
std::vector<std::vector<Known>> find_answers(const GroupTable& table, const Dataset& dataset,
                                             unsigned workers, const Observer& observer) {
  std::vector<std::vector<Known>> found(workers);
  const RelationId relations = dataset.relations.size();
  for (const std::vector<Fact>& facts : dataset.splits) {
    run_blocks(facts.size(), facts_together, workers,
               [&](unsigned worker, std::size_t first, std::size_t last) {
                 if (observer.stopped()) return;
                 const auto add = [&](const Query& query, EntityId answer) {
                   const std::uint32_t group = table.find(query);
                   if (group != GroupTable::none) found[worker].push_back({group, answer});
                 };
                 for (std::size_t i = first; i < last; ++i) {
                   const Fact& fact = facts[i];
                   add({fact.relation, fact.subject}, fact.object);
                   add({relations + fact.relation, fact.object}, fact.subject);
                 }
               });
  }
  return found;
}

}  // namespace

Result<RankingPlan> RankingPlan::make(const Dataset& dataset, const RankingOptions& options,
                                      const Observer& observer) {
  if (dataset[options.split].empty()) {
    return fail(fmt::format("split {} of {} has no facts", name_of(options.split), dataset.name),
                {}, "choose a split that has facts");
  }
  return make(dataset, dataset[options.split], options, observer);
}

Result<RankingPlan> RankingPlan::make(const Dataset& dataset, std::span<const Fact> facts,
                                      const RankingOptions& options, const Observer& observer) {
  RankingPlan plan;
  plan.facts_ = spread(facts, options.facts);
  if (options.batch == 0) {
    return fail("a ranking batch of 0 queries", {}, "choose at least 1", ErrorKind::usage);
  }
  plan.dataset_ = dataset.name;
  plan.options_ = options;
  plan.entities_ = dataset.entities.size();
  plan.relations_.resize(dataset.relations.size());
  for (const Fact& fact : plan.facts_) {
    std::string& name = plan.relations_[fact.relation];
    if (name.empty()) name = std::string(dataset.relations.name(fact.relation));
  }
  plan.make_groups(dataset.relations.size());
  plan.make_batches();
  plan.find_known(dataset, observer);
  if (observer.stopped()) return fail_stopped("ranking", dataset.name);
  return plan;
}

void RankingPlan::make_groups(RelationId relations) {
  asked_.reserve(2 * facts_.size());
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    const Fact& fact = facts_[i];
    asked_.push_back({{fact.relation, fact.subject}, fact.object, 2 * i});
    asked_.push_back({{relations + fact.relation, fact.object}, fact.subject, 2 * i + 1});
  }
  std::sort(asked_.begin(), asked_.end());
  for (std::size_t first = 0; first < asked_.size();) {
    std::size_t last = first + 1;
    while (last < asked_.size() && asked_[last].query == asked_[first].query) ++last;
    groups_.push_back({first, last});
    first = last;
  }
}

void RankingPlan::make_batches() {
  const std::size_t most = std::clamp<std::size_t>(most_scores / entities_, 1, options_.batch);
  const std::size_t least = std::min(least_batch, most);
  for (std::size_t first = 0; first < groups_.size();) {
    const std::size_t size = std::clamp((groups_.size() - first) / batches_left, least, most);
    std::size_t last = first + 1;
    while (last < groups_.size() && last - first < size &&
           query(last).target == query(first).target) {
      ++last;
    }
    batches_.push_back({first, last});
    first = last;
  }
}

void RankingPlan::find_known(const Dataset& dataset, const Observer& observer) {
  const unsigned workers = worker_count(options_.threads);
  const std::vector<std::vector<Known>> found =
      find_answers(GroupTable(*this), dataset, workers, observer);
  known_places_.assign(groups(), {});
  std::size_t all = 0;
  for (const std::vector<Known>& some : found) {
    for (const Known& known : some) ++known_places_[known.group].last;
    all += some.size();
  }
  std::size_t place = 0;
  for (Range& range : known_places_) {
    range.first = place;
    place += range.last;
    range.last = range.first;
  }
  known_.resize(all);
  for (const std::vector<Known>& some : found) {
    for (const Known& known : some)
      known_[known_places_[known.group].last++] = {query(known.group).target, known.answer};
  }
  // A fact may stand in several splits.
  run_blocks(groups(), 1024, workers, [&](unsigned, std::size_t first, std::size_t last) {
    for (std::size_t group = first; group < last; ++group) {
      Range& range = known_places_[group];
      const auto begin = known_.begin() + static_cast<std::ptrdiff_t>(range.first);
      const auto end = known_.begin() + static_cast<std::ptrdiff_t>(range.last);
      std::sort(begin, end);
      range.last = static_cast<std::size_t>(std::unique(begin, end) - known_.begin());
    }
  });
}

}  // namespace lerpp
