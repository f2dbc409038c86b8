// SPDX-License-Identifier: Apache-2.0
#include "events/function_readings.hpp"

#include <algorithm>
#include <map>

#include <lerp/logic/simplify.hpp>

#include "events/corpus.hpp"

namespace lerpp {
namespace {

/// The likeliest readings, those that say the same taken together.
std::vector<BodyReading> best_of(std::vector<BodyReading> readings, std::size_t count) {
  std::map<Formula, double> shares;
  for (const BodyReading& reading : readings) shares[simplify(reading.formula)] += reading.share;
  readings.clear();
  for (const auto& [formula, share] : shares) readings.push_back({share, formula});
  std::stable_sort(
      readings.begin(), readings.end(),
      [](const BodyReading& left, const BodyReading& right) { return left.share > right.share; });
  if (readings.size() > count) readings.resize(count);
  return readings;
}

class FunctionReader {
 public:
  FunctionReader(const EventFunctions& functions, std::size_t count)
      : functions_(functions), shape_(functions.shape()), count_(count) {}

  /// The readings of every function in the last column.
  std::vector<std::vector<BodyReading>> read() const {
    std::vector<std::vector<BodyReading>> column(shape_.width);
    for (std::size_t i = 0; i < shape_.width; ++i) {
      for (const auto& [share, type] : largest(functions_.raw().start(), i)) {
        column[i].push_back({share, has_type(shape_, static_cast<LabelId>(type))});
      }
    }
    for (std::uint32_t j = 1; j <= shape_.columns; ++j) {
      std::vector<std::vector<BodyReading>> next;
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

  std::vector<BodyReading> next_of(const std::vector<std::vector<BodyReading>>& before,
                                   std::uint32_t j, std::size_t i) const {
    const Parameters<float>& layout = functions_.raw();
    const std::span<const float> p = functions_.shares(layout.p(j), i);
    std::vector<BodyReading> readings = {{double{p[0]}, Formula::truth()}};
    const auto operators = largest(layout.alpha(j), i);
    for (const BodyReading& own : before[i]) {
      for (const auto& [part, op] : operators) {
        readings.push_back(
            {double{p[1]} * part * own.share,
             Formula::exists(corpus_operator_of_function(shape_, static_cast<OperatorId>(op)),
                             own.formula)});
      }
      readings.push_back({double{p[2]} * own.share, Formula::negation(own.formula)});
      readings.push_back({double{p[3]} * own.share, own.formula});
    }
    join(before, i, layout.beta_and(j), double{p[4]}, &Formula::conjunction, readings);
    join(before, i, layout.beta_or(j), double{p[5]}, &Formula::disjunction, readings);
    return best_of(std::move(readings), count_);
  }

  /// "And" or "or", with each of the likeliest partners.
  void join(const std::vector<std::vector<BodyReading>>& before, std::size_t i,
            std::size_t partners, double operation, Formula (*both)(std::vector<Formula>),
            std::vector<BodyReading>& readings) const {
    for (const auto& [part, k] : largest(partners, i)) {
      for (const BodyReading& own : before[i]) {
        for (const BodyReading& other : before[k]) {
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

std::vector<std::vector<BodyReading>> body_readings(const EventFunctions& functions,
                                                    std::size_t per_function) {
  return FunctionReader(functions, per_function).read();
}

}  // namespace lerpp
