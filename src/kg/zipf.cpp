// SPDX-License-Identifier: Apache-2.0
#include "kg/zipf.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace lerpp {
namespace {

constexpr int digits = 40;                     ///< of the logarithm, after the point
constexpr std::uint64_t single_steps = 16;     ///< ranks with a step of their own
constexpr std::uint64_t steps_per_octave = 8;  ///< after them
constexpr unsigned guide_bits = 8;
/// Weights sum up to 2^56, so that a draw and its place in the guide are bits of one number.
constexpr unsigned weight_bits = 56;

/// 2^(exponent / 2^digits). A whole number leaves no product and sum that some compilers would
/// fuse and round once instead of twice.
double portable_exp2(std::int64_t exponent) {
  double result = std::ldexp(1.0, static_cast<int>(exponent >> digits));
  double root = 2;
  for (int digit = digits - 1; digit >= 0; --digit) {
    root = std::sqrt(root);
    if ((exponent >> digit & 1) != 0) result *= root;
  }
  return result;
}

/// The logarithm to base 2, for value >= 1: squaring shifts its digits to the left.
double portable_log2(double value) {
  int exponent = 0;
  double mantissa = 2 * std::frexp(value, &exponent);
  double result = exponent - 1;
  double place = 1;
  for (int digit = 0; digit < digits; ++digit) {
    mantissa *= mantissa;
    place /= 2;
    if (mantissa >= 2) {
      mantissa /= 2;
      result += place;
    }
  }
  return result;
}

}  // namespace

double portable_power(double base, double exponent) {
  const double product = portable_log2(base) * exponent;
  return portable_exp2(static_cast<std::int64_t>(std::ldexp(product, digits)));
}

Zipf::Zipf(std::uint64_t count, double exponent) {
  assert(count > 0);
  std::vector<double> shares;
  double total = 0;
  for (std::uint64_t start = 0; start < count;) {
    const std::uint64_t width = start < single_steps ? 1 : (start + 1) / steps_per_octave;
    const std::uint64_t end = std::min(count, start + width);
    const double middle = static_cast<double>(start + end + 1) / 2;
    shares.push_back(static_cast<double>(end - start) / portable_power(middle, exponent));
    total += shares.back();
    starts_.push_back(start);
    start = end;
  }
  starts_.push_back(count);
  double sum = 0;
  for (const double share : shares) {
    sum += share;
    weights_.push_back(static_cast<std::uint64_t>(std::ldexp(sum / total, weight_bits)));
  }
  weights_.back() = std::uint64_t{1} << weight_bits;
  std::uint16_t step = 0;
  for (std::uint64_t high = 0; high < std::uint64_t{1} << guide_bits; ++high) {
    while (weights_[step] <= high << (weight_bits - guide_bits)) ++step;
    guide_.push_back(step);
  }
}

std::uint64_t Zipf::draw(Random& random) const {
  const std::uint64_t value = random.next() >> (64U - weight_bits);
  std::size_t step = guide_[value >> (weight_bits - guide_bits)];
  while (weights_[step] <= value) ++step;
  const std::uint64_t width = starts_[step + 1] - starts_[step];
  return starts_[step] + (width == 1 ? 0 : random.below(width));
}

std::vector<std::uint64_t> zipf_parts(std::uint64_t total, std::size_t parts, double exponent,
                                      std::uint64_t limit) {
  std::vector<std::uint64_t> sizes(parts);
  if (parts == 0) return sizes;
  std::vector<double> shares(parts);
  double sum = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    shares[i] = 1 / portable_power(static_cast<double>(i + 1), exponent);
    sum += shares[i];
  }
  std::uint64_t left = total;
  for (std::size_t i = 0; i < parts; ++i) {
    const double exact = static_cast<double>(total) * (shares[i] / sum);
    sizes[i] = std::min({left, limit, static_cast<std::uint64_t>(exact)});
    left -= sizes[i];
  }
  // What rounding and the limit left over goes where there is room, largest parts first.
  for (std::size_t i = 0; i < parts && left > 0; ++i) {
    const std::uint64_t more = std::min(limit - sizes[i], left / (parts - i) + 1);
    const std::uint64_t given = std::min(more, left);
    sizes[i] += given;
    left -= given;
  }
  for (std::size_t i = 0; i < parts && left > 0; ++i) {
    const std::uint64_t more = std::min(limit - sizes[i], left);
    sizes[i] += more;
    left -= more;
  }
  return sizes;
}

}  // namespace lerpp
