#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/model/parameters.hpp>
#include <lerp/model/paths.hpp>

namespace lerpp {

/// What was learned. Rules speak of relations and functions, never of entities, so they serve any
/// graph whose relations they know; an embedding serves the graph that it was learned from.
struct Model {
  std::vector<std::string> relations;  ///< names, in the order of the parameters
  Parameters<float> parameters;
  std::shared_ptr<const PathTable> paths = {};  ///< none where the shape has none
  std::string entities = {};  ///< fingerprint of the names that an embedding knows

  const ModelShape& shape() const { return parameters.shape(); }
};

/// The rules alone.
Model without_embedding(const Model& model);
/// Whether an embedding, where the model has one, is about the entities of this dataset.
bool knows_entities(const Model& model, const Dataset& dataset);

/// Answers queries on a graph with a model of the same relations in the same order. The parameters
/// and the graph must outlive it. An embedding of another number of entities does not count; whose
/// names may differ is for the caller to ask. Of no use where the observer asks to stop.
std::unique_ptr<Scorer> make_scorer(const Parameters<float>& parameters,
                                    std::shared_ptr<const PathTable> paths, const Graph& known,
                                    unsigned threads = 0, const Observer& observer = {});

/// Ranks the answers of a split of any dataset whose relations the model knows by name;
/// `known_valid` lets it see the validation facts. An embedding of other entities does not count.
Result<RankingReport> evaluate(const Model& model, const Dataset& dataset,
                               const RankingOptions& options, bool known_valid = false,
                               const Observer& observer = {});

/// The ranks of a model and, where it has an embedding of these entities, of its rules alone.
struct Evaluation {
  RankingReport full;
  std::optional<RankingReport> rules_only;
};
Result<Evaluation> evaluate_parts(const Model& model, const Dataset& dataset,
                                  const RankingOptions& options, bool known_valid = false,
                                  const Observer& observer = {});
/// The keys of the full model, and the same below "rules_only".
Json to_json(const Evaluation& evaluation);
std::string to_text(const Evaluation& evaluation);
/// For people: "rules only: MRR …" and "with embedding: MRR …", or "test MRR …" where there is
/// none.
std::vector<std::string> summary(const Evaluation& evaluation);

/// Whether a model has the relations of a dataset, in the same order, and knows its entities.
bool serves(const Model& model, const Dataset& dataset);
/// Ranks by the sum of several models' scores, as of one preset with several seeds, on any dataset
/// whose relations they know. All must have learned from one. An embedding of other entities does
/// not count.
Result<RankingReport> evaluate_together(std::span<const Model> models, const Dataset& dataset,
                                        const RankingOptions& options, bool known_valid = false,
                                        const Observer& observer = {});

/// The model file: safetensors, with the sizes and the names in its header.
Result<void> save_model(const Model& model, const std::filesystem::path& path);
Result<Model> load_model(const std::filesystem::path& path);

}  // namespace lerpp
