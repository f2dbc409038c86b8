#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <lerp/base/json.hpp>

#include "model/engine.hpp"

namespace lerpp {
namespace {

/// float64 values and gradients of every formula, computed by automatic differentiation elsewhere.
Json golden(int depth) {
  std::ifstream file(std::filesystem::path(LERP_SHARED) / "golden" /
                     ("completion-depth" + std::to_string(depth) + ".json"));
  return file ? Json::parse(file) : Json();
}

void flatten(const Json& json, std::vector<double>& out) {
  if (json.is_array()) {
    for (const Json& part : json) flatten(part, out);
  } else {
    out.push_back(json.get<double>());
  }
}

std::vector<Fact> facts_of(const Json& list) {
  std::vector<Fact> facts;
  for (const Json& fact : list) facts.push_back({fact[0], fact[1], fact[2]});
  return facts;
}

struct Case {
  ModelShape shape;
  Graph graph;
  Batch batch;
};

Case read_case(const Json& file, const Json& query) {
  Case result;
  result.shape = {file["relations"], file["width"], file["depth"], file["rules"], file["length"]};
  result.graph = Graph(file["entities"], file["relations"], {facts_of(file["edges"])});
  result.batch = {query["query"], query["start"].get<std::vector<EntityId>>(),
                  query["answer"].get<std::vector<EntityId>>(), facts_of(file["masked"])};
  return result;
}

template <class Real>
Parameters<Real> read_parameters(const ModelShape& shape, const Json& tensors) {
  Parameters<Real> parameters(shape);
  for (std::size_t index = 0; index < parameters.tensors().size(); ++index) {
    std::vector<double> values;
    flatten(tensors[parameters.tensors()[index].name], values);
    EXPECT_EQ(values.size(), parameters.tensor(index).size());
    std::transform(values.begin(), values.end(), parameters.tensor(index).begin(),
                   [](double value) { return static_cast<Real>(value); });
  }
  return parameters;
}

class Golden : public testing::TestWithParam<std::tuple<int, Path, unsigned>> {};

TEST_P(Golden, ValuesAndGradientsAgree) {
  const auto [depth, path, threads] = GetParam();
  const Json file = golden(depth);
  if (file.is_null()) GTEST_SKIP() << "the golden numbers are absent";
  for (const Json& query : file["cases"]) {
    const Case given = read_case(file, query);
    Team team(threads);
    Engine<double> engine(given.graph, given.shape, team, path);
    const auto parameters = read_parameters<double>(given.shape, file["parameters"]);
    Parameters<double> gradient(given.shape);
    EXPECT_NEAR(engine.learn(parameters, given.batch, gradient), query["loss"].get<double>(), 1e-9);
    const auto expected = read_parameters<double>(given.shape, query["gradient"]);
    for (std::size_t i = 0; i < gradient.values().size(); ++i) {
      EXPECT_NEAR(gradient.values()[i], expected.values()[i], 1e-8) << "place " << i;
    }
    for (int column = 1; column <= depth; ++column) {
      for (EntityId entity = 0; entity < given.graph.entities(); ++entity) {
        if (engine.functions()->slot(entity) == kernels::no_slot) continue;
        const double* values =
            engine.functions()->values(static_cast<std::uint32_t>(column), entity);
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
  if (file.is_null()) GTEST_SKIP() << "the golden numbers are absent";
  for (const Json& query : file["cases"]) {
    const Case given = read_case(file, query);
    Team team(threads);
    Engine<float> engine(given.graph, given.shape, team, path);
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
