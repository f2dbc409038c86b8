// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/epoch_state.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/embed/transe.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/model/model.hpp>

namespace lerpp {

/// What decides an embedding by TransE. The defaults are the paper's, where it names any.
struct EmbedOptions {
  std::string variant = "entropy";
  std::uint32_t dim = 20;
  std::uint32_t width = 8;
  std::uint32_t depth = 2;
  double eta = 10;
  double gamma = 1;
  double margin = 1;
  double rate = 0.03;
  double pace = 0;
  double start = 0;
  std::string schedule = "linear";
  std::uint32_t batch = 0;
  std::uint32_t epochs = 40;
  std::uint32_t patience = 10;
  double rise = 0.002;
  std::uint32_t negatives = 0;
  bool seen = false;
  std::uint64_t ranked = 2000;
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"variant",
                "plain TransE, with logical functions, and with those made crisp by entropy",
                {"transe", "lerp", "entropy", "all"}},
          self.variant);
    visit(Field{"dim", "numbers of an entity", 1, 16384}, self.dim);
    visit(Field{"width", "m: logical functions of an entity", 1, 4096}, self.width);
    visit(Field{"depth", "T: columns of the functions", 1, 16}, self.depth);
    visit(Field{"eta", "weight of |embed(e)| / |W L(e)|, summed over entities", 0, 1e9}, self.eta);
    visit(Field{"gamma", "weight of the entropy of the functions, in the variant entropy", 0, 1e9},
          self.gamma);
    visit(Field{"margin", "by which an answer is to be closer than others", 1e-9, 1e9},
          self.margin);
    visit(Field{"rate", "learning rate of Adam", 1e-9, 100}, self.rate);
    visit(Field{"pace",
                "learning rate of the functions and of W, as a share; 0 is 1, on large graphs 0.1",
                0, 1e3},
          self.pace);
    visit(Field{"start", "size of W at first, as a share; 0 is 1, on large graphs 0.1", 0, 1e3},
          self.start);
    visit(Field{"schedule",
                "how the rate falls: linear and cosine to a tenth at the end; plateau to a third "
                "wherever training MRR has stopped rising, three times, and then learning ends",
                {"constant", "linear", "cosine", "plateau"}},
          self.schedule);
    visit(Field{"batch", "queries that are learned together; 0 is 128, on large graphs 1,024", 0,
                1e9},
          self.batch);
    visit(Field{"epochs", "passes over the facts, at most", 1, 1e6}, self.epochs);
    visit(Field{"patience", "epochs without a rise that make a plateau", 1, 1e6}, self.patience);
    visit(Field{"rise", "of training MRR: a smaller one is none, on a plateau", 0, 1}, self.rise);
    visit(Field{"negatives",
                "entities that a batch is compared with; 0 is all, on large graphs 1,000 drawn "
                "anew for each batch",
                0, 4e9},
          self.negatives);
    visit(Field{"seen", "the functions see a batch's own facts, which are hidden otherwise"},
          self.seen);
    visit(
        Field{"ranked", "training facts ranked after an epoch, spread over all; 0 is all", 0, 1e12},
        self.ranked);
    visit(Field{"seed", "the same seed gives the same embedding, whatever the threads", 0, 1e18},
          self.seed);
    visit(Field{"threads", "how many threads to use; 0 is one for each core", 0, 1024},
          self.threads);
  }
};

/// Fills in what was left to the graph.
void resolve(EmbedOptions& options, const Dataset& dataset);
TransEShape shape_of(const EmbedOptions& options, const Dataset& dataset);

/// What one epoch came to. MRR is realistic; none where a split has no facts.
struct EmbedEpoch {
  std::uint32_t epoch = 0;  ///< counted from 1
  std::uint32_t epochs = 0;
  double loss = 0;  ///< mean over the queries, as are its parts
  double margin_loss = 0;
  double ratio = 0;
  double entropy = 0;
  std::optional<double> train_mrr, valid_mrr, test_mrr;
  bool best = false;
  double learn_seconds = 0;
  double rank_seconds = 0;
};
Json to_json(const EmbedEpoch& epoch);
EmbedEpoch embed_epoch_of(const Json& json);
/// "epoch  12/100   loss 31.2   MRR train 0.731 valid 0.702 test 0.701 best   0.6 s", in one line
std::string to_text(const EmbedEpoch& epoch);

struct Embedded {
  TransEModel model;  ///< best on validation, or the last
  EmbedOptions options;
  std::vector<EmbedEpoch> epochs;
  std::uint32_t best_epoch = 0;
  std::optional<RankingReport> valid, test;  ///< of the model
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
};
/// The keys of a ranking on the test facts, then those of training.
Json to_json(const Embedded& embedded);
/// "test MRR 0.701 (optimistic 0.702, pessimistic 0.701)   hits@1 …   hits@10 …   epoch 38 of 40"
std::string summary(const Embedded& embedded);

/// All that training needs to go on exactly where it was.
struct EmbedState : EpochState {
  EmbedState() = default;
  explicit EmbedState(TransEParameters<float> start);

  TransEParameters<float> parameters, best;
  TransEParameters<float> first, second;  ///< moments of the optimiser
  std::uint64_t steps = 0;
  double margin_loss = 0, ratio = 0, entropy = 0;  ///< summed as the loss is
  /// The epochs that are done. A checkpoint leaves them to the trace of its run.
  std::vector<EmbedEpoch> trace;
};

/// What a caller may want done meanwhile. A failure ends the training.
struct EmbedHooks {
  std::function<Result<void>(const EmbedEpoch&)> epoch = {};
  /// Called after every epoch, every half minute of one, and before an orderly stop.
  std::function<Result<void>(const EmbedState&)> checkpoint = {};
};

/// Learns from the known facts, in both directions. Options must be checked. Goes on from `state`
/// where one is given. The same seed gives the same bytes, whatever the threads.
Result<Embedded> embed(const Dataset& dataset, const EmbedOptions& options,
                       const Observer& observer = {}, const EmbedHooks& hooks = {},
                       std::optional<EmbedState> state = {});

/// Learns and leaves a run folder, which must be new, as lerp train does.
Result<Embedded> embed_run(const Dataset& dataset, const std::filesystem::path& data,
                           const EmbedOptions& options, const std::filesystem::path& folder,
                           const Observer& observer = {},
                           const std::function<void(const std::string&)>& say = {});
/// Goes on with an interrupted run; a finished one is ranked again.
Result<Embedded> resume_embed_run(const std::filesystem::path& folder,
                                  const Observer& observer = {},
                                  const std::function<void(const std::string&)>& say = {});
/// Learns into a folder, or goes on with the run that is there: it must be of the same data and
/// options. What is finished is ranked again and learns nothing.
Result<Embedded> embed_run_again(const Dataset& dataset, const std::filesystem::path& data,
                                 const EmbedOptions& options, const std::filesystem::path& folder,
                                 const Observer& observer = {},
                                 const std::function<void(const std::string&)>& say = {});

/// The model of a finished run.
Result<TransEModel> open_embedding(const std::filesystem::path& folder);

Result<void> save_embed_state(const EmbedState& state, const std::filesystem::path& path);
Result<EmbedState> load_embed_state(const std::filesystem::path& path, const TransEShape& shape);

/// The ranks of a model of rules that add evidence, with an embedding as one more term and without.
/// Validation facts say how much it counts for each target; where there are none, or the rules have
/// learned from them, it counts as it is.
Result<Evaluation> evaluate_with_embedding(const Model& rules, const TransEModel& embedding,
                                           const KnownGraph& known,
                                           const RankingOptions& options = {},
                                           const Observer& observer = {});

}  // namespace lerpp
