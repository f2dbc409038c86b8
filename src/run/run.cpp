// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lerp/embed/embed.hpp>
#include <lerp/eval/ranking_plan.hpp>
#include <lerp/kg/lookup.hpp>
#include <lerp/run/run.hpp>
#include <lerp/train/trace.hpp>

#include "run/state.hpp"

namespace lerpp {

Run::Run(std::shared_ptr<State> state, Observer observer, Answering answering)
    : state_(std::move(state)), observer_(std::move(observer)), answering_(answering) {}

Result<Run> Run::open(const std::filesystem::path& folder, unsigned threads,
                      const Observer& observer) {
  LERP_TRY(saved, open_run(folder));
  const bool embedding = saved.model.shape().embedding > 0;
  return Run(
      std::make_shared<State>(std::make_shared<const State::Folder>(
                                  State::Folder{folder, std::move(saved.config), embedding}),
                              std::make_shared<const Model>(std::move(saved.model)),
                              std::make_shared<RunData>(std::filesystem::path(), threads), threads),
      observer, Answering::usual);
}

Run Run::on(const std::filesystem::path& data) const {
  return {std::make_shared<State>(state_->folder(), state_->model(),
                                  std::make_shared<RunData>(data, state_->threads()),
                                  state_->threads()),
          observer_, answering_};
}

Run Run::on(Dataset dataset) const {
  return on(std::make_shared<const Dataset>(std::move(dataset)));
}

Run Run::on(std::shared_ptr<const Dataset> dataset) const {
  const KnownSplits splits = known_splits(config(), *dataset);
  return {std::make_shared<State>(
              state_->folder(), state_->model(),
              std::make_shared<RunData>(KnownGraph(std::move(dataset), splits, state_->threads())),
              state_->threads()),
          observer_, answering_};
}

Run Run::rules_only() const {
  if (model().shape().embedding == 0) return soft();
  return {std::make_shared<State>(state_->folder(),
                                  std::make_shared<const Model>(without_embedding(model())),
                                  state_->data(), state_->threads()),
          observer_, Answering::model};
}

Run Run::watched_by(const Observer& observer) const {
  return {state_, observer, answering_};
}

Run Run::soft() const {
  return {state_, observer_, Answering::model};
}

bool Run::has_list() const {
  return state_->has_list();
}

bool Run::list_answers() const {
  return state_->list_answers(answering_);
}

const std::filesystem::path& Run::folder() const {
  return state_->folder()->path;
}

const RunConfig& Run::config() const {
  return state_->folder()->config;
}

const Model& Run::model() const {
  return *state_->model();
}

Result<std::vector<EpochReport>> Run::trace() const {
  return load_trace(folder());
}

Result<std::shared_ptr<const Dataset>> Run::data() const {
  LERP_TRY(asked, state_->matched(observer_));
  return asked.known.shared_dataset();
}

Result<KnownGraph> Run::known() const {
  LERP_TRY(asked, state_->matched(observer_));
  return asked.known;
}

Result<bool> Run::lacks_embedding() const {
  if (model().shape().embedding == 0) return false;
  LERP_TRY(asked, state_->matched(observer_));
  return asked.lacks_embedding;
}

Result<EntityId> Run::entity(std::string_view name) const {
  LERP_TRY(dataset, data());
  return find_entity(*dataset, name);
}

Result<RelationId> Run::relation(std::string_view name) const {
  LERP_TRY(dataset, data());
  return find_relation(*dataset, name);
}

Result<Evaluation> Run::evaluate(const RankingOptions& options) const {
  LERP_TRY(known, state_->loaded(observer_));
  LERP_TRY(evaluation, evaluate_parts(model(), known, state_->with_threads(options), observer_));
  if (!state_->list_explains(answering_)) return evaluation;
  LERP_TRY(list, state_->listed(observer_));
  LERP_TRY(ranks, lerpp::evaluate(*list.model, known, state_->with_threads(options), observer_));
  evaluation.few_rules = std::move(ranks);
  return evaluation;
}

Result<AnswerRanks> Run::answer_ranks(const RankingOptions& options) const {
  LERP_TRY(asked, list_answers() ? state_->listed(observer_) : state_->matched(observer_));
  const RankingOptions ranking = state_->with_threads(options);
  const auto scorer = make_scorer(*asked.model, asked.known, ranking.threads, observer_);
  LERP_TRY(answers, rank_answers(*scorer, asked.known.dataset(), ranking, observer_));
  return AnswerRanks{asked.known.shared_dataset(), std::move(answers)};
}

Result<std::vector<Rank>> Run::ranks(std::span<const Fact> facts,
                                     const RankingOptions& options) const {
  LERP_TRY(asked, list_answers() ? state_->listed(observer_) : state_->matched(observer_));
  const RankingOptions ranking = state_->with_threads(options);
  const auto scorer = make_scorer(*asked.model, asked.known, ranking.threads, observer_);
  LERP_TRY(plan, RankingPlan::make(asked.known.dataset(), facts, ranking, observer_));
  return rank_share(*scorer, plan, {}, observer_);
}

Result<RankingReport> Run::evaluate_with(std::span<const Run> others,
                                         const RankingOptions& options) const {
  LERP_TRY(known, state_->loaded(observer_));
  std::vector<Model> models = {model()};
  for (const Run& other : others) models.push_back(other.model());
  return evaluate_together(models, known, state_->with_threads(options), observer_);
}

Result<Evaluation> Run::evaluate_with(const TransEModel& embedding,
                                      const RankingOptions& options) const {
  LERP_TRY(known, state_->loaded(observer_));
  return evaluate_with_embedding(without_embedding(model()), embedding, known,
                                 state_->with_threads(options), observer_);
}

Result<RuleReport> Run::rules(const RulesOptions& options) const {
  LERP_TRY(asked, state_->list_explains(answering_) ? state_->listed(observer_)
                                                    : state_->matched(observer_));
  return lerpp::rules(*asked.model, asked.known, state_->with_threads(options), observer_,
                      readings_file(folder()));
}

Result<RuleReport> Run::rules(const RuleList& list, const RulesOptions& options) const {
  LERP_TRY(asked, state_->matched(observer_));
  return lerpp::rules(list, asked.known, state_->with_threads(options), observer_);
}

Result<std::vector<ReadFunction>> Run::functions(const FunctionsOptions& options) const {
  LERP_TRY(asked, state_->matched(observer_));
  return lerpp::functions(*asked.model, asked.known, state_->with_threads(options));
}

Result<FunctionClusters> Run::function_clusters(const ClusterOptions& options) const {
  LERP_TRY(asked, state_->matched(observer_));
  return lerpp::function_clusters(*asked.model, asked.known, state_->with_threads(options),
                                  observer_);
}

Result<EntityFunctions> Run::entity_functions() const {
  LERP_TRY(asked, state_->matched(observer_));
  return lerpp::entity_functions(*asked.model, asked.known, state_->threads(), observer_);
}

Result<std::shared_ptr<const Predictor>> Run::predictor() const {
  return state_->predictor(list_answers(), observer_);
}

Result<std::shared_ptr<const Predictor>> Run::explainer() const {
  return state_->predictor(state_->list_explains(answering_), observer_);
}

Result<Prediction> Run::predict(const Query& query, const PredictOptions& options) const {
  LERP_CHECK(check_options(options));
  LERP_TRY(ready, predictor());
  return ready->predict(query, options);
}

Result<Prediction> Run::predict(std::string_view head, std::string_view relation,
                                std::string_view tail, const PredictOptions& options) const {
  LERP_CHECK(check_options(options));
  LERP_TRY(ready, predictor());
  LERP_TRY(query, ready->question(head, relation, tail));
  return ready->predict(query, options);
}

Result<std::vector<Prediction>> Run::predict_all(std::span<const Query> queries,
                                                 const PredictOptions& options) const {
  LERP_CHECK(check_options(options));
  LERP_TRY(ready, predictor());
  return ready->predict_all(queries, options, observer_);
}

Result<CuratedFacts> Run::complete(const CompleteOptions& options) const {
  LERP_TRY(ready, predictor());
  return lerpp::complete(*ready, options, observer_);
}

Result<CuratedFacts> Run::doubt(const DoubtOptions& options) const {
  LERP_TRY(ready, predictor());
  return lerpp::doubt(*ready, options, observer_);
}

Result<ScoredFacts> Run::score(std::vector<LabelledFact> facts) const {
  LERP_TRY(ready, predictor());
  return score_facts(*ready, std::move(facts), observer_);
}

Result<Calibration> Run::calibration(const CalibrationOptions& options) const {
  LERP_TRY(ready, predictor());
  return lerpp::calibration(*ready, options, observer_);
}

Result<Explanation> Run::explain(const Fact& fact, const ExplainOptions& options) const {
  LERP_TRY(ready, explainer());
  return lerpp::explain(*ready, fact, options);
}

Result<Explanation> Run::explain(std::string_view head, std::string_view relation,
                                 std::string_view tail, const ExplainOptions& options) const {
  LERP_TRY(ready, explainer());
  LERP_TRY(fact, ready->fact(head, relation, tail));
  return explain(fact, options);
}

Result<WhatIf> Run::what_if(const Fact& fact, std::span<const Fact> hide, std::span<const Fact> add,
                            const ExplainOptions& options) const {
  LERP_TRY(ready, explainer());
  return lerpp::what_if(*ready, fact, hide, add, options);
}

Result<DistillOptions> Run::distill_options() const {
  LERP_TRY(dataset, data());
  return state_->with_threads(lerpp::distill_options(*dataset));
}

Result<RuleList> Run::distill(const DistillOptions& options) const {
  LERP_TRY(asked, state_->matched(observer_));
  return lerpp::distill(*asked.model, asked.known, state_->with_threads(options), observer_);
}

Result<SwitchedOff> Run::switch_off(std::span<const Rule> rules,
                                    const RankingOptions& options) const {
  LERP_TRY(list, load_list());
  LERP_TRY(asked, state_->listed(observer_));
  return lerpp::switch_off(list, rules, asked.known, state_->with_threads(options), observer_);
}

Result<Fidelity> Run::fidelity(const RuleList& list, const std::vector<Split>& splits) const {
  LERP_TRY(asked, state_->matched(observer_));
  return lerpp::fidelity(*asked.model, list, asked.known, splits, state_->threads(), observer_);
}

std::filesystem::path Run::list_file() const {
  return state_->list_file();
}

Result<RuleList> Run::load_list() const {
  if (!std::filesystem::exists(list_file())) {
    return fail("the run has no list of rules", list_file().string(),
                fmt::format("make one: lerp distill {}", folder().string()));
  }
  LERP_TRY(dataset, data());
  return load_rules(list_file(), *dataset);
}

Result<void> Run::save_list(const RuleList& list, const std::filesystem::path& path) const {
  LERP_TRY(dataset, data());
  LERP_CHECK(save_rules(list, *dataset, path));
  state_->forget_list();
  return {};
}

Result<Exported> Run::export_rules(std::span<const Rule> rules, ExportFormat format) const {
  LERP_TRY(dataset, data());
  return lerpp::export_rules(rules, *dataset, format);
}

Result<Exported> Run::export_rules(const RuleList& list, ExportFormat format) const {
  LERP_TRY(dataset, data());
  return lerpp::export_rules(list.rules, *dataset, format);
}

Result<void> Run::export_facts(ExportFormat format, const std::filesystem::path& path) const {
  LERP_TRY(dataset, data());
  return lerpp::export_facts(*dataset, format, path, observer_);
}

Result<FunctionSpace> Run::function_space(const std::vector<std::string>& roles,
                                          const FunctionSpaceOptions& options) const {
  LERP_TRY(asked, state_->matched(observer_));
  const Dataset& dataset = asked.known.dataset();
  std::vector<Role> parsed;
  for (const std::string& text : roles) {
    LERP_TRY(role, parse_role(text, {dataset.relations, dataset.entities}));
    parsed.push_back(std::move(role));
  }
  if (parsed.empty()) parsed = usual_roles(asked.known);
  return lerpp::function_space(*asked.model, asked.known, parsed, state_->with_threads(options));
}

Result<Network> Run::network(OperatorId target, const NetworkOptions& options) const {
  return lerpp::network(model(), target, options);
}

Result<Report> Run::report(const ReportOptions& options) const {
  LERP_TRY(ready, explainer());
  LERP_TRY(asked, state_->matched(observer_));
  return make_report(folder(), config(), *asked.model, *ready, state_->with_threads(options),
                     observer_);
}

}  // namespace lerpp
