#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/memory.hpp>
#include <lerp/base/team.hpp>
#include <lerp/embed/embed.hpp>

#include "base/clock.hpp"
#include "embed/transe_trainer.hpp"

namespace lerpp {
namespace {

/// Up to here, every wrong answer counts in every batch. Beyond, a step costs more than its
/// queries: it computes the functions of every entity and moves all vectors.
constexpr EntityId large_graph = 10'000;
constexpr std::uint32_t drawn_on_large_graphs = 1'000;
constexpr std::uint32_t batch_on_small_graphs = 128;
constexpr std::uint32_t batch_on_large_graphs = 1'024;
/// There most entities have nearly the same functions: at full size and pace, W L(e) drowns what
/// tells them apart before that is learned.
constexpr double functions_on_large_graphs = 0.1;

class Embedder {
 public:
  Embedder(const Dataset& dataset, const EmbedOptions& options, const Observer& observer)
      : dataset_(dataset),
        options_(options),
        observer_(observer),
        graph_(dataset.known_graph(false, options.threads)),
        team_(options.threads),
        trainer_(graph_, shape_of(options, dataset), options, team_),
        state_(initial_transe<float>(shape_of(options, dataset), options.seed)) {
    for (float& value : state_.parameters.rotation) value *= static_cast<float>(options.start);
    result_.options = options;
    result_.model.entities = fingerprint(dataset.entities);
    for (RelationId id = 0; id < dataset.relations.size(); ++id)
      result_.model.relations.emplace_back(dataset.relations.name(id));
  }

  Result<Embedded> run(const EmbedHook& hook) {
    const Clock::time_point start = Clock::now();
    for (std::uint32_t number = 1; number <= options_.epochs; ++number) {
      EmbedEpoch epoch;
      epoch.epoch = number;
      epoch.epochs = options_.epochs;
      LERP_CHECK(learn(epoch));
      LERP_CHECK(rank_all(epoch));
      result_.epochs.push_back(epoch);
      if (hook) LERP_CHECK(hook(epoch, epoch.best ? &result_.model : nullptr));
    }
    result_.seconds = seconds_since(start);
    result_.peak_memory_bytes = peak_memory();
    return std::move(result_);
  }

 private:
  Result<void> learn(EmbedEpoch& epoch) {
    const Clock::time_point start = Clock::now();
    const std::string stage = fmt::format("epoch {}/{}", epoch.epoch, epoch.epochs);
    trainer_.start_epoch(epoch.epoch - 1);
    const ShuffledQueries& queries = trainer_.queries();
    const std::size_t total = queries.queries_before(queries.batches());
    for (std::size_t batch = 0; batch < queries.batches(); ++batch) {
      const TransELosses losses = trainer_.learn(batch, state_);
      if (!std::isfinite(losses.loss)) {
        return fail("the loss is not a number", stage, "lower the rate");
      }
      const double share = static_cast<double>(queries[batch].size()) / static_cast<double>(total);
      epoch.loss += share * losses.loss;
      epoch.margin_loss += share * losses.margin;
      epoch.ratio += share * losses.ratio;
      epoch.entropy += share * losses.entropy;
      observer_.report({stage, queries.queries_before(batch + 1), total, "queries", {}});
      if (observer_.stopped()) {
        return fail(fmt::format("stopped in epoch {}", epoch.epoch), "", "",
                    ErrorKind::interrupted);
      }
    }
    epoch.learn_seconds = seconds_since(start);
    return {};
  }

  Result<std::optional<RankingReport>> rank_split(const Scorer& scorer, Split split,
                                                  std::uint64_t facts) const {
    if (dataset_[split].empty()) return std::nullopt;
    RankingOptions ranking;
    ranking.split = split;
    ranking.threads = options_.threads;
    ranking.facts = facts;
    LERP_TRY(report, rank(scorer, dataset_, ranking, observer_.silent()));
    return std::move(report);
  }

  Result<void> rank_all(EmbedEpoch& epoch) {
    const Clock::time_point start = Clock::now();
    const std::unique_ptr<Scorer> scorer = make_scorer(state_.parameters, graph_, options_.threads);
    LERP_TRY(train, rank_split(*scorer, Split::train, options_.ranked));
    LERP_TRY(valid, rank_split(*scorer, Split::valid, 0));
    LERP_TRY(test, rank_split(*scorer, Split::test, 0));
    const auto mrr = [](const std::optional<RankingReport>& report) {
      return report ? std::optional(report->both.realistic.mrr) : std::nullopt;
    };
    epoch.train_mrr = mrr(train);
    epoch.valid_mrr = mrr(valid);
    epoch.test_mrr = mrr(test);
    // Without validation the last one counts as the best.
    const double quality = epoch.valid_mrr.value_or(epoch.epoch);
    epoch.best = quality > best_;
    if (epoch.best) {
      best_ = quality;
      result_.best_epoch = epoch.epoch;
      result_.model.parameters = state_.parameters;
      result_.valid = std::move(valid);
      result_.test = std::move(test);
    }
    epoch.rank_seconds = seconds_since(start);
    return {};
  }

  const Dataset& dataset_;
  const EmbedOptions& options_;
  const Observer& observer_;
  Graph graph_;
  Team team_;
  TransETrainer trainer_;
  TransEState state_;
  double best_ = -1;
  Embedded result_;
};

}  // namespace

void resolve(EmbedOptions& options, const Dataset& dataset) {
  const EntityId entities = dataset.entities.size();
  const bool large = entities > large_graph;
  if (options.negatives == 0) options.negatives = large ? drawn_on_large_graphs : entities;
  if (options.batch == 0) options.batch = large ? batch_on_large_graphs : batch_on_small_graphs;
  options.negatives = std::min(options.negatives, entities);
  for (double* share : {&options.pace, &options.start}) {
    if (*share == 0) *share = large ? functions_on_large_graphs : 1;
  }
}

TransEShape shape_of(const EmbedOptions& options, const Dataset& dataset) {
  const bool plain = options.variant == "transe";
  return {dataset.entities.size(), dataset.relations.size(), options.dim, plain ? 0 : options.width,
          plain ? 0 : options.depth};
}

Result<Embedded> embed(const Dataset& dataset, const EmbedOptions& options,
                       const Observer& observer, const EmbedHook& hook) {
  assert(options.variant != "all");
  if (dataset[Split::facts].empty() && dataset[Split::train].empty()) {
    return fail("there are no training facts", dataset.name, "give a dataset with a train split");
  }
  EmbedOptions resolved = options;
  resolve(resolved, dataset);
  return Embedder(dataset, resolved, observer).run(hook);
}

}  // namespace lerpp
