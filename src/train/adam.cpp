#include "train/adam.hpp"

#include <array>
#include <cmath>

#include "base/adam_step.hpp"

namespace lerpp {
namespace {

/// Fewer parameters than this are not worth sharing among workers.
constexpr std::size_t least_shared = 1 << 16;

/// What comes after is the embedding, which learns apart.
constexpr auto own_parts = static_cast<std::size_t>(Part::relation);

}  // namespace

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
  if (settings.clip > 0) {
    double square = 0;
    for (const std::span<float> part : gradients) {
      for (const float value : part)
        square += static_cast<double>(value) * static_cast<double>(value);
    }
    const double norm = std::sqrt(square);
    if (norm > settings.clip) {
      const auto scale = static_cast<float>(settings.clip / norm);
      for (const std::span<float> part : gradients) {
        for (float& value : part) value *= scale;
      }
    }
  }
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
