// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "server/api.hpp"

namespace lerpp {
namespace {

/// Grows from an entity along known facts, breadth first, until there are enough of them.
class Neighbourhood {
 public:
  Neighbourhood(const Graph& graph, std::size_t limit, std::optional<RelationId> relation)
      : graph_(graph), limit_(limit), relation_(relation) {}

  /// Facts about an entity that suit.
  std::vector<Fact> about(EntityId entity) const {
    std::vector<Fact> facts;
    for (const Edge& edge : graph_.edges(entity)) {
      const bool forwards = edge.op < graph_.relations();
      const RelationId relation = edge.op % graph_.relations();
      if (relation_ && relation != *relation_) continue;
      // A loop stands in its row twice.
      if (!forwards && edge.target == entity) continue;
      facts.push_back(forwards ? Fact{entity, relation, edge.target}
                               : Fact{edge.target, relation, entity});
    }
    return facts;
  }

  void grow(EntityId center, std::size_t offset, std::uint32_t depth) {
    distance_[center] = 0;
    std::vector<EntityId> front = {center};
    for (std::uint32_t step = 1; step <= depth && facts_.size() < limit_; ++step) {
      std::vector<EntityId> next;
      for (const EntityId entity : front) {
        std::vector<Fact> facts = about(entity);
        if (step == 1) {
          total_ = facts.size();
          facts.erase(facts.begin(),
                      facts.begin() + static_cast<std::ptrdiff_t>(std::min(offset, facts.size())));
          more_ = facts.size() > limit_;
        }
        for (const Fact& fact : facts) {
          if (facts_.size() == limit_) break;
          if (!seen_.insert(fact).second) continue;
          facts_.push_back(fact);
          const EntityId other = fact.subject == entity ? fact.object : fact.subject;
          if (distance_.emplace(other, step).second) next.push_back(other);
        }
      }
      front = std::move(next);
    }
  }

  const std::vector<Fact>& facts() const { return facts_; }
  const std::map<EntityId, std::uint32_t>& distances() const { return distance_; }
  std::size_t total() const { return total_; }
  bool more() const { return more_; }

 private:
  const Graph& graph_;
  std::size_t limit_;
  std::optional<RelationId> relation_;
  std::vector<Fact> facts_;
  std::set<Fact> seen_;
  std::map<EntityId, std::uint32_t> distance_;
  std::size_t total_ = 0;
  bool more_ = false;
};

Answered<WebReply> neighbourhood(ApiState& state, Asked& asked) {
  Question& question = asked.question;
  const std::string run_name = question.text("run", 1, 255);
  const std::string name = question.need("entity");
  const std::string relation_name = question.text("relation");
  const std::uint32_t depth = question.small("depth", 1, 3, 1);
  const std::size_t offset = question.whole("offset", 0, 100'000'000, 0);
  const std::size_t limit = question.whole("limit", 1, 2000, 100);
  LERP_CHECK(question.check());
  LERP_TRY(served, state.runs.find(run_name));
  LERP_TRY(center, served->entity(name, asked.observer));
  std::optional<RelationId> relation;
  if (!relation_name.empty()) {
    LERP_TRY(number, served->relation(relation_name, asked.observer));
    relation = number;
  }
  const Run run = served->watched(asked.observer);
  LERP_TRY(predictor, run.predictor());
  const Graph& graph = predictor->known().graph();
  const Dataset& data = predictor->dataset();
  Neighbourhood around(graph, limit, relation);
  around.grow(center, offset, depth);
  Json json = {{"entity", entity_json(data, center)},
               {"total", around.total()},
               {"offset", offset},
               {"more", around.more()},
               {"entities", Json::array()},
               {"facts", Json::array()}};
  for (const auto& [entity, distance] : around.distances()) {
    Json node = entity_json(data, entity);
    node["degree"] = graph.edges(entity).size();
    node["distance"] = distance;
    json["entities"].push_back(std::move(node));
  }
  for (const Fact& fact : around.facts()) {
    const std::optional<Split> split = predictor->split_of(fact);
    json["facts"].push_back({{"head", data.entities.name(fact.subject)},
                             {"relation", data.relations.name(fact.relation)},
                             {"tail", data.entities.name(fact.object)},
                             {"known", split ? Json(name_of(*split)) : Json(nullptr)}});
  }
  return json_reply(json);
}

}  // namespace

void add_neighbourhood_routes(std::vector<Route>& routes, ApiState& state) {
  routes.push_back({"POST", "/neighbourhood", Pace::quick, true,
                    [&](Asked& asked) { return neighbourhood(state, asked); }});
}

}  // namespace lerpp
