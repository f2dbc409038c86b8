// SPDX-License-Identifier: Apache-2.0
#include "explain/likelihood.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include <lerp/base/json.hpp>

namespace lerpp {
namespace {

using FeatureVector = Eigen::Matrix<double, feature_names.size(), 1>;
using FeatureMatrix = Eigen::Matrix<double, feature_names.size(), feature_names.size()>;

constexpr int rounds = 40;
/// How strongly weights are held at 0, in candidates; offsets of relations have few to go by. The
/// first, of the feature that is always 1, is not held: what is rare must be free to be so.
constexpr double weight_ridge = 2;
constexpr double offset_ridge = 6;
constexpr double enough = 1e-7;

double sigmoid(double z) {
  return z >= 0 ? 1 / (1 + std::exp(-z)) : std::exp(z) / (1 + std::exp(z));
}

/// Derivative of the log-likelihood by the sum, and its expected curvature.
struct Slope {
  double first = 0;
  double second = 0;
};

Slope slope_of(double z, double part, bool found) {
  const double s = sigmoid(z);
  const double held = part * s;
  const double rest = std::max(1e-12, 1 - held);
  return {((found ? 1 : 0) - held) * (1 - s) / rest, held * (1 - s) * (1 - s) / rest};
}

}  // namespace

double Likelihood::sum(const Features& features, std::uint32_t relation) const {
  double z = relation < offsets_.size() ? offsets_[relation] : 0;
  for (std::size_t i = 0; i < features.size(); ++i) z += weights_[i] * features[i];
  return z;
}

double Likelihood::probability(const Features& features, std::uint32_t relation) const {
  const double s = sigmoid(sum(features, relation));
  return (1 - part_) * s / std::max(1e-12, 1 - part_ * s);
}

double Likelihood::loss(std::span<const Judged> judged) const {
  double total = 0;
  for (std::size_t i = 1; i < weights_.size(); ++i)
    total += 0.5 * weight_ridge * weights_[i] * weights_[i];
  for (const double offset : offsets_) total += 0.5 * offset_ridge * offset * offset;
  for (const Judged& one : judged) {
    const double held = part_ * sigmoid(sum(one.features, one.relation));
    total -= one.weight * std::log(std::max(1e-12, one.found ? held : 1 - held));
  }
  return total;
}

void Likelihood::step_weights(std::span<const Judged> judged) {
  FeatureVector gradient = FeatureVector::Zero();
  FeatureMatrix curvature = weight_ridge * FeatureMatrix::Identity();
  constexpr double solvable = 1e-6;  // where there are no candidates; the optimum stays
  curvature(0, 0) = solvable;
  for (std::size_t i = 1; i < weights_.size(); ++i)
    gradient[static_cast<Eigen::Index>(i)] = -weight_ridge * weights_[i];
  for (const Judged& one : judged) {
    const Slope slope = slope_of(sum(one.features, one.relation), part_, one.found);
    const Eigen::Map<const FeatureVector> x(one.features.data());
    gradient += one.weight * slope.first * x;
    curvature.selfadjointView<Eigen::Lower>().rankUpdate(x, one.weight * slope.second);
  }
  const FeatureVector step = curvature.selfadjointView<Eigen::Lower>().ldlt().solve(gradient);
  const Features before = weights_;
  const double had = loss(judged);
  double length = 1;
  constexpr double least = 1e-3;
  do {
    for (std::size_t i = 0; i < weights_.size(); ++i)
      weights_[i] = before[i] + length * step[static_cast<Eigen::Index>(i)];
    length /= 2;
  } while (loss(judged) > had && length > least);
  if (loss(judged) > had) weights_ = before;
}

void Likelihood::step_offsets(std::span<const Judged> judged) {
  std::vector<Slope> slopes(offsets_.size());
  for (const Judged& one : judged) {
    const Slope slope = slope_of(sum(one.features, one.relation), part_, one.found);
    slopes[one.relation].first += one.weight * slope.first;
    slopes[one.relation].second += one.weight * slope.second;
  }
  constexpr double most = 1;  // a step: far from the optimum the curvature says little
  for (std::size_t r = 0; r < offsets_.size(); ++r) {
    const double step =
        (slopes[r].first - offset_ridge * offsets_[r]) / (slopes[r].second + offset_ridge);
    offsets_[r] += std::clamp(step, -most, most);
  }
}

Likelihood Likelihood::learn(std::span<const Judged> judged, std::size_t relations, double part) {
  Likelihood result;
  result.part_ = part;
  result.offsets_.assign(relations, 0);
  double found = 1;
  double all = 2;
  for (const Judged& one : judged) {
    all += one.weight;
    found += one.found ? one.weight : 0;
  }
  // Begins with what is likely on the whole: with nothing to learn from, it ends there.
  const double rate = std::clamp(found / all / part, 1e-6, 1 - 1e-6);
  result.weights_[0] = std::log(rate / (1 - rate));
  double before = result.loss(judged);
  for (int round = 0; round < rounds; ++round) {
    result.step_weights(judged);
    result.step_offsets(judged);
    const double now = result.loss(judged);
    if (std::abs(before - now) < enough * (1 + std::abs(now))) break;
    before = now;
  }
  return result;
}

Likelihood Likelihood::learn(std::span<const Judged> judged, std::size_t relations) {
  constexpr std::array parts = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
  Likelihood best = learn(judged, relations, parts.front());
  for (const double part : parts) {
    Likelihood other = learn(judged, relations, part);
    if (other.loss(judged) < best.loss(judged)) best = std::move(other);
  }
  return best;
}

Json to_json(const Likelihood& likelihood) {
  Json weights = Json::object();
  for (std::size_t i = 0; i < feature_names.size(); ++i)
    weights[std::string(feature_names[i])] = likelihood.weights_[i];
  return {{"part", likelihood.part_}, {"weights", weights}, {"offsets", likelihood.offsets_}};
}

Result<Likelihood> Likelihood::from_json(const Json& json, std::size_t relations) {
  const auto broken = [] {
    return fail("the probabilities of the run cannot be read", "",
                "remove the file: it is made anew");
  };
  Likelihood result;
  if (!json.is_object() || !json.contains("part") || !json["part"].is_number() ||
      !json.contains("weights") || !json["weights"].is_object() || !json.contains("offsets") ||
      !json["offsets"].is_array() || json["offsets"].size() != relations) {
    return broken();
  }
  result.part_ = json["part"];
  for (std::size_t i = 0; i < feature_names.size(); ++i) {
    const auto found = json["weights"].find(std::string(feature_names[i]));
    if (found == json["weights"].end() || !found->is_number()) return broken();
    result.weights_[i] = *found;
  }
  for (const Json& offset : json["offsets"]) {
    if (!offset.is_number()) return broken();
    result.offsets_.push_back(offset);
  }
  return result;
}

}  // namespace lerpp
