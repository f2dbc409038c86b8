// SPDX-License-Identifier: Apache-2.0
#include "read/constraint_reader.hpp"

#include <algorithm>
#include <cmath>

#include <lerp/base/team.hpp>
#include <lerp/logic/rule.hpp>

#include "model/functions.hpp"
#include "read/softmax.hpp"

namespace lerpp {
namespace {

constexpr std::uint32_t sample_size = 4000;
/// A constraint matters where it leaves no more than this of what breaks it.
constexpr double most_left = 0.5;
/// A formula tells a constraint where it correlates with it as much.
constexpr double least_correlation = 0.6;
/// Functions of less weight are not looked at.
constexpr double least_weight = 0.05;

}  // namespace

ConstraintReader::ConstraintReader(const Model& model, const Graph& graph, unsigned threads)
    : model_(model) {
  if (model.shape().functions() == 0 || graph.entities() == 0) return;
  FunctionsOptions options;
  options.sample = sample_size;
  options.threads = threads;
  const std::vector<FunctionReading> readings = read_functions(model, graph, options);
  std::vector<EntityId> sample;
  const std::size_t size = std::min<std::size_t>(graph.entities(), sample_size);
  for (std::size_t i = 0; i < size; ++i)
    sample.push_back(static_cast<EntityId>(i * graph.entities() / size));
  Team team(threads);
  FunctionWeights<float> weights(model.shape());
  weights.take(model.parameters);
  Functions<float> soft(graph, model.shape());
  soft.begin(weights, sample, nullptr, false);
  soft.forward(team);
  Evaluator evaluator(graph);
  for (const FunctionReading& reading : readings)
    compare(reading, sample, soft.values(), soft.width(), evaluator);
  correlate(size, soft.values(), soft.width());
}

void ConstraintReader::compare(const FunctionReading& reading, std::span<const EntityId> sample,
                               const float* values, std::size_t stride, Evaluator& evaluator) {
  contrasts_.emplace_back();
  if (reading.constant) return;
  const std::size_t width = model_.shape().functions();
  Contrast contrast;
  contrast.formula = reading.formula;
  contrast.set = contrast.complement = evaluator(reading.formula);
  contrast.complement.complement();
  contrast.where.resize(width);
  contrast.elsewhere.resize(width);
  double inside = 0;
  for (std::size_t row = 0; row < sample.size(); ++row) {
    const bool holds = contrast.set.contains(sample[row]);
    inside += holds ? 1 : 0;
    std::vector<double>& sums = holds ? contrast.where : contrast.elsewhere;
    for (std::size_t i = 0; i < width; ++i) sums[i] += double{values[row * stride + i]};
  }
  const double outside = static_cast<double>(sample.size()) - inside;
  if (inside == 0 || outside == 0) return;
  for (double& sum : contrast.where) sum /= inside;
  for (double& sum : contrast.elsewhere) sum /= outside;
  contrast.share = inside / static_cast<double>(sample.size());
  contrasts_.back() = std::move(contrast);
}

void ConstraintReader::correlate(std::size_t rows, const float* values, std::size_t stride) {
  const std::size_t width = model_.shape().functions();
  const auto count = static_cast<double>(rows);
  std::vector<double> mean(width);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < width; ++i) mean[i] += double{values[row * stride + i]} / count;
  }
  covariance_.assign(width * width, 0);
  std::vector<double> off(width);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < width; ++i) off[i] = double{values[row * stride + i]} - mean[i];
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t k = 0; k < width; ++k) covariance_[i * width + k] += off[i] * off[k] / count;
    }
  }
}

std::vector<std::optional<SoftConstraint>> ConstraintReader::read(OperatorId target) const {
  const ModelShape& shape = model_.shape();
  const std::size_t variables = shape.length + std::size_t{1};
  std::vector<std::optional<SoftConstraint>> result(shape.rules * variables);
  if (contrasts_.empty()) return result;
  for (std::size_t row = 0; row < shape.constrained() * variables; ++row)
    result[row] = read_one(model_.parameters.rho(target, row / variables, row % variables));
  return result;
}

std::vector<Formula> ConstraintReader::on_end(RelationId relation, bool object,
                                              std::size_t most) const {
  const ModelShape& shape = model_.shape();
  std::vector<double> weights(contrasts_.size());
  for (const bool tail : {true, false}) {
    const OperatorId target = tail ? relation : relation + shape.relations;
    // The object is where a tail query ends and a head query starts.
    const std::size_t variable = tail == object ? shape.length : 0;
    for (std::size_t rule = 0; rule < shape.constrained() && !contrasts_.empty(); ++rule) {
      const std::vector<double> rho = softmax(model_.parameters.rho(target, rule, variable));
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += rho[i + 1];
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < contrasts_.size(); ++i) {
    const auto& contrast = contrasts_[i];
    if (contrast &&
        !is_recursive(pair_rule(relation, contrast->formula, Formula::truth()), shape.relations))
      order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  std::vector<Formula> result;
  for (const std::size_t i : order) {
    const Formula& formula = contrasts_[i]->formula;
    const bool known = std::find(result.begin(), result.end(), formula) != result.end();
    if (!known && result.size() < most) result.push_back(formula);
  }
  return result;
}

std::optional<SoftConstraint> ConstraintReader::read_one(std::span<const float> raw) const {
  const std::vector<double> rho = softmax(raw);
  const std::size_t width = contrasts_.size();
  double variance = 0;
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t k = 0; k < width; ++k)
      variance += rho[i + 1] * rho[k + 1] * covariance_[i * width + k];
  }
  std::optional<SoftConstraint> best;
  double widest = least_correlation * std::sqrt(variance);
  for (std::size_t function = 0; function < width; ++function) {
    const auto& contrast = contrasts_[function];
    if (!contrast || rho[function + 1] < least_weight) continue;
    double where = rho[0];
    double elsewhere = rho[0];
    for (std::size_t i = 0; i < width; ++i) {
      where += rho[i + 1] * contrast->where[i];
      elsewhere += rho[i + 1] * contrast->elsewhere[i];
    }
    // The covariance of the constraint with the formula, by the formula's own spread.
    const double gap =
        std::abs(where - elsewhere) * std::sqrt(contrast->share * (1 - contrast->share));
    if (gap <= widest || std::min(where, elsewhere) > most_left * std::max(where, elsewhere))
      continue;
    widest = gap;
    const double middle = (where + elsewhere) / 2;
    best = where > elsewhere ? SoftConstraint{contrast->formula, &contrast->set, middle}
                             : SoftConstraint{Formula::negation(contrast->formula),
                                              &contrast->complement, middle};
  }
  return best;
}

}  // namespace lerpp
