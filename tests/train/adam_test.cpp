#include "train/adam.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace lerpp {
namespace {

const ModelShape shape{2, 3, 2, 2, 2};

/// Adam as in its paper, one number at a time, in double.
struct Reference {
  double value = 0, first = 0, second = 0;
  int steps = 0;

  void step(double gradient, const Adam::Settings& settings) {
    ++steps;
    first = 0.9 * first + 0.1 * gradient;
    second = 0.999 * second + 0.001 * gradient * gradient;
    const double mean = first / (1 - std::pow(0.9, steps));
    const double square = second / (1 - std::pow(0.999, steps));
    value = value * (1 - settings.rate * settings.weight_decay) -
            settings.rate * mean / (std::sqrt(square) + 1e-8);
  }
};

/// Runs steps of changing targets beside the reference; every parameter must agree.
void compare(const Adam::Settings& settings) {
  Adam adam(shape);
  Parameters<float> parameters = initial_parameters<float>(shape, 1);
  std::vector<Reference> references;
  for (const float value : parameters.values()) references.push_back({value, 0, 0, 0});
  const auto place = [&](std::span<const float> part) {
    return static_cast<std::size_t>(part.data() - parameters.values().data());
  };
  for (std::uint64_t step = 0; step < 40; ++step) {
    const auto target = static_cast<OperatorId>(step * step % 3);  // target 2 and 3 come seldom
    Parameters<float> gradient = initial_parameters<float>(shape, 100 + step);
    const std::array parts = {
        std::as_const(parameters).shared(), std::as_const(parameters).a(target),
        std::as_const(parameters).rho(target), std::as_const(parameters).w(target)};
    for (const auto part : parts) {
      Adam::Settings own = settings;
      if (part.data() == parts[0].data()) own.weight_decay = 0;  // nothing pulls the functions
      for (std::size_t i = place(part); i < place(part) + part.size(); ++i)
        references[i].step(gradient.values()[i], own);
    }
    adam.step(settings, target, parameters, gradient);
  }
  for (std::size_t i = 0; i < references.size(); ++i) {
    EXPECT_NEAR(parameters.values()[i], references[i].value,
                1e-5 * (1 + std::abs(references[i].value)))
        << "place " << i;
  }
}

TEST(Adam, AgreesWithItsPaper) {
  compare({0.1, 0});
}
TEST(Adam, WeightDecayIsDecoupled) {
  compare({0.05, 0.2});
}

TEST(Adam, OtherTargetsStayWhereTheyAre) {
  Adam adam(shape);
  Parameters<float> parameters = initial_parameters<float>(shape, 1);
  const Parameters<float> before = parameters;
  Parameters<float> gradient = initial_parameters<float>(shape, 2);
  adam.step({0.1, 0.1}, 1, parameters, gradient);
  for (const OperatorId target : {0U, 2U, 3U}) {
    EXPECT_TRUE(std::ranges::equal(parameters.a(target), before.a(target)));
    EXPECT_TRUE(std::ranges::equal(parameters.rho(target), before.rho(target)));
    EXPECT_TRUE(std::ranges::equal(parameters.w(target), before.w(target)));
  }
  EXPECT_FALSE(std::ranges::equal(parameters.a(1), before.a(1)));
  EXPECT_FALSE(std::ranges::equal(parameters.shared(), before.shared()));
}

TEST(Adam, AnEmbeddingStaysAsItIs) {
  ModelShape embedded = shape;
  embedded.embedding = 3;
  embedded.entities = 5;
  Adam adam(embedded);
  Parameters<float> parameters = initial_parameters<float>(embedded, 1);
  const Parameters<float> before = parameters;
  Parameters<float> gradient = initial_parameters<float>(embedded, 2);
  // Nor does it count in the norm.
  for (float& value : gradient.of(Part::relation, 1)) value = 1e9F;
  adam.step({0.1, 0.1, 1e6}, 1, parameters, gradient);
  EXPECT_TRUE(std::ranges::equal(parameters.of(Part::relation, 1), before.of(Part::relation, 1)));
  EXPECT_EQ(parameters.of(Part::mix, 1)[0], before.of(Part::mix, 1)[0]);
  EXPECT_TRUE(std::ranges::equal(parameters.entities(), before.entities()));
  EXPECT_EQ(gradient.of(Part::relation, 1)[0], 1e9F);
  EXPECT_FALSE(std::ranges::equal(parameters.a(1), before.a(1)));
}

}  // namespace
}  // namespace lerpp
