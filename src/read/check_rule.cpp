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

/// A relation is a function where so many of its facts have their own subject or object.
constexpr double functional_share = 0.95;

/// What a graph knows in place of a pair, where a relation is as good as a function.
class Otherwise {
 public:
  Otherwise(const Graph& graph, RelationId relation)
      : graph_(graph),
        relation_(relation),
        one_object_(is_function(relation)),
        one_subject_(is_function(relation + graph.relations())) {}

  bool ever() const { return one_object_ || one_subject_; }
  std::optional<Fact> of(EntityId subject, EntityId object) const {
    if (one_object_) {
      const std::span<const Edge> edges = graph_.edges(subject, relation_);
      if (!edges.empty()) return Fact{subject, relation_, edges.front().target};
    }
    if (one_subject_) {
      const std::span<const Edge> edges = graph_.edges(object, relation_ + graph_.relations());
      if (!edges.empty()) return Fact{edges.front().target, relation_, object};
    }
    return {};
  }

 private:
  bool is_function(OperatorId op) const {
    std::size_t facts = 0;
    std::size_t starts = 0;
    for (EntityId entity = 0; entity < graph_.entities(); ++entity) {
      const std::size_t count = graph_.edges(entity, op).size();
      facts += count;
      starts += count > 0 ? 1 : 0;
    }
    return facts > 0 &&
           static_cast<double>(starts) >= functional_share * static_cast<double>(facts);
  }

  const Graph& graph_;
  RelationId relation_;
  bool one_object_;
  bool one_subject_;
};

/// Tries entities that lie evenly in the graph until there are enough pairs of each kind.
class ExampleFinder {
 public:
  ExampleFinder(const Rule& rule, Evaluator& evaluator, std::size_t wanted)
      : rule_(rule),
        evaluator_(evaluator),
        otherwise_(evaluator.graph(), rule.target()),
        wanted_(wanted) {}

  void look_at(EntityId start) {
    ++looked_;
    bool right = false;  // one of each start, so that examples differ
    bool wrong = false;
    for (const EntityId end : answers(rule_, start, evaluator_)) {
      if (end == start) continue;
      if (evaluator_.graph().contains(start, rule_.target(), end)) {
        right = right || take_example(start, end);
      } else {
        wrong = wrong || take_exception(start, end);
      }
    }
  }
  bool enough() const {
    if (examples_.size() < wanted_) return false;
    // Those that speak against the rule are worth a longer look.
    if (otherwise_.ever() && looked_ < most_starts / 5) return against_.size() == wanted_;
    return unknown_.size() + against_.size() >= wanted_;
  }
  void hand_over(CheckedRule& checked) {
    checked.examples = std::move(examples_);
    checked.exceptions = std::move(against_);
    for (RuleException& one : unknown_) {
      if (checked.exceptions.size() < wanted_) checked.exceptions.push_back(std::move(one));
    }
  }

 private:
  bool take_example(EntityId start, EntityId end) {
    if (examples_.size() == wanted_) return true;
    const auto path = proof(rule_, start, end, evaluator_, Fact{start, rule_.target(), end});
    if (!path) return false;
    examples_.push_back({*path, true});
    return true;
  }
  bool take_exception(EntityId start, EntityId end) {
    const std::optional<Fact> otherwise = otherwise_.of(start, end);
    std::vector<RuleException>& list = otherwise ? against_ : unknown_;
    if (list.size() == wanted_) return false;
    const auto path = proof(rule_, start, end, evaluator_);
    if (!path) return false;
    list.push_back({{*path, false}, otherwise});
    return true;
  }

  const Rule& rule_;
  Evaluator& evaluator_;
  Otherwise otherwise_;
  std::size_t wanted_;
  std::size_t looked_ = 0;
  std::vector<RuleExample> examples_;
  std::vector<RuleException> against_;
  std::vector<RuleException> unknown_;
};

Json example_json(const RuleExample& example, const Dataset& dataset) {
  Json path = Json::array();
  for (const EntityId entity : example.path) path.push_back(dataset.entities.name(entity));
  return {{"path", path}, {"known", example.known}};
}

Json exception_json(const RuleException& exception, const Dataset& dataset) {
  Json json = example_json(exception, dataset);
  json["otherwise"] = nullptr;
  if (exception.otherwise) {
    json["otherwise"] = {{"head", dataset.entities.name(exception.otherwise->subject)},
                         {"relation", dataset.relations.name(exception.otherwise->relation)},
                         {"tail", dataset.entities.name(exception.otherwise->object)}};
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
  ExampleFinder finder(checked.rule, evaluator, examples);
  const EntityId step = std::max<EntityId>(1, graph.entities() / most_starts);
  for (EntityId start = 0; start < graph.entities() && !finder.enough(); start += step) {
    if (observer.stopped()) return fail_stopped("checking a rule");
    finder.look_at(start);
  }
  finder.hand_over(checked);
  return checked;
}

Json to_json(const CheckedRule& checked, const Dataset& dataset) {
  const Names names = {dataset.relations, dataset.entities};
  const Support& support = checked.support;
  Json examples = Json::array();
  for (const RuleExample& one : checked.examples) examples.push_back(example_json(one, dataset));
  Json exceptions = Json::array();
  for (const RuleException& one : checked.exceptions)
    exceptions.push_back(exception_json(one, dataset));
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
          {"examples", examples},
          {"exceptions", exceptions}};
}

}  // namespace lerpp
