#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/model/parameters.hpp>
#include <lerp/model/paths.hpp>

namespace lerpp {

/// What was learned. It speaks of relations and functions, never of entities, so it serves any
/// graph whose relations it knows.
struct Model {
  std::vector<std::string> relations;  ///< names, in the order of the parameters
  Parameters<float> parameters;
  std::shared_ptr<const PathTable> paths = {};  ///< none where the shape has none

  const ModelShape& shape() const { return parameters.shape(); }
};

/// Answers queries on a graph with a model of the same relations in the same order. The parameters
/// and the graph must outlive it.
std::unique_ptr<Scorer> make_scorer(const Parameters<float>& parameters,
                                    std::shared_ptr<const PathTable> paths, const Graph& known,
                                    unsigned threads = 0);

/// Ranks the answers of a split of any dataset whose relations the model knows by name;
/// `known_valid` lets it see the validation facts.
Result<RankingReport> evaluate(const Model& model, const Dataset& dataset,
                               const RankingOptions& options, bool known_valid = false,
                               const Observer& observer = {});

/// The model file: safetensors, with the sizes and the names in its header.
Result<void> save_model(const Model& model, const std::filesystem::path& path);
Result<Model> load_model(const std::filesystem::path& path);

}  // namespace lerpp
