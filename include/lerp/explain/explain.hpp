// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lerp/explain/predict.hpp>
#include <lerp/logic/rule.hpp>
#include <lerp/logic/support.hpp>
#include <lerp/model/sources.hpp>

/// Why a model gives an answer its score, down to the facts. See docs/explain.md.
namespace lerpp {

struct ExplainOptions {
  std::string direction = "tail";
  bool with_fact = false;
  std::uint32_t top = 10;
  std::uint32_t reasons = 10;
  std::uint32_t groundings = 2;
  std::uint32_t facts = 6;
  std::uint32_t missing = 3;
  std::uint32_t walks = 1000;
  double work = 3e6;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"direction", "the end that is asked for", {"tail", "head"}}, self.direction);
    visit(Field{"with-fact", "the fact itself is not hidden while it is explained"},
          self.with_fact);
    visit(Field{"top", "an answer of a lower rank is not predicted: what is missing is shown", 1,
                1e9},
          self.top);
    visit(Field{"reasons", "reasons that are told one by one, at most", 1, 1e6}, self.reasons);
    visit(Field{"groundings", "proofs of each reason, at most", 0, 1000}, self.groundings);
    visit(Field{"facts", "facts that are left out, one at a time, to see what is needed", 0, 1000},
          self.facts);
    visit(Field{"missing", "facts that would have helped, at most", 0, 100}, self.missing);
    visit(
        Field{"walks", "walks of a soft rule that are retraced at each hop, the heaviest", 1, 1e6},
        self.walks);
    visit(Field{"work",
                "steps that counting a reason may take; beyond, starts are sampled; 0 counts none",
                0, 1e15},
          self.work);
  }
};

struct Explanation {
  /// A constraint of a rule, which holds of an entity.
  struct Check {
    Formula formula;
    EntityId entity = 0;
    std::vector<Fact> witness;  ///< facts that show it; what there is not has none
  };
  /// One way in which the body of a rule holds.
  struct Grounding {
    std::vector<EntityId> entities;  ///< x = z0, ..., zK = y; of a pair rule x and y
    std::vector<Fact> facts;         ///< one for each hop
    std::vector<Check> checks;
  };
  struct Part {
    Source source = Source::soft;
    std::uint32_t rule = 0;  ///< of a soft rule: its number
    std::uint32_t hop = 0;   ///< and where it speaks
    double share = 0;
  };
  /// What others with the same constant have, where a reason is that.
  struct Others {
    std::uint32_t have = 0;
    std::uint32_t all = 0;
  };
  struct Reason {
    std::optional<Rule> rule;  ///< none of an embedding; its weight is the share
    double share = 0;          ///< of the score
    std::vector<Part> parts;   ///< where in the model it comes from; they add up to the share
    std::uint64_t count = 0;   ///< groundings that were found
    std::optional<Others> others = {};
    /// How the rule fares on the graph, as lists of rules have it: read from the subject of its
    /// head to the object. None where it was not counted.
    std::optional<Support> support = {};
    double counted = 1;  ///< share of the x that were counted
    std::vector<Grounding> groundings = {};
  };
  /// A fact of the proofs, and how the answer stands without it, exactly.
  struct Needed {
    Fact fact;
    Standing without;
  };
  /// A rule that would hold if the graph knew one fact more, and how the answer stands then.
  struct Missing {
    Rule rule;  ///< its weight is what it adds, about
    Fact fact;
    std::optional<Split> known;  ///< where the data has it, unseen by the model
    std::vector<Fact> there;     ///< the facts of the rest of the body
    Standing with;
    bool exact = true;  ///< or but for what the fact changes in what constants say
  };

  /// A hop of a rule that leads nowhere: from this entity, or to it.
  struct Gap {
    OperatorId op = 0;
    EntityId entity = 0;
    bool from = true;
  };
  /// The strongest rule, where even that lacks more than one fact.
  struct Unreached {
    Rule rule;
    std::vector<Gap> gaps;  ///< as far as it gets from x, and back from y
  };

  Fact fact;
  Query query;
  EntityId answer = 0;
  std::optional<Split> known;  ///< where the data has the fact
  bool hidden = false;         ///< whether it was hidden
  bool evidence = false;       ///< scores are log-odds; shares of a sum of rules otherwise
  Standing standing;
  std::string objection = {};   ///< what speaks against it apart from the rules, in words
  std::vector<Reason> reasons;  ///< the largest share first
  std::size_t others = 0;       ///< further reasons
  double others_share = 0;
  /// So many reasons, the strongest that speak for the answer, keep it at its rank without anything
  /// else that does, and fewer do not. They may be more than there are here.
  std::size_t smallest = 0;
  /// Of all that speaks for the answer, what the three and the five strongest reasons carry.
  double top3_share = 0;
  double top5_share = 0;
  double walks_share = 0;        ///< of walks of the soft rules that were not retraced
  std::vector<Needed> needed;    ///< the most needed first
  bool predicted = false;        ///< whether the rank is within --top
  std::vector<Missing> missing;  ///< the most helpful first; only of what is not predicted
  std::optional<Unreached> unreached = {};  ///< where no one fact would help
  double seconds = 0;

  /// Reasons that people are shown one by one: up to the last of a smallest set that keeps the
  /// rank; all where there is no such set, or the answer is not predicted.
  std::size_t told() const;
};

/// The shares of the reasons, with others_share and walks_share, add up to the score.
Result<Explanation> explain(const Predictor& predictor, const Fact& fact,
                            const ExplainOptions& options = {});

/// How an answer stands when other facts are known.
struct WhatIf {
  Standing standing;  ///< without a probability where facts were added
  bool predicted = false;
  bool exact = true;  ///< or but for what added facts change in what constants say
};
/// Asks as explain() does while further facts are hidden, and others added.
Result<WhatIf> what_if(const Predictor& predictor, const Fact& fact, std::span<const Fact> hide,
                       std::span<const Fact> add, const ExplainOptions& options = {});

Json to_json(const Explanation& explanation, const Dataset& dataset);
std::string to_text(const Explanation& explanation, const Dataset& dataset);
/// The entities and facts of the proofs as a picture, for light and dark paper.
std::string to_svg(const Explanation& explanation, const Dataset& dataset);

}  // namespace lerpp
