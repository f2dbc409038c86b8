// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <lerp/kg/generate.hpp>

#include "base/random.hpp"
#include "kg/family_world.hpp"

namespace lerpp {
namespace {

// As in the Family benchmark.
constexpr double known_share = 0.62;
constexpr double train_share = 0.21;
constexpr double valid_share = 0.07;

std::size_t share(std::size_t count, double part) {
  return static_cast<std::size_t>(std::llround(static_cast<double>(count) * part));
}

/// Moves facts about an entity or a relation that learning would never see to the known facts.
void make_seen(Dataset& dataset) {
  std::vector<bool> seen(dataset.entities.size());
  std::vector<bool> seen_relation(dataset.relations.size());
  const auto see = [&](const Fact& fact) {
    seen[fact.subject] = seen[fact.object] = true;
    seen_relation[fact.relation] = true;
  };
  for (const Split split : {Split::facts, Split::train}) {
    for (const Fact& fact : dataset[split]) see(fact);
  }
  for (const Split split : {Split::valid, Split::test}) {
    std::size_t kept = 0;
    for (const Fact& fact : dataset[split]) {
      if (seen[fact.subject] && seen[fact.object] && seen_relation[fact.relation]) {
        dataset[split][kept++] = fact;
      } else {
        see(fact);
        dataset[Split::facts].push_back(fact);
      }
    }
    dataset[split].resize(kept);
  }
}

}  // namespace

Generated generate_family(const FamilyOptions& options) {
  const family::World world = family::make_world(options);
  std::vector<Fact> facts = family::true_facts(world);
  Random random(options.seed, 1);
  random.shuffle(facts);
  facts.resize(facts.size() - share(facts.size(), options.gaps));

  Generated generated;
  Dataset& dataset = generated.dataset;
  dataset.name = "family";
  dataset.format = "generated";
  for (const std::string_view relation : family::relation_names) dataset.relations.intern(relation);

  // Only people whom some fact mentions, so that the files hold the whole dataset.
  std::vector<EntityId> ids(world.people.size(), Vocabulary::none);
  for (const Fact& fact : facts) ids[fact.subject] = ids[fact.object] = 0;
  const std::vector<std::string> names = family::names(world);
  for (std::size_t person = 0; person < ids.size(); ++person) {
    if (ids[person] == 0) ids[person] = dataset.entities.intern(names[person]);
  }

  const std::size_t known = share(facts.size(), known_share);
  const std::size_t train = known + share(facts.size(), train_share);
  const std::size_t valid = train + share(facts.size(), valid_share);
  for (std::size_t place = 0; place < facts.size(); ++place) {
    const Split split = place < known   ? Split::facts
                        : place < train ? Split::train
                        : place < valid ? Split::valid
                                        : Split::test;
    const Fact& fact = facts[place];
    dataset[split].push_back({ids[fact.subject], fact.relation, ids[fact.object]});
  }
  make_seen(dataset);
  generated.rules = family::true_rules();
  return generated;
}

}  // namespace lerpp
