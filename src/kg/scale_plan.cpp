// SPDX-License-Identifier: Apache-2.0
#include "kg/scale_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/random.hpp"
#include "kg/zipf.hpp"

namespace lerpp::scale {
namespace {

constexpr std::uint64_t relations_of_role_stream = 1;
constexpr std::uint64_t least_entities = 16;
constexpr std::uint64_t least_group = 8;       ///< facts that are worth a rule
constexpr std::uint64_t facts_per_group = 64;  ///< before there are several groups of a kind
/// Facts of the first relation of a composition for one of the second.
constexpr std::uint64_t fan_in = 4;
constexpr double composed_share = 0.4;  ///< of the planted facts, the rest mirrored
/// Of the other facts, as many composed ones as leave room for their sources.
constexpr double composed_limit = 0.55;

std::uint64_t share(std::uint64_t count, double part) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * part));
}

}  // namespace

std::uint64_t Group::facts() const {
  switch (kind) {
    case Kind::random:
      return drawn;
    case Kind::symmetric:
    case Kind::inverse:
      return 2 * drawn;
    case Kind::composition:
      return 2 * drawn + functional;
  }
  return 0;
}

void Group::append_rules(std::vector<std::string>& rules) const {
  const auto [a, b, c] = relations;
  switch (kind) {
    case Kind::random:
      return;
    case Kind::symmetric:
      rules.push_back(fmt::format("r{0}(y,x) ⇒ r{0}(x,y)", a));
      return;
    case Kind::inverse:
      rules.push_back(fmt::format("r{}(y,x) ⇒ r{}(x,y)", a, b));
      rules.push_back(fmt::format("r{}(y,x) ⇒ r{}(x,y)", b, a));
      return;
    case Kind::composition:
      rules.push_back(fmt::format("r{}(x,z) ∧ r{}(z,y) ⇒ r{}(x,y)", a, b, c));
      return;
  }
}

std::uint64_t most_facts(std::uint64_t entities, std::uint64_t relations) {
  __extension__ using Wide = unsigned __int128;
  const Wide most = static_cast<Wide>(relations) * entities * (entities - 1) / 10;
  return static_cast<std::uint64_t>(
      std::min<Wide>(most, std::numeric_limits<std::uint64_t>::max()));
}

std::uint64_t entity_count(const ScaleOptions& options) {
  if (options.entities > 0) return options.entities;
  std::uint64_t entities = std::max(least_entities, options.facts / 10);
  while (most_facts(entities, options.relations) < options.facts) ++entities;
  return entities;
}

Plan make_plan(const ScaleOptions& options, std::uint64_t entities) {
  std::vector<RelationId> relations(options.relations);
  for (RelationId r = 0; r < options.relations; ++r) relations[r] = r;
  Random random(options.seed, relations_of_role_stream);
  random.shuffle(relations);
  const auto take = [&] {
    const RelationId relation = relations.back();
    relations.pop_back();
    return relation;
  };

  Plan plan;
  const std::uint64_t planted = share(options.facts, options.planted);
  const std::uint64_t count = planted == 0
                                  ? 0
                                  : std::clamp<std::uint64_t>(planted / facts_per_group, 1,
                                                              std::max(1U, options.relations / 10));
  const bool composing = options.relations >= 7 && entities >= least_entities;
  const std::uint64_t composed =
      composing
          ? std::min(share(planted, composed_share), share(options.facts - planted, composed_limit))
          : 0;
  const std::uint64_t mirrored = (planted - composed) / 2;
  const std::uint64_t pairs = entities * (entities - 1) / 2;
  for (const std::uint64_t size : zipf_parts(composed, count, options.skew, pairs / 2)) {
    if (size < least_group) continue;
    // Some ends coincide, which makes about one composed fact in fifty less.
    const std::uint64_t drawn = share(size, 1.02 / composition_confidence);
    plan.planted.push_back(
        {Kind::composition, {take(), take(), take()}, drawn, std::min(entities, drawn / fan_in)});
  }
  for (const std::uint64_t size : zipf_parts(mirrored, count, options.skew, pairs)) {
    if (size >= least_group) plan.planted.push_back({Kind::inverse, {take(), take()}, size / 2});
  }
  for (const std::uint64_t size : zipf_parts(mirrored, count, options.skew, pairs)) {
    if (size >= least_group) plan.planted.push_back({Kind::symmetric, {take()}, size / 2});
  }
  plan.random = std::move(relations);
  return plan;
}

}  // namespace lerpp::scale
