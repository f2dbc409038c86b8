#include "train/adam.hpp"

#include <array>
#include <cmath>

namespace lerpp {
namespace {

constexpr double first_decay = 0.9;
constexpr double second_decay = 0.999;
constexpr double epsilon = 1e-8;

/// Fewer parameters than this are not worth sharing among workers.
constexpr std::size_t least_shared = 1 << 16;

/// What comes after is the embedding, which learns apart.
constexpr auto own_parts = static_cast<std::size_t>(Part::relation);

}  // namespace

void AdamStep::move(std::span<float> x, std::span<const float> gradient, std::span<float> first,
                    std::span<float> second) const {
  const auto steps = static_cast<double>(count);
  const auto keep = static_cast<float>(1 - rate * decay);
  const auto pace = static_cast<float>(rate / (1 - std::pow(first_decay, steps)));
  const auto correction = static_cast<float>(1 / (1 - std::pow(second_decay, steps)));
  // Plain pointers: the compiler makes vectors of them.
  float* const value = x.data();
  float* const mean = first.data();
  float* const square = second.data();
  const float* const d = gradient.data();
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean[i] =
        static_cast<float>(first_decay) * mean[i] + static_cast<float>(1 - first_decay) * d[i];
    square[i] = static_cast<float>(second_decay) * square[i] +
                static_cast<float>(1 - second_decay) * d[i] * d[i];
    value[i] = keep * value[i] -
               pace * mean[i] / (std::sqrt(square[i] * correction) + static_cast<float>(epsilon));
  }
}

Adam::Adam(const ModelShape& shape)
    : first_(shape), second_(shape), steps_(shape.operators() + std::size_t{1}) {}

void Adam::step(const Settings& settings, OperatorId target, Parameters<float>& parameters,
                Parameters<float>& gradient, Team* team) {
  // The functions come last: they count steps of their own.
  const auto parts = [target](Parameters<float>& p) {
    std::array<std::span<float>, own_parts + 1> spans;
    for (std::size_t part = 0; part < own_parts; ++part)
      spans[part] = p.of(static_cast<Part>(part), target);
    spans.back() = p.shared();
    return spans;
  };
  const auto gradients = parts(gradient);
  const std::uint64_t own = ++steps_[target];
  const std::uint64_t shared = ++steps_.back();
  const auto values = parts(parameters);
  const auto firsts = parts(first_);
  const auto seconds = parts(second_);
  for (std::size_t part = 0; part < values.size(); ++part) {
    const double rate =
        settings.rate * (part == static_cast<std::size_t>(Part::path)    ? settings.path_pace
                         : part == static_cast<std::size_t>(Part::prior) ? settings.prior_pace
                                                                         : 1);
    // Every target's batches move the functions: pulled at each, they would all be alike.
    const bool functions = part + 1 == values.size();
    const AdamStep adam{rate, functions ? 0 : settings.weight_decay, functions ? shared : own};
    share(team, values[part].size(), least_shared, [&](std::size_t begin, std::size_t end) {
      const auto some = [&](std::span<float> all) { return all.subspan(begin, end - begin); };
      adam.move(some(values[part]), some(gradients[part]), some(firsts[part]), some(seconds[part]));
    });
  }
}

}  // namespace lerpp
