#include "explain/constraint_reader.hpp"

#include <cmath>

#include <lerp/base/team.hpp>
#include <lerp/logic/evaluate.hpp>

#include "explain/softmax.hpp"
#include "model/functions.hpp"

namespace lerpp {
namespace {

constexpr std::uint32_t sample_size = 4000;
/// A constraint matters where it leaves no more than this of what breaks it.
constexpr double most_left = 0.5;
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
  Functions<float> soft(graph, model.shape(), team);
  soft.prepare(model.parameters);
  soft.forward(sample, nullptr, false);
  Evaluator evaluator(graph);
  const std::size_t width = model.shape().functions();
  for (const FunctionReading& reading : readings) {
    contrasts_.emplace_back();
    if (reading.constant) continue;
    Contrast contrast = {reading.formula, 0, std::vector<double>(width),
                         std::vector<double>(width)};
    const EntitySet& set = evaluator(reading.formula);
    double inside = 0;
    for (std::size_t row = 0; row < size; ++row) {
      const bool holds = set.contains(sample[row]);
      inside += holds ? 1 : 0;
      std::vector<double>& sums = holds ? contrast.where : contrast.elsewhere;
      for (std::size_t i = 0; i < width; ++i)
        sums[i] += double{soft.values()[row * soft.width() + i]};
    }
    const double outside = static_cast<double>(size) - inside;
    if (inside == 0 || outside == 0) continue;
    for (double& sum : contrast.where) sum /= inside;
    for (double& sum : contrast.elsewhere) sum /= outside;
    contrast.share = inside / static_cast<double>(size);
    contrasts_.back() = std::move(contrast);
  }
}

std::vector<std::optional<SoftConstraint>> ConstraintReader::read(OperatorId target) const {
  const ModelShape& shape = model_.shape();
  const std::size_t count = shape.functions() + std::size_t{1};
  std::vector<std::optional<SoftConstraint>> result(shape.rules * (shape.length + std::size_t{1}));
  if (contrasts_.empty()) return result;
  for (std::size_t row = 0; row < result.size(); ++row)
    result[row] = read_one(model_.parameters.rho(target).subspan(row * count, count));
  return result;
}

std::optional<SoftConstraint> ConstraintReader::read_one(std::span<const float> raw) const {
  const std::vector<double> rho = softmax(raw);
  std::optional<SoftConstraint> best;
  double widest = 0;
  for (std::size_t function = 0; function < contrasts_.size(); ++function) {
    const auto& contrast = contrasts_[function];
    if (!contrast || rho[function + 1] < least_weight) continue;
    double where = rho[0];
    double elsewhere = rho[0];
    for (std::size_t i = 0; i + 1 < rho.size(); ++i) {
      where += rho[i + 1] * contrast->where[i];
      elsewhere += rho[i + 1] * contrast->elsewhere[i];
    }
    // Proportional to the correlation of the constraint with the formula.
    const double gap =
        std::abs(where - elsewhere) * std::sqrt(contrast->share * (1 - contrast->share));
    if (gap <= widest || std::min(where, elsewhere) > most_left * std::max(where, elsewhere))
      continue;
    widest = gap;
    best =
        SoftConstraint{where > elsewhere ? contrast->formula : Formula::negation(contrast->formula),
                       (where + elsewhere) / 2};
  }
  return best;
}

}  // namespace lerpp
