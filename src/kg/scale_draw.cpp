// SPDX-License-Identifier: Apache-2.0
#include "kg/scale_draw.hpp"

#include <algorithm>

namespace lerpp::scale {
namespace {

constexpr std::uint64_t facts_per_tick = 1 << 16;
/// Looks by popularity before a draw becomes even: hubs run out of partners.
constexpr int popular_looks = 4;
/// Even looks before a prescribed subject is given up, and before a free pair is searched for.
constexpr int subject_looks = 64;
constexpr int even_looks = 256;

/// Draws distinct pairs. The objects are as many entities as `objects` has ranks, the first of them
/// at place `shift` of the order.
class Pairs {
 public:
  Pairs(Random& random, const std::vector<EntityId>& order, const Zipf& subjects,
        const Zipf& objects, std::uint64_t shift, std::uint64_t count, bool unordered)
      : random_(random),
        order_(order),
        subjects_(subjects),
        objects_(objects),
        shift_(shift),
        unordered_(unordered),
        taken_(count) {}

  Fact draw(RelationId relation, bool prescribed, EntityId due) {
    EntityId subject = due;
    EntityId object = due;
    for (int look = 0;; ++look) {
      if (look < even_looks) {
        const bool popular = look < popular_looks;
        if (!prescribed || look >= subject_looks) {
          subject = order_[popular ? subjects_.draw(random_) : random_.below(subjects_.count())];
        }
        rank_ = popular ? objects_.draw(random_) : random_.below(objects_.count());
      } else if (++rank_ == objects_.count()) {
        // Nearly all pairs are taken: walk to the next free one.
        rank_ = 0;
        subject = (subject + 1) % static_cast<EntityId>(order_.size());
      }
      object = order_[(rank_ + shift_) % order_.size()];
      if (subject == object) continue;
      const bool turn = unordered_ && subject > object;
      if (taken_.insert(turn ? object : subject, turn ? subject : object)) {
        return {subject, relation, object};
      }
    }
  }

 private:
  Random& random_;
  const std::vector<EntityId>& order_;
  const Zipf& subjects_;
  const Zipf& objects_;
  std::uint64_t shift_;
  bool unordered_;
  PairSet taken_;
  std::uint64_t rank_ = 0;
};

}  // namespace

EntityId Coverage::at(std::uint64_t draw) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<EntityId>(first +
                               static_cast<std::uint64_t>(Wide{last - first} * draw / draws));
}

bool Drawer::tick(std::uint64_t facts, unsigned worker) {
  const std::uint64_t done = done_ += facts;
  if (worker == 0) observer_.report({"drawing", std::min(done, total_), total_, "facts", {}});
  return !stopped();
}

std::vector<Fact> Drawer::draw(const Group& group, std::uint64_t stream, const Coverage& coverage,
                               std::uint64_t offset, unsigned worker) {
  Random random(seed_, stream);
  const bool composed = group.kind == Kind::composition;
  const Zipf middles(composed ? group.functional : 1, skew_);
  // Compositions meet in entities of their own, or all of them would burden the same hubs.
  const std::uint64_t shift = composed ? random.below(order_.size()) : 0;
  Pairs pairs(random, order_, popularity_, composed ? middles : popularity_, shift, group.drawn,
              group.kind == Kind::symmetric);
  std::vector<Fact> facts;
  facts.reserve(group.facts());
  for (std::uint64_t i = 0; i < group.drawn; ++i) {
    facts.push_back(
        pairs.draw(group.relations[0], coverage.due(offset + i), coverage.at(offset + i)));
    if ((i + 1) % facts_per_tick == 0 && !tick(facts_per_tick, worker)) return {};
  }
  std::vector<Fact> more;
  if (composed) {
    more = compose(group, random, shift, facts);
  } else if (group.kind != Kind::random) {
    const RelationId mirror = group.relations[group.kind == Kind::symmetric ? 0 : 1];
    for (const Fact& fact : facts) more.push_back({fact.object, mirror, fact.subject});
  }
  facts.insert(facts.end(), more.begin(), more.end());
  tick(group.drawn % facts_per_tick + more.size(), worker);
  return facts;
}

std::vector<Fact> Drawer::compose(const Group& group, Random& random, std::uint64_t shift,
                                  const std::vector<Fact>& first) {
  std::vector<Fact> facts;
  std::vector<EntityId> ends(order_.size());
  for (std::uint64_t rank = 0; rank < group.functional; ++rank) {
    if (rank % facts_per_tick == 0 && stopped()) return {};
    const EntityId middle = order_[(rank + shift) % order_.size()];
    do {
      // Evenly: middles that share a popular end would imply the same facts.
      ends[middle] = static_cast<EntityId>(random.below(order_.size()));
    } while (ends[middle] == middle);
    facts.push_back({middle, group.relations[1], ends[middle]});
  }
  PairSet composed(first.size());
  std::uint64_t looks = 0;
  for (const Fact& fact : first) {
    if (looks++ % facts_per_tick == 0 && stopped()) return {};
    const EntityId end = ends[fact.object];
    if (end == fact.subject || !composed.insert(fact.subject, end)) continue;
    if (random.chance(composition_confidence)) {
      facts.push_back({fact.subject, group.relations[2], end});
    }
  }
  return facts;
}

}  // namespace lerpp::scale
