#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include <lerp/base/parallel.hpp>
#include <lerp/kg/generate.hpp>

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

/// Keeps the names of those that facts mention, and numbers the facts by them.
void name_all(Dataset& dataset, const std::vector<std::uint32_t>& degrees,
              const std::vector<std::uint64_t>& sizes) {
  std::vector<EntityId> entities(degrees.size());
  dataset.entities.reserve(degrees.size(), degrees.size() * 8);
  for (std::size_t e = 0; e < degrees.size(); ++e) {
    if (degrees[e] > 0) entities[e] = dataset.entities.intern(fmt::format("e{}", e));
  }
  std::vector<RelationId> relations(sizes.size());
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    if (sizes[r] > 0) relations[r] = dataset.relations.intern(fmt::format("r{}", r));
  }
  for (std::vector<Fact>& split : dataset.splits) {
    for (Fact& fact : split) {
      fact = {entities[fact.subject], relations[fact.relation], entities[fact.object]};
    }
  }
}

/// Deals shuffled facts out to the splits; what learning would never see stays in train. Leaves
/// the degrees and sizes of train.
void deal(Dataset& dataset, std::vector<Fact> facts, std::vector<std::uint32_t>& degrees,
          std::vector<std::uint64_t>& sizes) {
  const std::uint64_t wanted = std::min<std::uint64_t>(facts.size() / held_out_of, most_held_out);
  std::size_t kept = 0;
  for (const Fact& fact : facts) {
    std::vector<Fact>* held = nullptr;
    for (const Split split : {Split::valid, Split::test}) {
      if (held == nullptr && dataset[split].size() < wanted) held = &dataset[split];
    }
    std::uint32_t& subject = degrees[fact.subject];
    std::uint32_t& object = degrees[fact.object];
    if (held == nullptr || subject < 2 || object < 2 || sizes[fact.relation] < 2) {
      facts[kept++] = fact;
      continue;
    }
    held->push_back(fact);
    --subject;
    --object;
    --sizes[fact.relation];
  }
  facts.resize(kept);
  dataset[Split::train] = std::move(facts);
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
  for (EntityId e = 0; e < entities; ++e) order[e] = e;
  Random(options.seed, order_stream).shuffle(order);
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

  observer.report({"splitting", 0, facts.size(), "facts", {}});
  Random(options.seed, shuffle_stream).shuffle(facts);
  Dataset& dataset = generated.dataset;
  dataset.name = fmt::format("scale-{}", options.facts);
  dataset.format = "generated";
  std::vector<std::uint32_t> degrees(entities);
  std::vector<std::uint64_t> sizes(options.relations);
  for (const Fact& fact : facts) {
    ++degrees[fact.subject];
    ++degrees[fact.object];
    ++sizes[fact.relation];
  }
  deal(dataset, std::move(facts), degrees, sizes);
  name_all(dataset, degrees, sizes);
  return generated;
}

}  // namespace lerpp
