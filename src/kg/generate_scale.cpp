// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include <lerp/base/parallel.hpp>
#include <lerp/kg/generate.hpp>

#include "base/pieces.hpp"
#include "kg/scale_draw.hpp"

namespace lerpp {
namespace {

constexpr std::uint64_t order_stream = 0;
constexpr std::uint64_t shuffle_stream = 2;
constexpr std::uint64_t planted_stream = 16;
constexpr std::uint64_t random_stream = std::uint64_t{1} << 32U;

constexpr std::uint64_t held_out_of = 20;  ///< one fact in so many for valid, and for test
constexpr std::uint64_t most_held_out = 20'000;

std::uint64_t draws_of(const std::vector<scale::Group>& groups) {
  std::uint64_t draws = 0;
  for (const scale::Group& group : groups) draws += group.drawn;
  return draws;
}

/// Draws all groups and appends their facts in the order of the groups.
void draw_all(scale::Drawer& drawer, const std::vector<scale::Group>& groups, std::uint64_t stream,
              const scale::Coverage& coverage, std::vector<Fact>& facts) {
  std::vector<std::uint64_t> offsets = {0};
  for (const scale::Group& group : groups) offsets.push_back(offsets.back() + group.drawn);
  std::vector<std::vector<Fact>> drawn(groups.size());
  run_blocks(groups.size(), 1, worker_count(0), [&](unsigned worker, std::size_t i, std::size_t) {
    if (drawer.stopped()) return;
    drawn[i] = drawer.draw(groups[i], stream + i, coverage, offsets[i], worker);
  });
  for (std::vector<Fact>& part : drawn) {
    facts.insert(facts.end(), part.begin(), part.end());
    std::vector<Fact>().swap(part);
  }
}

/// Random::shuffle with an ear for the observer. Places are drawn some ahead, so that their memory
/// is on its way when they are swapped.
template <class T>
bool shuffle(std::vector<T>& items, Random random, const Observer& observer) {
  constexpr std::size_t ahead = 64;
  std::array<std::size_t, ahead> places;
  return in_pieces(0, items.size(), observer, [&](std::size_t from, std::size_t to) {
    while (from < to) {
      const std::size_t count = std::min(ahead, to - from);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t left = items.size() - from - i;
        places[i] = left > 1 ? random.below(left) : 0;
        __builtin_prefetch(&items[places[i]], 1);
      }
      for (std::size_t i = 0; i < count; ++i) {
        std::swap(items[items.size() - from - i - 1], items[places[i]]);
      }
      from += count;
    }
  });
}

/// Names those that facts mention, "e17"; returns the numbers they have now.
template <class Count>
std::vector<std::uint32_t> name_all(Vocabulary& names, char letter,
                                    const std::vector<Count>& counts, const Observer& observer) {
  std::vector<std::uint32_t> numbers(counts.size());
  names.reserve(counts.size(), counts.size() * 8);
  fmt::memory_buffer name;
  in_pieces(0, counts.size(), observer, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (counts[i] == 0) continue;
      name.clear();
      fmt::format_to(std::back_inserter(name), "{}{}", letter, i);
      numbers[i] = names.intern({name.data(), name.size()});
    }
  });
  return numbers;
}

/// Numbers the facts by the names of those that facts mention.
void name_all(Dataset& dataset, const std::vector<std::uint32_t>& degrees,
              const std::vector<std::uint64_t>& sizes, const Observer& observer) {
  const std::vector<EntityId> entities = name_all(dataset.entities, 'e', degrees, observer);
  const std::vector<RelationId> relations = name_all(dataset.relations, 'r', sizes, observer);
  if (dataset.entities.size() == degrees.size() && dataset.relations.size() == sizes.size()) return;
  const unsigned workers = worker_count(0);
  run_workers(workers, [&](unsigned worker) {
    for (std::vector<Fact>& split : dataset.splits) {
      const auto [first, last] = slice(split.size(), worker, workers);
      in_pieces(first, last, observer, [&](std::size_t from, std::size_t to) {
        for (Fact& fact : std::span(split).subspan(from, to - from)) {
          fact = {entities[fact.subject], relations[fact.relation], entities[fact.object]};
        }
      });
    }
  });
}

/// Deals shuffled facts out to the splits; what learning would never see stays in train. Leaves
/// the degrees and sizes of train.
void deal(Dataset& dataset, std::vector<Fact> facts, std::vector<std::uint32_t>& degrees,
          std::vector<std::uint64_t>& sizes) {
  const std::uint64_t wanted = std::min<std::uint64_t>(facts.size() / held_out_of, most_held_out);
  auto kept = facts.begin();
  auto next = facts.begin();
  for (const Split split : {Split::valid, Split::test}) {
    std::vector<Fact>& held = dataset[split];
    for (; next != facts.end() && held.size() < wanted; ++next) {
      std::uint32_t& subject = degrees[next->subject];
      std::uint32_t& object = degrees[next->object];
      if (subject < 2 || object < 2 || sizes[next->relation] < 2) {
        *kept++ = *next;
        continue;
      }
      held.push_back(*next);
      --subject;
      --object;
      --sizes[next->relation];
    }
  }
  facts.erase(kept, next);
  dataset[Split::train] = std::move(facts);
}

/// Deals the facts out to the splits of a dataset, and names what they mention.
Result<void> finish(Dataset& dataset, std::vector<Fact> facts, std::uint64_t entities,
                    const ScaleOptions& options, const Observer& observer) {
  observer.report({"splitting", 0, facts.size(), "facts", {}});
  if (!shuffle(facts, Random(options.seed, shuffle_stream), observer))
    return fail_stopped("generating");
  dataset.name = fmt::format("scale-{}", options.facts);
  dataset.format = "generated";
  std::vector<std::uint32_t> degrees(entities);
  std::vector<std::uint64_t> sizes(options.relations);
  in_pieces(0, facts.size(), observer, [&](std::size_t from, std::size_t to) {
    for (const Fact& fact : std::span(facts).subspan(from, to - from)) {
      ++degrees[fact.subject];
      ++degrees[fact.object];
      ++sizes[fact.relation];
    }
  });
  if (observer.stopped()) return fail_stopped("generating");
  deal(dataset, std::move(facts), degrees, sizes);
  name_all(dataset, degrees, sizes, observer);
  if (observer.stopped()) return fail_stopped("generating");
  return {};
}

}  // namespace

Result<Generated> generate_scale(const ScaleOptions& options, const Observer& observer) {
  LERP_CHECK(check_options(options));
  const std::uint64_t entities = scale::entity_count(options);
  const std::uint64_t most = scale::most_facts(entities, options.relations);
  if (entities < 2 || options.facts > most) {
    return fail(fmt::format("{} facts are too many for {} entities and {} relations, where at most "
                            "{} fit",
                            options.facts, entities, options.relations, entities < 2 ? 0 : most),
                "", "ask for more entities or relations, or fewer facts", ErrorKind::usage);
  }

  std::vector<EntityId> order(entities);
  std::iota(order.begin(), order.end(), EntityId{0});
  if (!shuffle(order, Random(options.seed, order_stream), observer))
    return fail_stopped("generating");
  scale::Drawer drawer(options.seed, options.skew, order, observer, options.facts);
  const scale::Plan plan = scale::make_plan(options, entities);

  Generated generated;
  std::vector<Fact> facts;
  facts.reserve(options.facts);
  std::uint64_t planned = 0;
  for (const scale::Group& group : plan.planted) {
    planned += group.facts();
    group.append_rules(generated.rules);
  }
  assert(planned <= options.facts);
  // The entities are covered by planted and random facts alike, each in proportion.
  const std::uint64_t planted_draws = draws_of(plan.planted);
  const std::uint64_t draws = planted_draws + (options.facts - planned);
  const EntityId covered = scale::Coverage{0, entities, draws}.at(planted_draws);
  draw_all(drawer, plan.planted, planted_stream,
           {0, covered, std::max<std::uint64_t>(1, planted_draws)}, facts);
  if (observer.stopped()) return fail_stopped("generating");

  std::vector<scale::Group> rest;
  const std::vector<std::uint64_t> parts = zipf_parts(
      options.facts - facts.size(), plan.random.size(), options.skew, entities * (entities - 1));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] > 0) rest.push_back({scale::Kind::random, {plan.random[i]}, parts[i]});
  }
  draw_all(drawer, rest, random_stream,
           {covered, entities, std::max<std::uint64_t>(1, draws_of(rest))}, facts);
  if (observer.stopped()) return fail_stopped("generating");

  LERP_CHECK(finish(generated.dataset, std::move(facts), entities, options, observer));
  return generated;
}

}  // namespace lerpp
