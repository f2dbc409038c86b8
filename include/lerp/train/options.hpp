// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lerp/base/options.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/model/parameters.hpp>
#include <lerp/model/paths.hpp>

namespace lerpp {

/// Everything that decides what is learned. Each field is declared once, below: flags,
/// configuration file, JSON and documentation come from there.
struct TrainOptions {
  struct {
    std::uint32_t width = 80;
    std::uint32_t depth = 2;
  } functions;
  struct {
    std::uint32_t count = 0;
    std::uint32_t length = 3;
    std::uint32_t constrained = 32;
    std::string operators = "softmax";
    std::string readout = "sum";
    std::uint32_t frontier = 0;
  } rules;
  struct {
    bool prior = false;
    double prior_pace = 1;
    std::uint32_t paths = 0;
    std::uint32_t path_length = 2;
    bool direct = true;
    double path_pace = 1;
    bool constants = false;
  } evidence;
  struct {
    std::uint32_t epochs = 0;
    std::uint32_t batch = 16;
    std::uint32_t lanes = 4;
    std::uint32_t steps = 64;
    std::uint32_t first_length = 0;
    std::uint32_t frontier = 0;
    double thin = 0;
    double rate = 0.1;
    std::string schedule = "constant";
    double weight_decay = 0;
    std::uint32_t patience = 0;
    double seconds = 0;
    std::uint64_t queries = 0;
    bool match_links = false;
    std::string softmax = "one";
    bool balance = false;
    bool share = false;
    bool on_valid = false;
    double checkpoint_seconds = 30;
    std::uint64_t seed = 1;
    std::uint32_t threads = 0;
  } train;
  struct {
    std::uint32_t rank = 0;
    std::uint32_t epochs = 10;
    std::uint32_t batch = 16;
    double rate = 0.02;
    double n3 = 0.05;
  } embedding;
  struct {
    std::uint32_t rules = 0;
    bool answers = true;
  } list;
  struct {
    std::uint64_t facts = 5000;
  } valid;

  /// What older runs may name.
  static constexpr std::array removed = {
      RemovedOption{"evidence.pairs", "0"}, RemovedOption{"train.growth", "1"},
      RemovedOption{"train.clip", "0"}, RemovedOption{"train.dropout", "0"}};

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(basic(Field{"functions.width", "m: logical functions of an entity", 1, 4096}),
          self.functions.width);
    visit(basic(Field{"functions.depth", "T: columns of the functions; 0 is none, as in DRUM", 0,
                      16}),
          self.functions.depth);
    visit(
        basic(Field{"rules.count",
                    "N: rules of each target; 0 is 200 on small graphs and 4 on others", 0, 65536}),
        self.rules.count);
    visit(basic(Field{"rules.length",
                      "K: hops of a rule; 0, with evidence, only tells x from others", 0, 16}),
          self.rules.length);
    visit(Field{"rules.constrained",
                "rules of a target that have constraints, at most: more of them learn entities by "
                "heart; the others are plain chains",
                1, 65536},
          self.rules.constrained);
    visit(Field{"rules.operators",
                "operators of a hop share one weight (softmax) or have their own (positive)",
                {"softmax", "positive"}},
          self.rules.operators);
    visit(Field{"rules.readout",
                "rules are summed, or each adds signed evidence at every hop",
                {"sum", "evidence"}},
          self.rules.readout);
    visit(Field{"rules.frontier",
                "entities of a query that pass anything on, the nearest; 0 is all", 0, 1e9},
          self.rules.frontier);
    visit(Field{"evidence.prior", "what an answer takes part in speaks for or against it"},
          self.evidence.prior);
    visit(
        Field{"evidence.prior_pace",
              "learning rate of that, as a share of train.rate; 0 leaves it to what relations with "
              "few facts begin with",
              0, 1e3},
        self.evidence.prior_pace);
    visit(
        basic(Field{"evidence.paths", "paths of each target that are weighed one by one", 0, 1e6}),
        self.evidence.paths);
    visit(basic(Field{"evidence.path_length", "hops of such a path, at most", 1, 3}),
          self.evidence.path_length);
    visit(Field{"evidence.direct", "paths of one hop count too"}, self.evidence.direct);
    visit(
        Field{"evidence.path_pace", "learning rate of paths, as a share of train.rate", 1e-9, 1e3},
        self.evidence.path_pace);
    visit(basic(Field{"evidence.constants",
                      "what others with the same r(x, c) answer speaks for an answer"}),
          self.evidence.constants);
    visit(basic(Field{"train.epochs",
                      "passes over the training queries; 0 is 4 on large graphs and 10 on others",
                      0, 1e6}),
          self.train.epochs);
    visit(basic(Field{"train.batch", "queries of one target that are learned together, at least", 1,
                      65536}),
          self.train.batch);
    visit(
        Field{"train.lanes", "batches of different targets that are learned side by side", 1, 4096},
        self.train.lanes);
    visit(Field{"train.steps",
                "batches of a target in an epoch: larger targets get larger batches; 0 is no limit",
                0, 1e9},
          self.train.steps);
    visit(Field{"train.first_length",
                "hops of a rule in the first epoch, one more in each; 0 is rules.length", 0, 16},
          self.train.first_length);
    visit(Field{"train.frontier", "rules.frontier while rules are learned; 0 is the same", 0, 1e9},
          self.train.frontier);
    visit(Field{"train.thin",
                "smaller entries of the gradient of a score are kept at random; 0 keeps all", 0, 1},
          self.train.thin);
    visit(basic(Field{"train.rate", "learning rate of Adam", 1e-9, 100}), self.train.rate);
    visit(Field{"train.schedule",
                "how the rate falls, to a tenth at the end",
                {"constant", "linear", "cosine"}},
          self.train.schedule);
    visit(Field{"train.weight_decay",
                "pull of parameters, not functions', to 0, decoupled from the gradient", 0, 1},
          self.train.weight_decay);
    visit(
        basic(Field{"train.patience",
                    "epochs without a better validation MRR before stopping; 0 is never", 0, 1e6}),
        self.train.patience);
    visit(basic(Field{"train.seconds",
                      "stop learning so that all ends within so many seconds; 0 is no limit", 0,
                      1e9}),
          self.train.seconds);
    visit(basic(Field{"train.queries", "most queries of a target in an epoch; 0 is all", 0, 1e12}),
          self.train.queries);
    visit(Field{"train.match_links",
                "ask about facts whose ends other facts link as rarely as validation does"},
          self.train.match_links);
    visit(
        Field{"train.softmax",
              "evidence learns under one softmax; or each kind under its own, as if alone, and is "
              "added up: rules and the rest (two), or rules, prior, paths and constants "
              "(each)",
              {"one", "two", "each"}},
        self.train.softmax);
    visit(Field{"train.balance",
                "validation facts say, in the end, how much kinds that learned apart count"},
          self.train.balance);
    visit(Field{"train.share", "targets learn together what constants of one kind say"},
          self.train.share);
    visit(basic(Field{"train.on_valid",
                      "learn from the validation facts too; then the last epoch is kept"}),
          self.train.on_valid);
    visit(Field{"train.checkpoint_seconds",
                "an interruption costs no more than this; 0 is a checkpoint after every batch", 0,
                1e9},
          self.train.checkpoint_seconds);
    visit(basic(Field{"train.seed", "the same seed and lanes give the same model", 0, 1e18}),
          self.train.seed);
    visit(basic(Field{"train.threads", "how many threads to use; 0 is one for each core", 0, 1024}),
          self.train.threads);
    visit(basic(Field{"embedding.rank",
                      "complex numbers of an entity, learned after the rules and added; 0 is none",
                      0, 16384}),
          self.embedding.rank);
    visit(basic(Field{"embedding.epochs", "passes of the embedding over the facts", 1, 1e6}),
          self.embedding.epochs);
    visit(Field{"embedding.batch", "queries that the embedding learns together", 1, 65536},
          self.embedding.batch);
    visit(Field{"embedding.rate", "learning rate of the embedding, of Adagrad", 1e-9, 100},
          self.embedding.rate);
    visit(Field{"embedding.n3", "weight of the N3 norm, which keeps the embedding small", 0, 1e3},
          self.embedding.n3);
    visit(basic(Field{"list.rules",
                      "rules of a relation in the short list that is made in the end; 0 is none", 0,
                      1e6}),
          self.list.rules);
    visit(basic(Field{"list.answers",
                      "the list answers questions; or it explains what the model answers"}),
          self.list.answers);
    visit(Field{"valid.facts", "validation facts ranked after an epoch, spread over all; 0 is all",
                0, 1e12},
          self.valid.facts);
  }
};

/// A named set of options for a dataset: "paper", "default" or "best".
Result<TrainOptions> preset(std::string_view name, const Dataset& dataset);

/// Options that each are right but do not go together.
Result<void> check_together(const TrainOptions& options);

/// How the paths of a model are mined.
PathOptions path_options(const TrainOptions& options);

/// What a caller asks for. The later parts win over the earlier ones.
struct OptionRequest {
  std::string preset = "default";
  std::filesystem::path config = {};       ///< a file of options, as config.toml of a run, or none
  std::vector<std::string> settings = {};  ///< "name=value"
  std::optional<std::uint64_t> seed = {};
  std::optional<unsigned> threads = {};
  bool on_valid = false;
};

/// Options with nothing left to decide, in range, and that go together: the only ones that are
/// learned with.
class ResolvedOptions {
 public:
  const TrainOptions& operator*() const { return options_; }
  const TrainOptions* operator->() const { return &options_; }

 private:
  explicit ResolvedOptions(TrainOptions options) : options_(std::move(options)) {}
  friend Result<ResolvedOptions> resolve(const Dataset& dataset, TrainOptions options);

  TrainOptions options_;
};

/// What a model may know that was learned with these options.
KnownSplits known_splits(const TrainOptions& options);

/// Fills in what is left to the graph, such as the number of rules and of epochs, and checks.
Result<ResolvedOptions> resolve(const Dataset& dataset, TrainOptions options);
/// The same for preset, file, settings and the rest, merged.
Result<ResolvedOptions> resolve(const Dataset& dataset, const OptionRequest& request);

/// Without a number of entities, that of the rules alone.
ModelShape shape_of(const TrainOptions& options, RelationId relations, EntityId entities = 0);

}  // namespace lerpp
