// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include <fmt/format.h>

#include <lerp/logic/export.hpp>

#include "logic/export_writer.hpp"

namespace lerpp {
namespace {

constexpr std::array<std::pair<ExportFormat, std::string_view>, 8> formats_by_name = {
    {{ExportFormat::text, "text"},
     {ExportFormat::json, "json"},
     {ExportFormat::anyburl, "anyburl"},
     {ExportFormat::prolog, "prolog"},
     {ExportFormat::asp, "asp"},
     {ExportFormat::sql, "sql"},
     {ExportFormat::sparql, "sparql"},
     {ExportFormat::cypher, "cypher"}}};

Result<void> check_names(const Vocabulary& names, std::string_view forbidden,
                         std::string_view called) {
  for (Vocabulary::Id id = 0; id < names.size(); ++id) {
    if (names.name(id).find_first_of(forbidden) == std::string_view::npos) continue;
    return fail(fmt::format("the name of number {} holds {}", id, called), "",
                "rename it or choose another format");
  }
  return {};
}

}  // namespace

const ExportWriter& writer_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::text:
    case ExportFormat::anyburl:
      break;
    case ExportFormat::json:
      return json_writer;
    case ExportFormat::prolog:
      return prolog_writer;
    case ExportFormat::asp:
      return asp_writer;
    case ExportFormat::sql:
      return sql_writer;
    case ExportFormat::sparql:
      return sparql_writer;
    case ExportFormat::cypher:
      return cypher_writer;
  }
  return text_writer;
}

Result<void> check_fact_names(const Dataset& dataset, ExportFormat format) {
  // No engine holds a zero byte in a text, and columns no more than columns do.
  const bool columns = writer_of(format).facts.entity == nullptr;
  const std::string_view forbidden =
      columns ? std::string_view("\0\t\n\r", 4) : std::string_view("\0", 1);
  const std::string_view called = columns ? "a tab, a line end or a zero byte" : "a zero byte";
  LERP_CHECK(check_names(dataset.relations, forbidden, called));
  return check_names(dataset.entities, forbidden, called);
}

Result<void> check_rule_names(const Dataset& dataset, ExportFormat format) {
  // Our own text and JSON spell any name.
  if (writer_of(format).facts.entity == nullptr) return {};
  return check_fact_names(dataset, format);
}

std::string_view name_of(ExportFormat format) {
  return formats_by_name[static_cast<std::size_t>(format)].second;
}

std::vector<std::string> export_format_names() {
  std::vector<std::string> names;
  names.reserve(formats_by_name.size());
  for (const auto& [format, name] : formats_by_name) names.emplace_back(name);
  return names;
}

Result<ExportFormat> export_format_named(std::string_view name) {
  for (const auto& [format, known] : formats_by_name) {
    if (known == name) return format;
  }
  return fail_unknown("format", name,
                      fmt::format("choose one of {}", fmt::join(export_format_names(), ", ")));
}

Result<std::vector<Clause>> lower(std::span<const ListedRule> rules, const Names& names) {
  std::vector<Clause> clauses;
  clauses.reserve(rules.size());
  for (const auto& [rule, more, group] : rules) {
    LERP_TRY(clause, lower(rule, names));
    clauses.push_back(std::move(clause));
    clauses.back().more = more;
    clauses.back().group = group;
  }
  return clauses;
}

Result<Exported> export_rules(std::span<const Rule> rules, const Dataset& dataset,
                              ExportFormat format) {
  std::vector<ListedRule> listed;
  listed.reserve(rules.size());
  for (const Rule& rule : rules) listed.push_back({rule});
  return export_rules(listed, dataset, format);
}

Result<Exported> export_rules(std::span<const ListedRule> rules, const Dataset& dataset,
                              ExportFormat format) {
  const Names names = {dataset.relations, dataset.entities};
  LERP_CHECK(check_rule_names(dataset, format));
  if (format == ExportFormat::anyburl) return export_anyburl(rules, dataset);
  LERP_TRY(clauses, lower(rules, names));
  return Exported{writer_of(format).rules(clauses, names), clauses.size(), {}};
}

}  // namespace lerpp
