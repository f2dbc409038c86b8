// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include <lerp/base/team.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/simplify.hpp>
#include <lerp/read/functions.hpp>

#include "model/functions.hpp"
#include "read/softmax.hpp"

namespace lerpp {
namespace {

/// A value that differs by no more than this between entities says nothing.
constexpr double least_spread = 0.01;
/// Of two readings that are as faithful, the shorter one: what a node must be worth.
constexpr double price_of_node = 0.002;
/// Branches of a column that weigh less than this share of the heaviest are not read.
constexpr double least_branch = 0.1;
constexpr std::size_t operators_tried = 8;
constexpr std::size_t operators_chained = 3;
constexpr std::size_t partners_tried = 2;
constexpr std::size_t inputs_tried = 2;

/// The six operations, in the order of the model.
enum Operation : std::size_t { op_true, op_chain, op_not, op_copy, op_and, op_or };

std::vector<std::size_t> heaviest(const std::vector<double>& weights, std::size_t most) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  order.resize(std::min(order.size(), most));
  return order;
}

/// The soft values of one function in one column, at the sampled entities.
struct Values {
  std::vector<float> of_entity;
  double mean = 0;
  double spread = 0;  ///< standard deviation

  explicit Values(std::vector<float> values) : of_entity(std::move(values)) {
    const auto count = static_cast<double>(of_entity.size());
    for (const float value : of_entity) mean += double{value} / count;
    for (const float value : of_entity) {
      const double off = double{value} - mean;
      spread += off * off / count;
    }
    spread = std::sqrt(spread);
  }
};

/// One way to read a function.
struct Reading {
  Formula formula;
  double correlation = -1;

  double score() const { return correlation - price_of_node * static_cast<double>(formula.size()); }
};

class FunctionReader {
 public:
  FunctionReader(const Model& model, const Graph& graph, const FunctionsOptions& options)
      : model_(model), graph_(graph), options_(options), evaluator_(graph), team_(options.threads) {
    const auto size = std::min<std::size_t>(graph.entities(), options.sample);
    for (std::size_t i = 0; i < size; ++i)
      sample_.push_back(static_cast<EntityId>(i * graph.entities() / size));
    FunctionWeights<float> weights(model.shape());
    weights.take(model.parameters);
    soft_.emplace(graph, model.shape());
    soft_->begin(weights, sample_, nullptr, true);
    soft_->forward(team_);
  }

  std::vector<FunctionReading> read() {
    const ModelShape& shape = model_.shape();
    for (std::uint32_t column = 1; column <= shape.depth; ++column) {
      std::vector<std::vector<Reading>> next;
      for (std::size_t i = 0; i < shape.width; ++i)
        next.push_back(column == 1 ? first_column(i) : next_column(column, i));
      beams_ = std::move(next);
    }
    std::vector<FunctionReading> result;
    for (std::size_t i = 0; i < shape.width; ++i) result.push_back(finish(i));
    return result;
  }

 private:
  Values values(std::uint32_t column, std::size_t i) const {
    std::vector<float> result;
    result.reserve(sample_.size());
    for (const EntityId entity : sample_) result.push_back(soft_->values(column, entity)[i]);
    return Values(std::move(result));
  }

  std::vector<double> weights(std::size_t tensor, std::size_t i) const {
    const std::size_t count = model_.parameters.tensors()[tensor].dimensions.back();
    return softmax(model_.parameters.tensor(tensor).subspan(i * count, count));
  }

  double correlation(const Formula& formula, const Values& values) {
    const EntitySet& set = evaluator_(formula);
    double sum = 0;
    std::size_t members = 0;
    for (std::size_t at = 0; at < sample_.size(); ++at) {
      if (!set.contains(sample_[at])) continue;
      sum += double{values.of_entity[at]} - values.mean;
      ++members;
    }
    const auto count = static_cast<double>(sample_.size());
    const double share = static_cast<double>(members) / count;
    const double spread = values.spread * std::sqrt(share * (1 - share));
    return spread > 0 ? sum / count / spread : -1;
  }

  /// The best of the readings, each once.
  std::vector<Reading> best(const std::vector<Formula>& candidates, const Values& values) {
    std::vector<Reading> readings;
    for (const Formula& candidate : candidates) {
      const Formula formula = simplify(candidate);
      const bool known = std::any_of(readings.begin(), readings.end(), [&](const Reading& reading) {
        return reading.formula == formula;
      });
      if (!known) readings.push_back({formula, correlation(formula, values)});
    }
    std::stable_sort(readings.begin(), readings.end(),
                     [](const Reading& a, const Reading& b) { return a.score() > b.score(); });
    if (readings.size() > options_.beam) readings.resize(options_.beam);
    return readings;
  }

  /// chain(y) gathers from z with A_r[z, y]: seen from y, that is the inverse of r.
  Formula chained(std::size_t op, const Formula& inner) const {
    return Formula::exists(graph_.inverse(static_cast<OperatorId>(op)), inner);
  }

  std::vector<Reading> first_column(std::size_t i) {
    const Values soft = values(1, i);
    std::vector<Formula> singles;
    for (const std::size_t op : heaviest(weights(model_.parameters.alpha(1), i), operators_tried))
      singles.push_back(chained(op, Formula::truth()));
    std::vector<Reading> readings = best(singles, soft);
    // Several operators may share the weight.
    std::vector<Formula> candidates;
    std::vector<Formula> parts;
    for (const Reading& reading : readings) {
      candidates.push_back(reading.formula);
      parts.push_back(reading.formula);
      if (parts.size() > 1) candidates.push_back(Formula::disjunction(parts));
    }
    return best(candidates, soft);
  }

  std::vector<Reading> next_column(std::uint32_t column, std::size_t i) {
    const Parameters<float>& parameters = model_.parameters;
    const std::vector<double> p = weights(parameters.p(column), i);
    const double least = least_branch * *std::max_element(p.begin() + op_chain, p.end());
    const auto tried = [&](Operation operation) { return p[operation] >= least; };
    const std::vector<double> alpha = weights(parameters.alpha(column), i);
    std::vector<Formula> candidates;
    const auto& inputs = beams_[i];
    for (std::size_t at = 0; at < std::min(inputs.size(), inputs_tried); ++at) {
      const Formula& input = inputs[at].formula;
      if (tried(op_copy)) candidates.push_back(input);
      if (tried(op_not)) candidates.push_back(Formula::negation(input));
      if (tried(op_chain)) add_chains(alpha, input, candidates);
      const auto join = [&](std::size_t beta, bool both) {
        for (const std::size_t k : heaviest(weights(beta, i), partners_tried)) {
          const Formula& partner = beams_[k].front().formula;
          candidates.push_back(both ? Formula::conjunction({input, partner})
                                    : Formula::disjunction({input, partner}));
        }
      };
      if (tried(op_and)) join(parameters.beta_and(column), true);
      if (tried(op_or)) join(parameters.beta_or(column), false);
    }
    return best(candidates, values(column, i));
  }

  void add_chains(const std::vector<double>& alpha, const Formula& input,
                  std::vector<Formula>& candidates) const {
    std::vector<Formula> parts;
    for (const std::size_t op : heaviest(alpha, operators_chained)) {
      candidates.push_back(chained(op, input));
      parts.push_back(candidates.back());
      if (parts.size() == 2) candidates.push_back(Formula::disjunction(parts));
    }
  }

  FunctionReading finish(std::size_t i) {
    const Values soft = values(model_.shape().depth, i);
    const Reading& reading = beams_[i].front();
    FunctionReading result;
    result.low = result.high = soft.mean;
    result.constant = soft.spread < least_spread || reading.correlation <= 0;
    if (result.constant) return result;
    result.formula = reading.formula;
    result.correlation = reading.correlation;
    const EntitySet& set = evaluator_(reading.formula);
    double inside = 0;
    double sum = 0;
    for (std::size_t at = 0; at < sample_.size(); ++at) {
      if (!set.contains(sample_[at])) continue;
      ++inside;
      sum += double{soft.of_entity[at]};
    }
    const auto count = static_cast<double>(sample_.size());
    result.high = sum / inside;
    result.low = (soft.mean * count - sum) / (count - inside);
    const double middle = (result.high + result.low) / 2;
    for (std::size_t at = 0; at < sample_.size(); ++at) {
      if ((double{soft.of_entity[at]} > middle) == set.contains(sample_[at]))
        result.agreement += 1 / count;
    }
    return result;
  }

  const Model& model_;
  const Graph& graph_;
  const FunctionsOptions& options_;
  Evaluator evaluator_;
  Team team_;
  std::vector<EntityId> sample_;
  std::optional<Functions<float>> soft_;
  std::vector<std::vector<Reading>> beams_;  ///< of each function, in the column before
};

}  // namespace

std::vector<FunctionReading> read_functions(const Model& model, const Graph& graph,
                                            const FunctionsOptions& options) {
  if (model.shape().functions() == 0 || graph.entities() == 0) return {};
  return FunctionReader(model, graph, options).read();
}

}  // namespace lerpp
