// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/report/relation_table.hpp>

namespace lerpp {

RelationTable relation_table(std::span<const EmbedFunction> functions) {
  RelationTable table;
  std::map<RelationId, std::pair<std::size_t, double>> highest;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    table.rows.push_back({functions[i].number, functions[i].formula, functions[i].constant, {}});
    for (const FunctionOfRelation& part : functions[i].relations) {
      const auto [entry, fresh] =
          highest.try_emplace(part.relation, std::pair{i, part.coefficient});
      if (!fresh && std::abs(part.coefficient) > std::abs(entry->second.second))
        entry->second = {i, part.coefficient};
    }
  }
  for (const auto& [relation, place] : highest)
    table.rows[place.first].relations.push_back({relation, place.second});
  for (RelationTable::Row& row : table.rows) {
    std::stable_sort(row.relations.begin(), row.relations.end(),
                     [](const FunctionOfRelation& left, const FunctionOfRelation& right) {
                       return std::abs(left.coefficient) > std::abs(right.coefficient);
                     });
  }
  return table;
}

Json to_json(const RelationTable& table, const Dataset& dataset) {
  const Names names{dataset.relations, dataset.entities};
  Json json = Json::array();
  for (const RelationTable::Row& row : table.rows) {
    Json relations = Json::array();
    for (const FunctionOfRelation& part : row.relations) {
      relations.push_back({{"relation", std::string(dataset.relations.name(part.relation))},
                           {"sign", part.coefficient < 0 ? "-" : "+"},
                           {"coefficient", part.coefficient}});
    }
    json.push_back({{"function", row.function},
                    {"formula", to_text(row.formula, names)},
                    {"relations", std::move(relations)}});
  }
  return json;
}

std::string to_text(const RelationTable& table, const Dataset& dataset) {
  const Names names{dataset.relations, dataset.entities};
  std::string text = "each relation under its highest function";
  for (const RelationTable::Row& row : table.rows) {
    if (row.relations.empty()) continue;
    std::string relations;
    for (const FunctionOfRelation& part : row.relations) {
      relations +=
          fmt::format("{}{}{}", relations.empty() ? "" : "  ", part.coefficient < 0 ? "-" : "+",
                      dataset.relation_label(part.relation));
    }
    text += fmt::format("\nL{:<3} {:<44} {}", row.function, relations,
                        row.constant ? "the same of all entities" : to_text(row.formula, names));
  }
  return text;
}

}  // namespace lerpp
