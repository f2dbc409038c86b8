// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

#include <lerp/model/parameters.hpp>

#include "model/real.hpp"
#include "model/terms.hpp"

namespace lerpp {
namespace {

/// Draws that depend on seed and place alone, so that no order of filling matters.
double uniform(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t z = seed * 0x9E3779B97F4A7C15ULL + (place + 1) * 0xD1B54A32D192ED03ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  z ^= z >> 31;
  return (static_cast<double>(z >> 11) + 0.5) * 0x1p-53;
}

double normal(std::uint64_t seed, std::uint64_t place) {
  return std::sqrt(-2 * std::log(uniform(seed, 2 * place))) *
         std::cos(2 * std::numbers::pi * uniform(seed, 2 * place + 1));
}

constexpr std::array<std::string_view, part_count> part_names = {
    "a", "rho", "w", "weight", "scale", "prior", "path", "constant", "relation", "mix"};

/// The mean of a raw operator weight at the start, where operators weigh exp(a).
constexpr double first_positive = -1;
/// What the constraint "true" has at the start over each function, where rules add evidence.
constexpr double first_truth = 2;
/// Embeddings begin small.
constexpr double first_embedding = 0.01;

Scopes scopes_of(const ModelShape& shape) {
  if (shape.scopes.known()) return shape.scopes;
  return Scopes::all(std::vector<std::uint32_t>(shape.operators(), shape.paths));
}

/// A part of a target, as the table below has it.
struct OwnPart {
  Part part = Part::a;
  PartSize size;
  std::vector<std::size_t> dimensions;  ///< where all targets have all
  Squash squash = Squash::none;
};

/// The parts that a model's targets have, in the order in which they lie in memory.
std::vector<OwnPart> parts_of(const ModelShape& shape) {
  const std::size_t n = shape.rules;
  const std::size_t k = shape.length;
  const std::size_t choices = shape.functions() + std::size_t{1};
  std::vector<OwnPart> parts;
  // The identity comes after the operators.
  parts.push_back({Part::a,
                   {n * k, n * k, 0},
                   {n, k, shape.rule_operators()},
                   shape.positive ? Squash::exponential : Squash::softmax});
  const auto add = [&](Part part, std::vector<std::size_t> dimensions, Squash squash) {
    std::size_t size = 1;
    for (const std::size_t dimension : dimensions) size *= dimension;
    parts.push_back({part, {size, 0, 0}, std::move(dimensions), squash});
  };
  add(Part::rho, {shape.constrained(), k + 1, choices}, Squash::softmax);
  if (shape.evidence) {
    add(Part::weight, {n, k + 1}, Squash::none);
    add(Part::scale, {n, k + 1}, Squash::exponential);
  } else {
    add(Part::w, {n}, Squash::sigmoid);
  }
  for (const TermKind& kind : term_kinds()) {
    if (shape.*kind.size == 0) continue;
    const std::size_t rows = kind.rows.fixed + kind.rows.per_operator * shape.operators() +
                             kind.rows.per_path * shape.paths;
    parts.push_back({kind.part,
                     {2 * kind.rows.fixed, 2 * kind.rows.per_operator, 2 * kind.rows.per_path},
                     {rows, 2},
                     Squash::none});
  }
  if (shape.embedding > 0) {
    add(Part::relation, {2, shape.embedding}, Squash::none);
    add(Part::mix, {1}, Squash::none);
  }
  return parts;
}

}  // namespace

std::vector<Tensor> tensors_of(const ModelShape& shape) {
  std::vector<Tensor> tensors;
  std::size_t offset = 0;
  const auto add = [&](std::string name, std::vector<std::size_t> dimensions, Owner owner,
                       Squash squash) {
    std::size_t size = 1;
    for (const std::size_t dimension : dimensions) size *= dimension;
    tensors.push_back({std::move(name), std::move(dimensions), offset, size, squash, owner});
    offset += size;
  };
  const std::size_t m = shape.width;
  if (shape.types > 0 && shape.depth > 0)
    add("start", {m, shape.types + std::size_t{1}}, Owner::functions, Squash::softmax);
  for (std::uint32_t column = 1; column <= shape.depth; ++column) {
    const auto add_function = [&](const char* name, std::size_t choices) {
      add(fmt::format("{}.{}", name, column), {m, choices}, Owner::functions, Squash::softmax);
    };
    add_function("alpha", shape.operators());
    if (shape.only_chains(column)) continue;
    add_function("p", 6);
    add_function("beta_and", m);
    add_function("beta_or", m);
  }
  for (OwnPart& own : parts_of(shape)) {
    const bool varies = own.size.per_operator + own.size.per_path > 0;
    if (varies && shape.scopes.known()) {
      own.dimensions = {own.size.before(shape.scopes, shape.operators())};
    } else {
      own.dimensions.insert(own.dimensions.begin(), shape.operators());
    }
    add(std::string(part_names[static_cast<std::size_t>(own.part)]), std::move(own.dimensions),
        Owner::target, own.squash);
  }
  if (shape.embedding > 0)
    add("entity", {shape.entities, 2, shape.embedding}, Owner::entities, Squash::none);
  return tensors;
}

template <class Real>
Parameters<Real>::Parameters(const ModelShape& shape)
    : shape_(shape), tensors_(tensors_of(shape)), scopes_(scopes_of(shape)) {
  for (const Tensor& tensor : tensors_) {
    const std::size_t end = tensor.offset + tensor.size;
    if (tensor.owner == Owner::functions) {
      ++shared_tensors_;
      shared_size_ = end;
    }
    if (tensor.owner != Owner::entities) entities_offset_ = end;
  }
  std::size_t tensor = shared_tensors_;
  for (const OwnPart& own : parts_of(shape))
    parts_[static_cast<std::size_t>(own.part)] = {tensors_[tensor++].offset, own.size};
  values_.resize(tensors_.back().offset + tensors_.back().size);
}

template <class Real>
std::size_t Parameters<Real>::alpha(std::uint32_t column) const {
  assert(column >= 1 && column <= shape_.depth);
  // Before it stand four tensors a column, or where column 1 only chains, one of that.
  if (shape_.types > 0) return 4 * std::size_t{column - 1} + 1;
  return column == 1 ? 0 : 4 * std::size_t{column - 2} + 1;
}

template <class Real>
std::size_t Parameters<Real>::p(std::uint32_t column) const {
  return alpha(column) + 1;
}

template <class Real>
std::size_t Parameters<Real>::beta_and(std::uint32_t column) const {
  return alpha(column) + 2;
}

template <class Real>
std::size_t Parameters<Real>::beta_or(std::uint32_t column) const {
  return alpha(column) + 3;
}

template <class Real>
Parameters<Real> initial_parameters(const ModelShape& shape, std::uint64_t seed) {
  Parameters<Real> parameters(shape);
  std::size_t place = 0;
  for (Real& value : parameters.values()) value = static_cast<Real>(normal(seed, place++));
  const std::size_t hops = shape.length + std::size_t{1};
  for (OperatorId target = 0; target < shape.operators(); ++target) {
    if (shape.positive) {
      for (Real& value : parameters.a(target))
        value = static_cast<Real>(first_positive) + value / 2;
    }
    if (shape.evidence) {
      const std::span<Real> rho = parameters.rho(target);
      for (std::size_t at = 0; at < rho.size(); at += shape.functions() + std::size_t{1})
        rho[at] += static_cast<Real>(first_truth);
      // What a hop weighs at the start is made up for, so that evidence starts near log 2.
      const std::span<Real> scale = parameters.of(Part::scale, target);
      for (std::size_t at = 0; at < scale.size(); ++at)
        scale[at] = static_cast<Real>(-first_positive) * static_cast<Real>(at % hops);
    }
    // At first nothing speaks for or against anything.
    const auto say_nothing = [&](Part part) {
      const std::span<Real> values = parameters.of(part, target);
      std::fill(values.begin(), values.end(), Real{0});
    };
    say_nothing(Part::weight);
    for (const TermKind& kind : term_kinds()) say_nothing(kind.part);
    for (Real& value : parameters.of(Part::relation, target))
      value *= static_cast<Real>(first_embedding);
    for (Real& value : parameters.of(Part::mix, target)) value = 1;
  }
  for (Real& value : parameters.entities()) value *= static_cast<Real>(first_embedding);
  return parameters;
}

template class Parameters<LERP_REAL>;
template Parameters<LERP_REAL> initial_parameters(const ModelShape&, std::uint64_t);

}  // namespace lerpp
