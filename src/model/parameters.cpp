#include <cassert>
#include <cmath>
#include <numbers>

#include <lerp/model/parameters.hpp>

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

}  // namespace

std::vector<Tensor> tensors_of(const ModelShape& shape) {
  std::vector<Tensor> tensors;
  std::size_t offset = 0;
  const auto add = [&](std::string name, std::vector<std::size_t> dimensions,
                       Squash squash = Squash::softmax) {
    std::size_t size = 1;
    for (const std::size_t dimension : dimensions) size *= dimension;
    tensors.push_back({std::move(name), std::move(dimensions), offset, size, squash});
    offset += size;
  };
  const std::size_t m = shape.width;
  const std::size_t targets = shape.operators();
  for (std::uint32_t column = 1; column <= shape.depth; ++column) {
    const std::string suffix = "." + std::to_string(column);
    add("alpha" + suffix, {m, shape.operators()});
    if (column == 1) continue;
    add("p" + suffix, {m, 6});
    add("beta_and" + suffix, {m, m});
    add("beta_or" + suffix, {m, m});
  }
  const std::size_t n = shape.rules;
  const std::size_t k = shape.length;
  add("a", {targets, n, k, shape.rule_operators()});
  add("rho", {targets, n, k + 1, shape.functions() + std::size_t{1}});
  add("w", {targets, n}, Squash::sigmoid);
  return tensors;
}

template <class Real>
Parameters<Real>::Parameters(const ModelShape& shape) : shape_(shape), tensors_(tensors_of(shape)) {
  values_.resize(tensors_.back().offset + tensors_.back().size);
}

template <class Real>
std::size_t Parameters<Real>::alpha(std::uint32_t column) const {
  assert(column >= 1 && column <= shape_.depth);
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
  return parameters;
}

template class Parameters<float>;
template class Parameters<double>;
template Parameters<float> initial_parameters(const ModelShape&, std::uint64_t);
template Parameters<double> initial_parameters(const ModelShape&, std::uint64_t);

}  // namespace lerpp
