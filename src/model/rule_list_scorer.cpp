// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lerp/model/model.hpp>

#include "model/list_index.hpp"

namespace lerpp {
namespace {

class Lister final : public ListScorer {
 public:
  Lister(const RuleList& list, const Graph& known)
      : index_(std::make_shared<const RuleList>(list), known) {}

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    ListIndex::Walker walker(index_);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      scores[i].clear(0);
      const std::span<float> all = scores[i].dense(index_.graph().entities());
      std::fill(all.begin(), all.end(), 0.0F);
      index_.add(walker, queries[i], nullptr, all);
    }
  }

  std::vector<RuleShare> reasons(const Query& query, EntityId answer) const override {
    ListIndex::Walker walker(index_);
    std::vector<RuleShare> shares = index_.reasons(walker, query, answer, nullptr);
    std::ranges::stable_sort(shares, std::greater<>(), &RuleShare::share);
    return shares;
  }

 private:
  ListIndex index_;
};

}  // namespace

std::unique_ptr<ListScorer> make_scorer(const RuleList& list, const Graph& known) {
  return std::make_unique<Lister>(list, known);
}

Model list_model(std::vector<std::string> relations, RuleList list) {
  ModelShape shape;
  shape.relations = static_cast<RelationId>(relations.size());
  shape.width = 0;
  shape.depth = 0;
  shape.rules = 1;  // which goes nowhere and weighs nothing
  shape.length = 0;
  shape.evidence = true;
  shape.list = static_cast<std::uint32_t>(list.rules.size());
  Model model;
  model.relations = std::move(relations);
  model.parameters = Parameters<float>(shape);
  model.list = std::make_shared<const RuleList>(std::move(list));
  return model;
}

}  // namespace lerpp
