// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/options.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/model/model.hpp>
#include <lerp/model/rule_list.hpp>

/// From a soft model to a list of discrete rules that ranks nearly as well, and stands alone.
namespace lerpp {

struct DistillOptions {
  std::uint32_t rules = 100;
  std::uint32_t candidates = 400;
  std::uint32_t groups = 400;
  std::uint32_t queries = 6000;
  std::uint32_t open = 1000;
  std::uint32_t frontier = 1000;
  std::uint32_t folds = 0;
  std::uint32_t literals = 1;
  double cut = 0.3;
  std::uint32_t epochs = 4;
  std::uint32_t steps = 100;
  double refit = 0.25;
  std::uint32_t likeness = 40;
  double rate = 0.05;
  double decay = 0.01;
  double trust = 0;
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"rules", "rules of a relation; one that answers both ends counts once", 1, 1e6},
          self.rules);
    visit(Field{"candidates", "bodies of a target that are weighed before the list is cut", 1, 1e6},
          self.candidates);
    visit(Field{"groups", "bodies of a target that share logarithms, as in the soft rules", 0, 1e6},
          self.groups);
    visit(Field{"queries", "training facts of a target that the weights are fitted on", 1, 1e9},
          self.queries);
    visit(Field{"open", "questions of a target that the model alone answers, where it is trusted",
                0, 1e9},
          self.open);
    visit(Field{"frontier", "entities from which a hop is followed on", 1, 4e9}, self.frontier);
    visit(Field{"folds",
                "parts of the facts, one of which is hidden with a question; 0: its fact alone", 0,
                1000},
          self.folds);
    visit(Field{"literals", "times that literals are proposed for the rules on the list", 0, 16},
          self.literals);
    visit(
        Field{"cut", "share of the rules that each cut takes away, once there are few", 0.01, 0.9},
        self.cut);
    visit(Field{"epochs", "passes over the queries to fit the weights", 1, 1e6}, self.epochs);
    visit(Field{"steps", "steps of a fit at least: few queries are passed over more often", 0, 1e9},
          self.steps);
    visit(Field{"refit", "share of such a fit between two cuts", 0.01, 1}, self.refit);
    visit(Field{"likeness",
                "operators of a target for which what holds of others with the same neighbour is "
                "proposed",
                0, 1e6},
          self.likeness);
    visit(Field{"rate", "learning rate of Adam", 1e-9, 100}, self.rate);
    visit(Field{"decay", "pull of the weights to 0", 0, 100}, self.decay);
    visit(Field{"trust", "share of the model's own answers, beside the facts, in what is fitted", 0,
                1},
          self.trust);
    visit(Field{"seed", "of the sample"}, self.seed);
    visit(Field{"threads", "0 is one for each core", 0, 1024}, self.threads);
  }
};

/// What serves a dataset best: where facts are few, the model's answers say more than they do.
DistillOptions distill_options(const Dataset& dataset);

/// Writes down what the model knows as rules. Learns from the known facts alone.
Result<RuleList> distill(const Model& model, const KnownGraph& known, const DistillOptions& options,
                         const Observer& observer = {});

/// Lists of several sizes at the cost of the largest, each cut down from the one before it. The
/// sizes fall; options.rules counts for nothing.
Result<std::vector<RuleList>> distill_sizes(const Model& model, const KnownGraph& known,
                                            const DistillOptions& options,
                                            std::span<const std::uint32_t> sizes,
                                            const Observer& observer = {});

/// How near the list comes to its model.
struct Fidelity {
  struct Relation {
    std::string name;
    std::size_t rules = 0;
  };
  struct OnSplit {
    RankingReport model;
    RankingReport list;
  };

  std::vector<Relation> relations;
  std::vector<OnSplit> splits;
  double seconds = 0;  ///< of the distilling
};
/// Ranks the splits with both.
Result<Fidelity> fidelity(const Model& model, const RuleList& list, const KnownGraph& known,
                          const std::vector<Split>& splits, unsigned threads = 0,
                          const Observer& observer = {});
Json to_json(const Fidelity& fidelity);
std::string to_text(const Fidelity& fidelity);

}  // namespace lerpp
