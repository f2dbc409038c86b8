// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/curate/calibration.hpp>
#include <lerp/curate/complete.hpp>
#include <lerp/curate/score.hpp>
#include <lerp/distill/distill.hpp>
#include <lerp/distill/switch_off.hpp>
#include <lerp/embed/transe.hpp>
#include <lerp/eval/answer_ranks.hpp>
#include <lerp/explain/explain.hpp>
#include <lerp/logic/export.hpp>
#include <lerp/read/function_clusters.hpp>
#include <lerp/read/functions.hpp>
#include <lerp/read/rules.hpp>
#include <lerp/report/report.hpp>
#include <lerp/train/run.hpp>

/// One door to all that a trained run can be asked. See docs/cpp.md.
namespace lerpp {

enum class Answering;

/// A run folder, opened to be asked. The data is read when a question first needs it; what is found
/// once is kept, and copies share it. Several threads may ask at once: what they ask is const.
///
/// A run that has a short list of rules (rules.txt in its folder) answers with that, explains with
/// it and shows it, unless its options leave the answers to the model (list.answers).
///
/// Options whose threads are 0 take those of the run.
class Run {
 public:
  /// Reads the options and the model; 0 threads are one for each core. The observer watches all
  /// that is asked, and may stop it. It is called by whichever thread works, and by several at once
  /// where several questions are asked.
  static Result<Run> open(const std::filesystem::path& folder, unsigned threads = 0,
                          const Observer& observer = {});

  // The same run, asked in another way. Nothing is read twice that serves both.

  /// About another dataset, which must have some of the relations, by name. An embedding of other
  /// entities does not count there.
  Run on(const std::filesystem::path& data) const;
  Run on(Dataset dataset) const;
  Run on(std::shared_ptr<const Dataset> dataset) const;
  /// The model as it was learned, without its embedding.
  Run rules_only() const;
  /// The model as it was learned, whatever list there is.
  Run soft() const;
  Run watched_by(const Observer& observer) const;

  bool has_list() const;
  /// Whether predict() and what rests on it ask the list.
  bool list_answers() const;

  const std::filesystem::path& folder() const;
  const RunConfig& config() const;
  const Model& model() const;
  /// Every epoch, as the trace tells it.
  Result<std::vector<EpochReport>> trace() const;

  /// What is asked about, with the relations numbered as the model's: the data that the run was
  /// learned from, refused where it has changed since, or another.
  Result<std::shared_ptr<const Dataset>> data() const;
  Result<KnownGraph> known() const;
  /// Whether the model has an embedding of other entities, so that the rules answer alone.
  Result<bool> lacks_embedding() const;
  /// By name, or by human text where only one has it.
  Result<EntityId> entity(std::string_view name) const;
  Result<RelationId> relation(std::string_view name) const;

  /// Ranks a split, which may hold no relation that the model does not know: with the model, and
  /// with the list where there is one.
  Result<Evaluation> evaluate(const RankingOptions& options = {}) const;
  /// Question by question, with what answers; facts of relations that the model does not know are
  /// left out.
  Result<AnswerRanks> answer_ranks(const RankingOptions& options = {}) const;
  /// Of both questions about each of these facts, tails first, with what answers.
  Result<std::vector<Rank>> ranks(std::span<const Fact> facts,
                                  const RankingOptions& options = {}) const;
  /// By the sum of the scores of this and other runs of the same data.
  Result<RankingReport> evaluate_with(std::span<const Run> others,
                                      const RankingOptions& options = {}) const;
  /// The rules, with an embedding of the same data and without.
  Result<Evaluation> evaluate_with(const TransEModel& embedding,
                                   const RankingOptions& options = {}) const;

  Result<RuleReport> rules(const RulesOptions& options = {}) const;
  Result<RuleReport> rules(const RuleList& list, const RulesOptions& options = {}) const;
  Result<std::vector<ReadFunction>> functions(const FunctionsOptions& options = {}) const;
  /// Entities of which the same of them hold.
  Result<FunctionClusters> function_clusters(const ClusterOptions& options = {}) const;
  /// What they make of each entity, as numbers.
  Result<EntityFunctions> entity_functions() const;

  /// `relation(head, tail)` where one end is "?".
  Result<Prediction> predict(std::string_view head, std::string_view relation,
                             std::string_view tail, const PredictOptions& options = {}) const;
  Result<Prediction> predict(const Query& query, const PredictOptions& options = {}) const;
  Result<Explanation> explain(std::string_view head, std::string_view relation,
                              std::string_view tail, const ExplainOptions& options = {}) const;
  Result<Explanation> explain(const Fact& fact, const ExplainOptions& options = {}) const;
  /// How the fact stands as an answer while other facts are known.
  Result<WhatIf> what_if(const Fact& fact, std::span<const Fact> hide, std::span<const Fact> add,
                         const ExplainOptions& options = {}) const;
  /// Many questions at once, in their order.
  Result<std::vector<Prediction>> predict_all(std::span<const Query> queries,
                                              const PredictOptions& options = {}) const;
  /// The most likely facts that the data lacks, and the known ones that it makes least likely.
  Result<CuratedFacts> complete(const CompleteOptions& options = {}) const;
  Result<CuratedFacts> doubt(const DoubtOptions& options = {}) const;
  /// How likely given facts are; how well labelled ones are told apart.
  Result<ScoredFacts> score(std::vector<LabelledFact> facts) const;
  /// How far the probabilities can be trusted, against the test facts.
  Result<Calibration> calibration(const CalibrationOptions& options = {}) const;
  /// What answers those questions, made ready at the first.
  Result<std::shared_ptr<const Predictor>> predictor() const;
  /// What explains answers: the list, where there is one.
  Result<std::shared_ptr<const Predictor>> explainer() const;

  /// What serves the data best.
  Result<DistillOptions> distill_options() const;
  Result<RuleList> distill(const DistillOptions& options) const;
  /// What the list of the run loses without some of its rules.
  Result<SwitchedOff> switch_off(std::span<const Rule> rules,
                                 const RankingOptions& options = {}) const;
  Result<Fidelity> fidelity(const RuleList& list, const std::vector<Split>& splits) const;
  /// The list of the run, rules.txt of its folder.
  std::filesystem::path list_file() const;
  Result<RuleList> load_list() const;
  Result<void> save_list(const RuleList& list, const std::filesystem::path& path) const;

  Result<Exported> export_rules(std::span<const Rule> rules, ExportFormat format) const;
  Result<Exported> export_rules(const RuleList& list, ExportFormat format) const;
  /// The known facts as the exported rules expect them; whole or not at all.
  Result<void> export_facts(ExportFormat format, const std::filesystem::path& path) const;

  /// Roles as parse_role() reads them; the usual ones where there are none.
  Result<FunctionSpace> function_space(const std::vector<std::string>& roles = {},
                                       const FunctionSpaceOptions& options = {}) const;
  Result<Network> network(OperatorId target, const NetworkOptions& options = {}) const;
  Result<Report> report(const ReportOptions& options = {}) const;

 private:
  class State;
  Run(std::shared_ptr<State> state, Observer observer, Answering answering);

  std::shared_ptr<State> state_;
  Observer observer_;
  Answering answering_;
};

}  // namespace lerpp
