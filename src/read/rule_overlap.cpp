// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lerp/base/json.hpp>
#include <lerp/logic/english.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/read/rule_overlap.hpp>

#include "read/body_pairs.hpp"

namespace lerpp {
namespace {

/// The share of the starts from which the pairs of a body can be listed in about so many steps.
double listing_share(const Rule& rule, Evaluator& evaluator, double steps) {
  if (!rule.is_pair()) return affordable_share(rule, evaluator.graph(), steps);
  const auto size = [&](std::size_t end) {
    return static_cast<double>(evaluator(rule.constraints()[end]).count());
  };
  // Each start looks at every entity.
  const double all = size(0) * static_cast<double>(evaluator.graph().entities());
  return all <= steps ? 1 : steps / all;
}

/// The pairs that a rule finds, by their start.
class Found {
 public:
  Found(const Rule& rule, Evaluator& evaluator, double share)
      : first_(evaluator.graph().entities() + std::size_t{1}) {
    BodyPairs(rule, evaluator, share).for_each([&](EntityId x, EntityId y) {
      ++first_[x + std::size_t{1}];
      ends_.push_back(y);
    });
    for (std::size_t x = 1; x < first_.size(); ++x) first_[x] += first_[x - 1];
  }

  std::size_t size() const { return ends_.size(); }
  std::span<const EntityId> from(EntityId x) const {
    return {ends_.data() + first_[x], ends_.data() + first_[x + std::size_t{1}]};
  }
  /// Of a smaller sample of the starts.
  std::uint64_t size_of(double share) const {
    std::uint64_t count = 0;
    for (EntityId x = 0; x + std::size_t{1} < first_.size(); ++x) {
      if (in_sample(x, share)) count += from(x).size();
    }
    return count;
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<EntityId> ends_;
};

/// Marks the ends of one start after the other.
class Marks {
 public:
  explicit Marks(const Found& found, EntityId entities) : found_(found), marked_(entities, none) {}

  bool has(EntityId x, EntityId y) {
    if (x != at_) {
      at_ = x;
      for (const EntityId end : found_.from(x)) marked_[end] = x;
    }
    return marked_[y] == x;
  }
  void start_again() {
    at_ = none;
    std::ranges::fill(marked_, none);
  }

 private:
  static constexpr EntityId none = static_cast<EntityId>(-1);
  const Found& found_;
  std::vector<EntityId> marked_;
  EntityId at_ = none;
};

}  // namespace

Result<RuleOverlap> rule_overlap(const Rule& rule, std::span<const Rule> others,
                                 const KnownGraph& known, double work, const Observer& observer) {
  const Graph& graph = known.graph();
  const RelationId relations = graph.relations();
  Evaluator evaluator(graph);
  RuleOverlap overlap{canonical(rule, relations)};
  overlap.counted = listing_share(overlap.rule, evaluator, work);
  const Found found(overlap.rule, evaluator, overlap.counted);
  overlap.pairs = found.size();
  Marks marks(found, graph.entities());
  for (const Rule& given : others) {
    if (observer.stopped()) return fail_stopped("comparing rules");
    RuleOverlap::Other other{canonical(given, relations)};
    if (other.rule.target() != overlap.rule.target() ||
        same_rule(other.rule, overlap.rule, relations)) {
      continue;
    }
    other.counted = std::min(overlap.counted, listing_share(other.rule, evaluator, work));
    other.own = found.size_of(other.counted);
    marks.start_again();
    BodyPairs(other.rule, evaluator, other.counted).for_each([&](EntityId x, EntityId y) {
      ++other.pairs;
      other.common += marks.has(x, y) ? 1 : 0;
    });
    if (other.common > 0) overlap.others.push_back(std::move(other));
  }
  std::ranges::stable_sort(overlap.others, std::greater<>(), &RuleOverlap::Other::likeness);
  return overlap;
}

Json to_json(const RuleOverlap& overlap, const Dataset& dataset, std::size_t top) {
  const Names names = {dataset.relations, dataset.entities};
  Json json = {{"rule", to_text(overlap.rule, names)},
               {"pairs", overlap.pairs},
               {"counted", overlap.counted},
               {"total", overlap.others.size()},
               {"others", Json::array()}};
  for (std::size_t i = 0; i < std::min(top, overlap.others.size()); ++i) {
    const RuleOverlap::Other& other = overlap.others[i];
    json["others"].push_back({{"rule", to_text(other.rule, names)},
                              {"english", to_english(other.rule, names)},
                              {"pairs", other.pairs},
                              {"common", other.common},
                              {"share_of_own", other.share_of_own()},
                              {"share_of_other", other.share_of_other()},
                              {"counted", other.counted}});
  }
  return json;
}

}  // namespace lerpp
