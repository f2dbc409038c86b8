// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lerp/eval/ranking.hpp>
#include <lerp/logic/anyburl.hpp>
#include <lerp/model/known_graph.hpp>

/// Rules of any origin, applied to a graph and ranked by their confidence.
namespace lerpp {

/// How the confidences of the rules that lead to an answer become its score.
///
/// max: the highest decides, the second highest where those are equal, and so on; more of them win.
/// noisy_or: 1 - the product of 1 - confidence.
/// sum: of the confidences, or weights of any sign.
enum class Aggregation : std::uint8_t { max, noisy_or, sum };
Result<Aggregation> aggregation_named(std::string_view name);

/// What AnyBURL and PyClause make of the figures in a rule file: the confidence is
/// correct / (predicted + unseen), times the weight of the kind.
struct AnyburlOptions {
  double unseen = 5;
  double open_weight = 0.01;
  double zero_weight = 0.1;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"unseen", "wrong predictions that every rule starts with", 0, 1e9}, self.unseen);
    visit(Field{"open-weight", "of rules h(X,c) <= b(X,A), whose body ends anywhere", 0, 1},
          self.open_weight);
    visit(Field{"zero-weight", "of rules h(X,c) <=, which have no body", 0, 1}, self.zero_weight);
  }
};

struct ConfidentRule {
  std::variant<Rule, AnyburlRule> rule;
  double confidence = 0;
};

/// Reads AnyBURL's rule files and those of docs/logic.md, told apart by their first line.
Result<std::vector<ConfidentRule>> load_confident_rules(const std::filesystem::path& path,
                                                        const Dataset& dataset,
                                                        const AnyburlOptions& options = {});

/// Answers queries of either direction with the rules. With `max` and `noisy_or`, rules without a
/// positive confidence count for nothing. The graph must outlive the scorer.
std::unique_ptr<Scorer> make_scorer(std::span<const ConfidentRule> rules, const Graph& known,
                                    Aggregation aggregation);

/// A file of rules, ready to answer.
struct AppliedRules {
  std::unique_ptr<Scorer> scorer;
  std::size_t rules = 0;
  std::string aggregation;  ///< its name
};
/// Reads rules of any kind. Where no aggregation is named, distilled lists are scored as they say
/// themselves (`list`), all others by `max`. The known graph, or a
/// copy of it, must outlive what is returned.
Result<AppliedRules> load_applied_rules(const std::filesystem::path& path, const KnownGraph& known,
                                        std::string_view aggregation = "",
                                        const AnyburlOptions& options = {});

}  // namespace lerpp
