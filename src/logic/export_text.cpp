// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "logic/export_writer.hpp"

/// Our own spelling, on facts in three columns.
namespace lerpp {
namespace {

/// By the first line lerp apply knows a list, whose rules weigh more with more groundings.
std::string spelled_out(std::span<const Clause> clauses, bool listed,
                        std::optional<std::uint32_t> frontier) {
  std::string out =
      fmt::format("# weight{}  body ⇒ head, see {}\n# Run: lerp apply rules.txt DATA\n",
                  listed ? " more" : "", listed ? "docs/distill.md" : "docs/logic.md");
  if (frontier) out += fmt::format("{}{}\n", frontier_line, *frontier);
  for (const Clause& clause : clauses) {
    out += fmt::format("{}{}{}  {}\n", clause.weight, listed ? fmt::format(" {}", clause.more) : "",
                       clause.group != 0 ? fmt::format(" [{}]", clause.group) : "", clause.text);
  }
  return out;
}

std::string write_rules(std::span<const Clause> clauses, const Names& /*names*/) {
  const bool listed = std::ranges::any_of(clauses, [](const Clause& one) { return one.more != 0; });
  return spelled_out(clauses, listed, {});
}

void write_fact(std::string_view subject, std::string_view relation, std::string_view object,
                std::string& out) {
  out += fmt::format("{}\t{}\t{}\n", subject, relation, object);
}

}  // namespace

std::string write_text_list(std::span<const Clause> clauses,
                            std::optional<std::uint32_t> frontier) {
  return spelled_out(clauses, true, frontier);
}

const ExportWriter::Facts separated_facts = {
    .start = "", .entity = nullptr, .between = "", .fact = write_fact, .end = ""};

const ExportWriter text_writer = {.rules = write_rules, .facts = separated_facts};

}  // namespace lerpp
