// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/model/known_graph.hpp>
#include <lerp/model/parameters.hpp>
#include <lerp/model/paths.hpp>
#include <lerp/model/rule_list.hpp>

namespace lerpp {

/// What was learned. Rules speak of relations and functions, never of entities, so they serve any
/// graph whose relations they know; an embedding serves the graph that it was learned from.
struct Model {
  std::vector<std::string> relations;  ///< names, in the order of the parameters
  Parameters<float> parameters;
  std::shared_ptr<const PathTable> paths = {};  ///< none where the shape has none
  std::string entities = {};                  ///< fingerprint of the names that an embedding knows
  std::shared_ptr<const RuleList> list = {};  ///< see list_model()

  const ModelShape& shape() const { return parameters.shape(); }
};

/// Answers with the rules of a list, and has learned nothing else. The list is about these
/// relations, in this order. There is no file of such a model but the list's own.
Model list_model(std::vector<std::string> relations, RuleList list);
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
/// The same for a model, which must outlive it, as must the known graph or a copy of it.
std::unique_ptr<Scorer> make_scorer(const Model& model, const KnownGraph& known,
                                    unsigned threads = 0, const Observer& observer = {});

/// A model and a graph that fit each other: relations are numbered alike, and an embedding is of
/// the graph's entities.
struct Matched {
  std::shared_ptr<const Model> model;
  KnownGraph known;
  bool lacks_embedding = false;  ///< the model had one, of other entities
};
/// Relations are matched by name. Facts of those that the model does not know are left out, and it
/// must know some. Shares what need not change.
Result<Matched> match(std::shared_ptr<const Model> model, const KnownGraph& known);

/// Ranks the answers of a split of any dataset whose relations the model knows by name. An
/// embedding of other entities does not count.
Result<RankingReport> evaluate(const Model& model, const KnownGraph& known,
                               const RankingOptions& options = {}, const Observer& observer = {});

/// The ranks of a model and, where it has an embedding of these entities, of its rules alone; and
/// of the list of rules that was made from it.
struct Evaluation {
  RankingReport full;
  std::optional<RankingReport> rules_only;
  std::optional<RankingReport> few_rules = {};
};
Result<Evaluation> evaluate_parts(const Model& model, const KnownGraph& known,
                                  const RankingOptions& options = {},
                                  const Observer& observer = {});
/// The keys of the full model, and the same below "rules_only" and "few_rules".
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
Result<RankingReport> evaluate_together(std::span<const Model> models, const KnownGraph& known,
                                        const RankingOptions& options = {},
                                        const Observer& observer = {});

/// The model file: safetensors, with the sizes and the names in its header.
Result<void> save_model(const Model& model, const std::filesystem::path& path);
Result<Model> load_model(const std::filesystem::path& path);

}  // namespace lerpp
