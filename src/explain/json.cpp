// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/json.hpp>
#include <lerp/explain/explain.hpp>
#include <lerp/logic/rule_text.hpp>

#include "explain/wording.hpp"

namespace lerpp {
namespace {

class JsonWriter {
 public:
  explicit JsonWriter(const Dataset& dataset)
      : dataset_(dataset), names_{dataset.relations, dataset.entities} {}

  Json entity(EntityId id) const {
    return {{"name", dataset_.entities.name(id)}, {"label", dataset_.entity_label(id)}};
  }

  Json fact(const Fact& fact) const {
    return {{"head", entity(fact.subject)},
            {"relation", dataset_.relations.name(fact.relation)},
            {"tail", entity(fact.object)},
            {"text", fact_text(fact, dataset_)}};
  }

  Json facts(const std::vector<Fact>& all) const {
    Json json = Json::array();
    for (const Fact& one : all) json.push_back(fact(one));
    return json;
  }

  Json grounding(const Explanation::Grounding& grounding) const {
    Json json = {
        {"entities", Json::array()}, {"facts", facts(grounding.facts)}, {"checks", Json::array()}};
    for (const EntityId id : grounding.entities) json["entities"].push_back(entity(id));
    for (const Explanation::Check& check : grounding.checks) {
      json["checks"].push_back({{"entity", entity(check.entity)},
                                {"formula", to_text(check.formula, names_)},
                                {"text", formula_text(check.formula, check.entity, dataset_)},
                                {"witness", facts(check.witness)}});
    }
    return json;
  }

  Json reason(const Explanation::Reason& reason) const {
    Json json = {
        {"share", reason.share},
        {"rule", reason.rule ? Json(to_text(*reason.rule, names_)) : Json(nullptr)},
        {"english",
         reason.rule ? Json(reading(*reason.rule, reason.share, dataset_)) : Json(nullptr)},
        {"count", reason.count},
        {"support", reason.support ? Json(reason.support->support) : Json(nullptr)},
        {"confidence", reason.support ? Json(reason.support->confidence()) : Json(nullptr)},
        {"counted", reason.counted},
        {"parts", Json::array()},
        {"groundings", Json::array()}};
    for (const Explanation::Part& part : reason.parts) {
      Json item = {{"source", label_of(part.source)}, {"share", part.share}};
      if (part.source == Source::soft) {
        item["rule"] = part.rule;
        item["hop"] = part.hop;
      }
      json["parts"].push_back(std::move(item));
    }
    if (reason.others)
      json["others"] = {{"have", reason.others->have}, {"all", reason.others->all}};
    for (const Explanation::Grounding& one : reason.groundings)
      json["groundings"].push_back(grounding(one));
    return json;
  }

  Json missing(const Explanation::Missing& missing) const {
    return {{"fact", fact(missing.fact)},
            {"known", missing.known ? Json(name_of(*missing.known)) : Json(nullptr)},
            {"rule", to_text(missing.rule, names_)},
            {"adds_about", missing.rule.weight()},
            {"there", facts(missing.there)},
            {"with", to_json(missing.with)},
            {"exact", missing.exact}};
  }

  Json unreached(const Explanation::Unreached& unreached) const {
    Json json = {{"rule", to_text(unreached.rule, names_)},
                 {"adds_about", unreached.rule.weight()},
                 {"gaps", Json::array()}};
    const RelationId relations = dataset_.relations.size();
    for (const Explanation::Gap& gap : unreached.gaps) {
      const bool head = (gap.op < relations) == gap.from;
      json["gaps"].push_back({{"relation", dataset_.relations.name(gap.op % relations)},
                              {head ? "head" : "tail", entity(gap.entity)}});
    }
    return json;
  }

 private:
  const Dataset& dataset_;
  Names names_;
};

}  // namespace

Json to_json(const Explanation& explanation, const Dataset& dataset) {
  const JsonWriter writer(dataset);
  Json json = {{"dataset", dataset.name},
               {"fact", writer.fact(explanation.fact)},
               {"direction", explanation.query.target < dataset.relations.size() ? "tail" : "head"},
               {"known", explanation.known ? Json(name_of(*explanation.known)) : Json(nullptr)},
               {"hidden", explanation.hidden},
               {"readout", explanation.evidence ? "evidence" : "sum"},
               {"predicted", explanation.predicted},
               {"seconds", explanation.seconds}};
  json.update(to_json(explanation.standing));
  json["objection"] = explanation.objection;
  json["reasons"] = Json::array();
  for (const Explanation::Reason& reason : explanation.reasons)
    json["reasons"].push_back(writer.reason(reason));
  json["others"] = {{"count", explanation.others}, {"share", explanation.others_share}};
  json["smallest"] = explanation.smallest;
  json["top3_share"] = explanation.top3_share;
  json["top5_share"] = explanation.top5_share;
  json["further_walks"] = {{"share", explanation.walks_share}};
  json["needed"] = Json::array();
  for (const Explanation::Needed& needed : explanation.needed) {
    json["needed"].push_back(
        {{"fact", writer.fact(needed.fact)}, {"without", to_json(needed.without)}});
  }
  json["missing"] = Json::array();
  for (const Explanation::Missing& missing : explanation.missing)
    json["missing"].push_back(writer.missing(missing));
  if (explanation.unreached) json["unreached"] = writer.unreached(*explanation.unreached);
  return json;
}

}  // namespace lerpp
