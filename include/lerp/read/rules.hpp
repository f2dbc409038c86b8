// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/options.hpp>
#include <lerp/logic/support.hpp>
#include <lerp/model/model.hpp>
#include <lerp/model/rule_list.hpp>
#include <lerp/model/sources.hpp>

/// The rules of a model, read as discrete rules with figures and examples. See docs/rules.md.
namespace lerpp {

struct RulesOptions {
  std::string relation;
  std::uint32_t top = 20;
  std::uint32_t each = 100;
  double confidence = 0;
  double pca = 0;
  std::uint32_t examples = 2;
  std::uint32_t questions = 0;
  double work = 3e6;
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"relation", "of the head; all where left out"}, self.relation);
    visit(Field{"top", "rules to show; 0 is all", 0, 1e6}, self.top);
    visit(Field{"each", "rules of a relation shown at most", 1, 1e6}, self.each);
    visit(Field{"confidence", "of a rule at least; above 0, none that speak against their head", 0,
                1},
          self.confidence);
    visit(Field{"pca", "PCA confidence of a rule at least; above 0, as before", 0, 1}, self.pca);
    visit(Field{"examples", "proofs named for each rule", 0, 1000}, self.examples);
    visit(Field{"questions", "training facts of a target on which the model is watched; 0 chooses",
                0, 1e6},
          self.questions);
    visit(
        Field{"work", "steps that counting a rule may take; beyond, starts are sampled", 1e3, 1e15},
        self.work);
    visit(Field{"seed", "of the samples"}, self.seed);
    visit(Field{"threads", "0 is one for each core", 0, 1024}, self.threads);
  }
};

struct RuleExample {
  std::vector<EntityId> path;  ///< x, z1, ..., y
  bool known = false;          ///< whether the head is a fact of the graph
};

struct ReadRule {
  /// From the subject of the head to its object, simplified. The weight is what the model adds to
  /// a score, on average: for an answer where the body holds, in log-odds; where the model is a sum
  /// of rules, for each grounding of the body, the product of its shares.
  Rule rule;
  Source source = Source::soft;  ///< where most of its evidence lies
  /// Of the evidence by which the model prefers right answers of this relation to wrong ones that
  /// it likes, as if ten further questions had said nothing. Below 0 where the rule prefers those.
  double share = 0;
  /// Masked, over pairs of different entities of the training graph; of `x = y`, over all.
  Support support = {};
  double counted = 1;      ///< share of the x that were counted; the counts are theirs
  std::uint64_t news = 0;  ///< pairs of the body that the graph does not know
  std::uint64_t hits = 0;  ///< validation facts among them
  /// How much more often they are validation facts than other unknown pairs of the head's domain
  /// and range; nothing where there is nothing to compare.
  std::optional<double> lift = {};
  std::vector<RuleExample> examples = {};
};

struct RuleReport {
  std::vector<ReadRule> rules;  ///< by their share, the largest first
  std::size_t found = 0;        ///< before the list was cut
  std::size_t questions = 0;    ///< that were asked
  bool sum = false;             ///< the model is a sum of rules, and weights are of one grounding
  double seconds = 0;

  std::vector<Rule> top(std::size_t most) const;
};

/// What the model does, as rules. Seconds, however large the graph. Where a file is named, what was
/// read is kept there, and is not read again: neither for another relation nor for a longer list. A
/// file of another model, of other data or options, or a damaged one is written anew.
Result<RuleReport> rules(const Model& model, const KnownGraph& known,
                         const RulesOptions& options = {}, const Observer& observer = {},
                         const std::filesystem::path& kept = {});
/// Where a run folder keeps them.
std::filesystem::path readings_file(const std::filesystem::path& folder);
/// The same for a distilled list.
Result<RuleReport> rules(const RuleList& list, const KnownGraph& known,
                         const RulesOptions& options = {}, const Observer& observer = {});
Json to_json(const RuleReport& report, const Dataset& dataset);
std::string to_text(const RuleReport& report, const Dataset& dataset);

/// How the rules of a report compare with the rules by which a dataset was made.
struct Recovery {
  std::size_t shown = 0;    ///< rules that speak for their head
  std::size_t right = 0;    ///< those that have no exception in the world of the true rules
  std::size_t given = 0;    ///< true rules
  std::size_t found = 0;    ///< those that are shown, or whose pairs a shown rule has exactly
  std::size_t covered = 0;  ///< those whose every pair some shown true rule has too
  std::vector<Rule> missed;
  std::vector<Rule> wrong;

  double precision() const { return share(right, shown); }
  double recall() const { return share(found, given); }
  double coverage() const { return share(covered, given); }

 private:
  static double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};
/// The world is every fact of every split with all that follows from the true rules.
Result<Recovery> compare(const RuleReport& report, const std::vector<Rule>& truth,
                         const Dataset& dataset);
Json to_json(const Recovery& recovery, const Dataset& dataset);
std::string to_text(const Recovery& recovery);

}  // namespace lerpp
