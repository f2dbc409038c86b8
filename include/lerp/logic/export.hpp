// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/logic/rule_file.hpp>

/// Rules in the languages of other engines. See docs/export.md.
namespace lerpp {

enum class ExportFormat : std::uint8_t { text, json, anyburl, prolog, asp, sql, sparql, cypher };
Result<ExportFormat> export_format_named(std::string_view name);
std::string_view name_of(ExportFormat format);
/// All names, for help and checks.
std::vector<std::string> export_format_names();

struct Exported {
  std::string text;
  std::size_t rules = 0;  ///< how many it holds
  /// The rules that the language cannot say, by their place in the list.
  std::vector<std::size_t> left_out;
};

/// Rules as a program that derives what they derive on the facts that export_facts writes, one
/// step and no more: a derived fact is no ground for another. What comes first in the text says
/// how to run it. AnyBURL's language alone leaves rules out.
Result<Exported> export_rules(std::span<const Rule> rules, const Dataset& dataset,
                              ExportFormat format);
/// The same of a distilled list. Text and JSON hold what further groundings add; programs derive a
/// fact once and say it in a comment.
Result<Exported> export_rules(std::span<const ListedRule> rules, const Dataset& dataset,
                              ExportFormat format);

/// The same of a file of rules, ours or AnyBURL's.
Result<Exported> export_rule_file(const std::filesystem::path& path, const Dataset& dataset,
                                  ExportFormat format);

/// The known facts (those of `facts` and `train`) and the entities, laid out as the program of the
/// same format expects them; whole or not at all.
Result<void> export_facts(const Dataset& dataset, ExportFormat format,
                          const std::filesystem::path& path, const Observer& observer = {});

}  // namespace lerpp
