#include <fmt/format.h>

#include "logic/export_writer.hpp"

/// Our own spelling, on facts in three columns.
namespace lerpp {
namespace {

std::string write_rules(std::span<const Clause> clauses, const Names& /*names*/) {
  std::string out = "# weight  body ⇒ head, see docs/logic.md\n# Run: lerp apply rules.txt DATA\n";
  for (const Clause& clause : clauses) {
    out += fmt::format("{}  {}\n", clause.weight, clause.text);
  }
  return out;
}

void write_fact(std::string_view subject, std::string_view relation, std::string_view object,
                std::string& out) {
  out += fmt::format("{}\t{}\t{}\n", subject, relation, object);
}

}  // namespace

const ExportWriter::Facts separated_facts = {
    .start = "", .entity = nullptr, .between = "", .fact = write_fact, .end = ""};

const ExportWriter text_writer = {.rules = write_rules, .facts = separated_facts};

}  // namespace lerpp
