#include "events/equation_candidates.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include <lerp/logic/simplify.hpp>

namespace lerpp {
namespace {

/// One step to a type, or two over an entity; a single step has no second operator.
struct Pattern {
  OperatorId first = 0;
  OperatorId second = 0;
  LabelId type = 0;
  bool two = false;

  auto operator<=>(const Pattern&) const = default;
};

Formula body_of(const Pattern& pattern, const EventShape& shape) {
  const Formula end = has_type(shape, pattern.type);
  if (!pattern.two) return Formula::exists(pattern.first, end);
  return Formula::exists(pattern.first, Formula::exists(pattern.second, end));
}

class PatternCounter {
 public:
  PatternCounter(const NodeCorpus& corpus, const EventShape& shape)
      : corpus_(corpus), shape_(shape), is_(is_operator(shape)) {
    entity_sides_.resize(corpus.types.size());
  }

  const std::map<Pattern, std::size_t>& count() {
    for (std::size_t node = 0; node < corpus_.types.size(); ++node) {
      if (corpus_.types[node] < shape_.sizes.event_types) count_event(node);
    }
    return counts_;
  }

 private:
  bool is_event(std::size_t node) const { return corpus_.types[node] < shape_.sizes.event_types; }

  std::span<const Edge> edges(std::size_t node) const {
    return corpus_.graph.edges(corpus_.first_node + static_cast<EntityId>(node));
  }

  /// Which kinds of event an entity takes part in, and how: found once, however many ask. Central
  /// entities would otherwise cost the square of their links.
  const std::set<std::pair<OperatorId, LabelId>>& sides_of(std::size_t entity) {
    auto& sides = entity_sides_[entity];
    if (!sides.empty()) return sides;
    for (const Edge& edge : edges(entity)) {
      if (edge.op == is_) continue;
      const std::size_t other = edge.target - corpus_.first_node;
      if (is_event(other)) sides.insert({edge.op, corpus_.types[other]});
    }
    return sides;
  }

  void count_event(std::size_t event) {
    std::set<Pattern> held;
    for (const Edge& edge : edges(event)) {
      if (edge.op == is_) continue;
      const std::size_t other = edge.target - corpus_.first_node;
      held.insert({edge.op, 0, corpus_.types[other], false});
      if (is_event(other)) continue;
      for (const auto& [op, type] : sides_of(other)) {
        // The event itself is no news of its own entity.
        const bool itself = op == corpus_.graph.inverse(edge.op) && type == corpus_.types[event];
        if (!itself) held.insert({edge.op, op, type, true});
      }
    }
    for (const Pattern& pattern : held) ++counts_[pattern];
  }

  const NodeCorpus& corpus_;
  const EventShape& shape_;
  OperatorId is_;
  std::vector<std::set<std::pair<OperatorId, LabelId>>> entity_sides_;
  std::map<Pattern, std::size_t> counts_;
};

/// A formula and the product of the shares that it takes.
struct Reading {
  double share = 0;
  Formula formula;
};

/// The likeliest readings, those that say the same taken together.
std::vector<Reading> best_of(std::vector<Reading> readings, std::size_t count) {
  std::map<Formula, double> shares;
  for (const Reading& reading : readings) shares[simplify(reading.formula)] += reading.share;
  readings.clear();
  for (const auto& [formula, share] : shares) readings.push_back({share, formula});
  std::stable_sort(readings.begin(), readings.end(), [](const Reading& left, const Reading& right) {
    return left.share > right.share;
  });
  if (readings.size() > count) readings.resize(count);
  return readings;
}

class FunctionReader {
 public:
  FunctionReader(const EventFunctions& functions, std::size_t count)
      : functions_(functions), shape_(functions.shape()), count_(count) {}

  /// The readings of every function in the last column.
  std::vector<std::vector<Reading>> read() const {
    std::vector<std::vector<Reading>> column(shape_.width);
    for (std::size_t i = 0; i < shape_.width; ++i) {
      for (const auto& [share, type] : largest(functions_.raw().start(), i)) {
        column[i].push_back({share, has_type(shape_, static_cast<LabelId>(type))});
      }
    }
    for (std::uint32_t j = 1; j <= shape_.columns; ++j) {
      std::vector<std::vector<Reading>> next;
      for (std::size_t i = 0; i < shape_.width; ++i) next.push_back(next_of(column, j, i));
      column = std::move(next);
    }
    return column;
  }

 private:
  /// The largest shares of a softmax with what they are shares of.
  std::vector<std::pair<double, std::size_t>> largest(std::size_t tensor, std::size_t i) const {
    std::vector<std::pair<double, std::size_t>> choices;
    for (const float share : functions_.shares(tensor, i)) {
      choices.emplace_back(double{share}, choices.size());
    }
    std::stable_sort(choices.begin(), choices.end(),
                     [](const auto& left, const auto& right) { return left.first > right.first; });
    if (choices.size() > count_) choices.resize(count_);
    return choices;
  }

  /// The model's operator r leads from y to x: `r(y, x)`; formulas see it from x.
  OperatorId seen_from_here(std::size_t op) const {
    const bool forwards = op < shape_.relations();
    const auto relation = static_cast<LabelId>(forwards ? op : op - shape_.relations());
    return corpus_operator(shape_, relation, forwards);
  }

  std::vector<Reading> next_of(const std::vector<std::vector<Reading>>& before, std::uint32_t j,
                               std::size_t i) const {
    const Parameters<float>& layout = functions_.raw();
    const std::span<const float> p = functions_.shares(layout.p(j), i);
    std::vector<Reading> readings = {{double{p[0]}, Formula::truth()}};
    const auto operators = largest(layout.alpha(j), i);
    for (const Reading& own : before[i]) {
      for (const auto& [part, op] : operators) {
        readings.push_back(
            {double{p[1]} * part * own.share, Formula::exists(seen_from_here(op), own.formula)});
      }
      readings.push_back({double{p[2]} * own.share, Formula::negation(own.formula)});
      readings.push_back({double{p[3]} * own.share, own.formula});
    }
    join(before, i, layout.beta_and(j), double{p[4]}, &Formula::conjunction, readings);
    join(before, i, layout.beta_or(j), double{p[5]}, &Formula::disjunction, readings);
    return best_of(std::move(readings), count_);
  }

  /// "And" or "or", with each of the likeliest partners.
  void join(const std::vector<std::vector<Reading>>& before, std::size_t i, std::size_t partners,
            double operation, Formula (*both)(std::vector<Formula>),
            std::vector<Reading>& readings) const {
    for (const auto& [part, k] : largest(partners, i)) {
      for (const Reading& own : before[i]) {
        for (const Reading& other : before[k]) {
          readings.push_back(
              {operation * part * own.share * other.share, both({own.formula, other.formula})});
        }
      }
    }
  }

  const EventFunctions& functions_;
  const EventShape& shape_;
  std::size_t count_;
};

}  // namespace

std::vector<Formula> frequent_bodies(const NodeCorpus& corpus, const EventShape& shape,
                                     std::size_t least_support, std::size_t most) {
  PatternCounter counter(corpus, shape);
  std::vector<std::pair<std::size_t, Pattern>> found;
  for (const auto& [pattern, count] : counter.count()) {
    if (count >= least_support) found.emplace_back(count, pattern);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& left, const auto& right) { return left.first > right.first; });
  if (found.size() > most) found.resize(most);
  std::vector<Formula> bodies;
  bodies.reserve(found.size());
  for (const auto& [count, pattern] : found) bodies.push_back(body_of(pattern, shape));
  return bodies;
}

std::vector<Formula> function_bodies(const EventFunctions& functions, std::size_t per_function) {
  std::vector<Formula> bodies;
  std::unordered_set<Formula> seen;
  for (const auto& readings : FunctionReader(functions, per_function).read()) {
    for (const Reading& reading : readings) {
      if (seen.insert(reading.formula).second) bodies.push_back(reading.formula);
    }
  }
  return bodies;
}

}  // namespace lerpp
