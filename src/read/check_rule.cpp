// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/json.hpp>
#include <lerp/logic/english.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/read/check_rule.hpp>

#include "read/body_pairs.hpp"

namespace lerpp {
namespace {

/// Entities that are tried as x before examples are given up.
constexpr EntityId most_starts = 5000;

/// Tries entities that lie evenly in the graph until there are enough pairs of both kinds.
class ExampleFinder {
 public:
  ExampleFinder(CheckedRule& checked, Evaluator& evaluator, std::size_t wanted)
      : checked_(checked), evaluator_(evaluator), wanted_(wanted) {}

  void look_at(EntityId start) {
    bool right = false;  // one of each start, so that examples differ
    bool wrong = false;
    for (const EntityId end : answers(checked_.rule, start, evaluator_)) {
      if (end == start) continue;
      const Graph& graph = evaluator_.graph();
      const bool known = graph.contains(start, checked_.rule.target(), end);
      bool& done = known ? right : wrong;
      std::vector<RuleExample>& list = known ? checked_.examples : checked_.exceptions;
      if (done || list.size() == wanted_) continue;
      const std::optional<Fact> hidden =
          known ? std::optional<Fact>(Fact{start, checked_.rule.target(), end}) : std::nullopt;
      const auto path = proof(checked_.rule, start, end, evaluator_, hidden);
      if (!path) continue;
      list.push_back({*path, known});
      done = true;
    }
  }
  bool enough() const {
    return checked_.examples.size() == wanted_ && checked_.exceptions.size() == wanted_;
  }

 private:
  CheckedRule& checked_;
  Evaluator& evaluator_;
  std::size_t wanted_;
};

Json examples_json(const std::vector<RuleExample>& examples, const Dataset& dataset) {
  Json json = Json::array();
  for (const RuleExample& example : examples) {
    Json path = Json::array();
    for (const EntityId entity : example.path) path.push_back(dataset.entities.name(entity));
    json.push_back({{"path", path}, {"known", example.known}});
  }
  return json;
}

}  // namespace

Result<CheckedRule> check_rule(const Rule& rule, const KnownGraph& known, std::uint32_t examples,
                               double work, const Observer& observer) {
  const Graph& graph = known.graph();
  Evaluator evaluator(graph);
  CheckedRule checked{canonical(rule, graph.relations())};
  const CountedSupport counted = count_support(checked.rule, evaluator, work);
  checked.support = counted.support;
  checked.counted = counted.counted;
  ExampleFinder finder(checked, evaluator, examples);
  const EntityId step = std::max<EntityId>(1, graph.entities() / most_starts);
  for (EntityId start = 0; start < graph.entities() && !finder.enough(); start += step) {
    if (observer.stopped()) return fail_stopped("checking a rule");
    finder.look_at(start);
  }
  return checked;
}

Json to_json(const CheckedRule& checked, const Dataset& dataset) {
  const Names names = {dataset.relations, dataset.entities};
  const Support& support = checked.support;
  return {{"rule", to_text(checked.rule, names)},
          {"english", to_english(checked.rule, names)},
          {"relation", dataset.relations.name(checked.rule.target() % dataset.relations.size())},
          {"length", checked.rule.hops().size()},
          {"support", support.support},
          {"body", support.body},
          {"head", support.head},
          {"head_coverage", support.head_coverage()},
          {"confidence", support.confidence()},
          {"pca_confidence", support.pca_confidence()},
          {"counted", checked.counted},
          {"examples", examples_json(checked.examples, dataset)},
          {"exceptions", examples_json(checked.exceptions, dataset)}};
}

}  // namespace lerpp
