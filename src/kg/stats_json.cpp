// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/json.hpp>
#include <lerp/kg/stats.hpp>

namespace lerpp {

Json to_json(const Stats& stats) {
  Json json;
  json["dataset"] = stats.dataset;
  json["format"] = stats.format;
  json["notes"] = stats.notes;
  json["entities"] = stats.entities;
  json["relations"] = stats.relations;
  json["named_entities"] = stats.named;
  json["unseen_entities"] = stats.unseen_entities;
  json["empty_relations"] = stats.empty_relations;
  json["splits"] = Json::object();
  for (const Stats::SplitStats& split : stats.splits) {
    Json& entry = json["splits"][std::string(name_of(split.split))];
    entry["facts"] = split.facts;
    entry["repeated"] = split.repeated;
    entry["unseen_entity"] = split.unseen_entity;
    entry["unseen_relation"] = split.unseen_relation;
    entry["known"] = split.known;
    entry["inverse_known"] = split.inverse_known;
    entry["pair_known"] = split.pair_known;
  }
  json["overlaps"] = Json::array();
  for (const Stats::Overlap& overlap : stats.overlaps) {
    Json entry;
    entry["first"] = name_of(overlap.first);
    entry["second"] = name_of(overlap.second);
    entry["facts"] = overlap.facts;
    json["overlaps"].push_back(std::move(entry));
  }
  Json& degrees = json["degrees"];
  degrees["median"] = stats.degrees.median;
  degrees["mean"] = stats.degrees.mean;
  degrees["percentile_99"] = stats.degrees.percentile_99;
  degrees["max"] = stats.degrees.max;
  degrees["max_entity"] = stats.degrees.max_entity;
  degrees["max_label"] = stats.degrees.max_label;
  degrees["isolated"] = stats.degrees.isolated;
  // Appended straight to the vector beneath: by key, each would search all before it.
  Json::object_t by_relation;
  Json::object_t::Container& entries = by_relation;
  for (const Stats::Relation& relation : stats.by_relation) {
    Json entry;
    entry["facts"] = relation.facts;
    entry["subjects_per_object"] = relation.subjects_per_object;
    entry["objects_per_subject"] = relation.objects_per_subject;
    entries.emplace_back(relation.name, std::move(entry));
  }
  json["by_relation"] = std::move(by_relation);
  return json;
}

Json to_json(const Transfer& transfer) {
  Json json;
  json["learned"] = transfer.learned;
  json["asked"] = transfer.asked;
  json["shared_entities"] = transfer.shared_entities;
  json["shared_relations"] = transfer.shared_relations;
  json["new_relations"] = transfer.new_relations;
  json["new_relation_facts"] = transfer.new_relation_facts;
  return json;
}

}  // namespace lerpp
