// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/logic/anyburl.hpp>

#include "logic/export_writer.hpp"

/// AnyBURL's rules in its own language and in all others.
namespace lerpp {
namespace {

Clause lower(const AnyburlRule& rule, const Names& names) {
  Clause clause;
  clause.weight = rule.confidence;
  clause.figures = {rule.predicted, rule.correct, rule.directed};
  clause.text = to_text(rule, names);
  // It stands in comments, and AnyBURL escapes nothing.
  std::replace_if(
      clause.text.begin(), clause.text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  const auto add_variable = [&](std::string name) {
    clause.variables.push_back(std::move(name));
    return ClauseTerm::variable(static_cast<std::uint32_t>(clause.variables.size() - 1));
  };
  const auto fact = [&](OperatorId op, ClauseTerm from, ClauseTerm to) {
    return clause_fact(op, from, to, names.relations.size());
  };
  const ClauseTerm x = add_variable("x");
  ClauseTerm at = x;
  for (std::size_t k = 0; k < rule.hops.size(); ++k) {
    const bool last = k + 1 == rule.hops.size();
    const ClauseTerm next = last && rule.end ? ClauseTerm::entity(*rule.end)
                            : last && rule.leads_to_answer()
                                ? add_variable("y")
                                : add_variable(std::string(1, static_cast<char>('a' + k)));
    clause.facts.push_back(fact(rule.hops[k], at, next));
    at = next;
  }
  if (rule.hops.empty()) clause.free.push_back(x.id);
  const ClauseTerm y = rule.answer ? ClauseTerm::entity(*rule.answer) : rule.same ? x : at;
  clause.head = fact(rule.target, x, y);
  clause.answers_subject = rule.target >= names.relations.size();

  const auto differ = [&](ClauseTerm left, ClauseTerm right) {
    clause.conditions.push_back(
        {.kind = Condition::Kind::differ, .fact = {.subject = left, .object = right}});
  };
  if (!rule.distinct()) {
    if (rule.answer && !rule.hops.empty()) differ(x, y);
    return clause;
  }
  const auto variables = static_cast<std::uint32_t>(clause.variables.size());
  for (std::uint32_t one = 0; one < variables; ++one) {
    for (std::uint32_t other = one + 1; other < variables; ++other) {
      differ(ClauseTerm::variable(one), ClauseTerm::variable(other));
    }
    if (rule.answer) differ(ClauseTerm::variable(one), ClauseTerm::entity(*rule.answer));
    if (rule.end && rule.end != rule.answer) {
      differ(ClauseTerm::variable(one), ClauseTerm::entity(*rule.end));
    }
  }
  return clause;
}

/// Whether the text is read back: nothing in it is escaped.
bool reads_back(const AnyburlRule& rule, const Names& names) {
  const std::string text = to_text(rule, names);
  if (text.find_first_of("\t\n\r") != std::string::npos) return false;
  auto again = parse_anyburl_rule(text, names);
  if (!again) return false;
  again->predicted = rule.predicted;
  again->correct = rule.correct;
  again->confidence = rule.confidence;
  return *again == rule;
}

void write_line(const AnyburlRule& rule, const Names& names, std::string& out) {
  out += fmt::format("{}\t{}\t{}\t{}\n", rule.predicted, rule.correct, rule.confidence,
                     to_text(rule, names));
}

}  // namespace

Exported export_anyburl(std::span<const ListedRule> rules, const Dataset& dataset) {
  const Names names = {dataset.relations, dataset.entities};
  const Graph known = dataset.known_graph();
  Exported result;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    std::optional<AnyburlRule> rule = to_anyburl(rules[i].rule, known.relations());
    if (!rule || !reads_back(*rule, names)) {
      result.left_out.push_back(i);
      continue;
    }
    count(*rule, known);
    write_line(*rule, names, result.text);
    ++result.rules;
  }
  return result;
}

Result<Exported> export_rules(std::span<const AnyburlRule> rules, const Dataset& dataset,
                              ExportFormat format) {
  const Names names = {dataset.relations, dataset.entities};
  Exported result;
  result.rules = rules.size();
  std::vector<Clause> clauses;
  std::vector<Rule> plain;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (format == ExportFormat::anyburl && reads_back(rules[i], names)) {
      write_line(rules[i], names, result.text);
    } else if (const auto rule = to_rule(rules[i]); rule && format == ExportFormat::text) {
      plain.push_back(*rule);
    } else if (format == ExportFormat::anyburl || format == ExportFormat::text) {
      result.left_out.push_back(i);
    } else {
      clauses.push_back(lower(rules[i], names));
    }
  }
  result.rules -= result.left_out.size();
  if (format == ExportFormat::anyburl) return result;
  if (format == ExportFormat::text) {
    LERP_TRY(text, export_rules(plain, dataset, format));
    result.text = std::move(text.text);
    return result;
  }
  LERP_CHECK(check_rule_names(dataset, format));
  result.text = writer_of(format).rules(clauses, names);
  return result;
}

Result<Exported> export_rule_file(const std::filesystem::path& path, const Dataset& dataset,
                                  ExportFormat format) {
  LERP_TRY(bytes, read_file(path));
  const Names names = {dataset.relations, dataset.entities};
  if (looks_like_anyburl(bytes.view())) {
    LERP_TRY(rules, parse_anyburl(bytes.view(), names, path.string()));
    return export_rules(rules, dataset, format);
  }
  LERP_TRY(rules, parse_listed_rules(bytes.view(), names, path.string()));
  const bool json = format == ExportFormat::json;
  if ((json || format == ExportFormat::text) && looks_like_list(bytes.view())) {
    LERP_TRY(frontier, read_frontier(bytes.view(), path.string()));
    LERP_TRY(clauses, lower(rules, names));
    return Exported{
        json ? write_json_list(clauses, names, frontier) : write_text_list(clauses, frontier),
        clauses.size(),
        {}};
  }
  return export_rules(rules, dataset, format);
}

}  // namespace lerpp
