// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lerp/base/parallel.hpp>
#include <lerp/train/options.hpp>

namespace lerpp {
namespace {

/// Entities up to which a graph is dense, whatever its facts.
constexpr std::uint32_t small_graph = 1000;

/// Known facts an entity from which on a graph is rich.
constexpr std::size_t many_facts = 12;

/// Known facts an entity from which on a small graph is so dense that paths of three hops lead from
/// everywhere to everywhere: they cost minutes, and say less than those of two.
constexpr std::size_t crowded = 100;

/// Known facts of a whole graph below which it is thin.
constexpr std::size_t few_facts = 30'000;

/// The most queries of a target, up to `most`, with which all targets together have at most `all`
/// in an epoch: hundreds of relations are not to take as many times as long as ten.
std::uint64_t queries_within(const Dataset& dataset, std::uint64_t most, std::uint64_t all) {
  std::vector<std::uint64_t> counts(dataset.relations.size());
  for (const Fact& fact : dataset[Split::train]) ++counts[fact.relation];
  std::sort(counts.begin(), counts.end());
  // Smaller relations are asked whole; what they leave is shared among the others.
  std::uint64_t left = all / 2;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint64_t share = left / (counts.size() - i);
    if (counts[i] > share) return std::clamp<std::uint64_t>(share, 1, most);
    left -= counts[i];
  }
  return most;
}

/// Each lane has rows of all entities that its queries reach, which is most of them where there are
/// hubs: on a large graph there are fewer lanes.
std::uint32_t lanes_for(EntityId entities) {
  constexpr std::uint64_t most = 64;
  constexpr std::uint64_t least = 8;
  constexpr std::uint64_t entities_in_all = 3'200'000;
  return static_cast<std::uint32_t>(
      std::clamp(entities_in_all / std::max(1U, entities), least, most));
}

/// Rules of a relation that a person can read through.
constexpr std::uint32_t few_rules = 100;

TrainOptions evidence() {
  TrainOptions options;
  options.list.rules = few_rules;
  options.rules.operators = "positive";
  options.train.lanes = 64;
  options.rules.readout = "evidence";
  options.evidence.prior = true;
  options.train.steps = 0;
  options.train.schedule = "linear";
  options.train.match_links = true;
  return options;
}

/// A graph where nearly everything is within two hops: tables of paths say most, and rules and
/// constants most of what they miss as long as neither learns to lean on them.
TrainOptions dense(bool best) {
  TrainOptions options = evidence();
  options.functions.width = 32;
  options.functions.depth = 2;
  options.rules.count = 32;
  options.rules.length = 3;
  // Learned by heart here; targets with few facts begin with some of it, and keep that.
  options.evidence.prior_pace = 0;
  options.evidence.constants = true;
  options.evidence.paths = best ? 30'000 : 10'000;
  options.evidence.path_length = 3;
  options.evidence.path_pace = 0.1;
  options.train.epochs = 6;
  options.train.batch = 2;
  if (best) options.embedding.rank = 2048;
  options.train.rate = 0.01;
  options.train.weight_decay = 1;
  options.train.softmax = "each";
  options.train.balance = true;
  return options;
}

/// As many facts in all epochs as a small graph learns well from; more are learned by heart.
std::uint32_t dense_epochs(std::size_t facts) {
  constexpr std::size_t facts_in_all = 12'000;
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(facts_in_all / std::max<std::size_t>(1, facts), 2, 6));
}

/// Few facts an entity: what matters is far away, and rules have to be long.
TrainOptions sparse(bool best) {
  TrainOptions options = evidence();
  options.functions.width = best ? 16 : 32;
  options.functions.depth = best ? 2 : 1;
  options.rules.count = best ? 16 : 8;
  options.rules.length = best ? 6 : 4;
  options.rules.frontier = 4000;
  options.evidence.prior_pace = 0.3;
  options.evidence.paths = 600;
  options.evidence.path_length = best ? 3 : 2;
  options.evidence.constants = true;
  options.train.first_length = 3;
  options.train.frontier = 1000;
  options.train.epochs = best ? 8 : 4;
  options.train.batch = 16;
  options.train.rate = 0.07;
  options.train.thin = 0.003;
  options.train.queries = best ? 8'000 : 4'000;
  return options;
}

/// So few facts in all that everything is soon learned by heart: what entities take part in is
/// learned slowly, paths as if alone, and no batch hides much of the graph.
TrainOptions thin(bool best) {
  TrainOptions options = sparse(false);
  options.rules.length = 5;
  options.evidence.paths = 1500;
  options.evidence.path_length = 3;
  options.train.epochs = 8;
  options.train.batch = best ? 2 : 4;
  options.train.rate = best ? 0.01 : 0.015;
  options.train.softmax = "two";
  options.train.balance = true;
  options.train.share = true;
  return options;
}

/// Many facts an entity, of many relations: paths of two hops and constants say most, and what an
/// answer takes part in tells entities apart so well that it is learned by heart.
TrainOptions rich(bool best) {
  TrainOptions options = evidence();
  options.functions.depth = 0;
  options.rules.count = best ? 4 : 1;
  options.rules.length = best ? 2 : 1;
  options.rules.frontier = 300;
  options.evidence.prior_pace = 0.02;
  options.evidence.paths = 600;
  options.evidence.constants = true;
  options.train.epochs = best ? 3 : 2;
  options.train.batch = best ? 2 : 4;
  options.train.rate = best ? 0.007 : 0.01;
  options.train.weight_decay = 0.1;
  options.train.thin = 0.003;
  options.train.queries = best ? 3'000 : 600;
  return options;
}

}  // namespace

Result<TrainOptions> preset(std::string_view name, const Dataset& dataset) {
  if (name == "paper") return TrainOptions{};
  if (name != "default" && name != "best") {
    return fail_unknown("preset", name, "choose one of paper, default, best");
  }
  const bool best = name == "best";
  const std::size_t known = dataset[Split::facts].size() + dataset[Split::train].size();
  TrainOptions options;
  if (dataset.entities.size() <= small_graph) {
    options = dense(best);
    options.list.answers = !best;
    if (known > crowded * dataset.entities.size()) options.evidence.path_length = 2;
    if (!best) options.train.epochs = dense_epochs(dataset[Split::train].size());
    return options;
  }
  if (known > many_facts * dataset.entities.size()) {
    options = rich(best);
  } else if (known < few_facts) {
    options = thin(best);
  } else {
    options = sparse(best);
    options.train.queries =
        queries_within(dataset, options.train.queries, best ? 200'000 : 100'000);
  }
  options.list.answers = !best;
  options.train.lanes = lanes_for(dataset.entities.size());
  return options;
}

PathOptions path_options(const TrainOptions& options) {
  PathOptions paths;
  paths.paths = options.evidence.paths;
  paths.length = options.evidence.path_length;
  paths.direct = options.evidence.direct;
  paths.seed = options.train.seed;
  paths.threads = worker_count(options.train.threads);
  return paths;
}

KnownSplits known_splits(const TrainOptions& options) {
  return options.train.on_valid ? KnownSplits::train_and_valid : KnownSplits::train;
}

ModelShape shape_of(const TrainOptions& options, RelationId relations, EntityId entities) {
  ModelShape shape;
  shape.relations = relations;
  shape.width = options.functions.depth == 0 ? 0 : options.functions.width;
  shape.depth = options.functions.depth;
  shape.rules = options.rules.count;
  shape.length = options.rules.length;
  if (shape.depth > 0 && shape.rules > options.rules.constrained)
    shape.plain = shape.rules - options.rules.constrained;
  shape.positive = options.rules.operators == "positive";
  shape.evidence = options.rules.readout == "evidence";
  shape.prior = options.evidence.prior ? 1 : 0;
  shape.paths = options.evidence.paths;
  shape.constants = options.evidence.constants ? 1 : 0;
  shape.frontier = options.rules.frontier;
  if (options.embedding.rank > 0 && entities > 0) {
    shape.embedding = options.embedding.rank;
    shape.entities = entities;
  }
  return shape;
}

}  // namespace lerpp
