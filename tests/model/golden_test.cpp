// SPDX-License-Identifier: Apache-2.0
#include "model/golden.hpp"

#include <algorithm>
#include <cmath>

#include "model/random_case.hpp"

namespace lerpp {
namespace {

class Golden : public testing::TestWithParam<std::tuple<int, Path, unsigned>> {};

TEST_P(Golden, ValuesAndGradientsAgree) {
  const auto [depth, path, threads] = GetParam();
  const Json file = golden(depth);
  for (const Json& query : file["cases"]) {
    const Case given = read_case(file, query);
    const RandomCase same = {given.shape, given.graph, given.batch};
    Bench<double> engine(same, path, threads);
    const auto parameters = read_parameters<double>(given.shape, file["parameters"]);
    Parameters<double> gradient(given.shape);
    EXPECT_NEAR(engine.learn(parameters, given.batch, gradient), query["loss"].get<double>(), 1e-9);
    const auto expected = read_parameters<double>(given.shape, query["gradient"]);
    for (std::size_t i = 0; i < gradient.values().size(); ++i) {
      EXPECT_NEAR(gradient.values()[i], expected.values()[i], 1e-8) << "place " << i;
    }
    for (int column = 1; column <= depth; ++column) {
      for (EntityId entity = 0; entity < given.graph.entities(); ++entity) {
        if (engine.engine().functions(0)->slot(entity) == kernels::no_slot) continue;
        const double* values =
            engine.engine().functions(0)->values(static_cast<std::uint32_t>(column), entity);
        for (std::size_t i = 0; i < given.shape.width; ++i) {
          EXPECT_NEAR(values[i],
                      query["columns"][static_cast<std::size_t>(column)][i][entity].get<double>(),
                      1e-9);
        }
      }
    }
  }
}

TEST_P(Golden, SinglePrecisionIsClose) {
  const auto [depth, path, threads] = GetParam();
  const Json file = golden(depth);
  for (const Json& query : file["cases"]) {
    const Case given = read_case(file, query);
    const RandomCase same = {given.shape, given.graph, given.batch};
    Bench<float> engine(same, path, threads);
    const auto parameters = read_parameters<float>(given.shape, file["parameters"]);
    Parameters<float> gradient(given.shape);
    const double loss = query["loss"];
    EXPECT_NEAR(engine.learn(parameters, given.batch, gradient), loss, 1e-4 * loss);
    const auto expected = read_parameters<double>(given.shape, query["gradient"]);
    // A gradient that nearly cancels is compared with the size of its tensor's others.
    for (std::size_t index = 0; index < expected.tensors().size(); ++index) {
      double scale = 0;
      for (const double value : expected.tensor(index)) scale = std::max(scale, std::abs(value));
      for (std::size_t i = 0; i < expected.tensor(index).size(); ++i) {
        EXPECT_NEAR(gradient.tensor(index)[i], expected.tensor(index)[i], 1e-4 * scale + 1e-9);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Depths, Golden,
                         testing::Combine(testing::Values(0, 1, 2, 3),
                                          testing::Values(Path::balls, Path::whole),
                                          testing::Values(1U, 3U)));

}  // namespace
}  // namespace lerpp
