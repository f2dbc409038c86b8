// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "paper/parts.hpp"
#include "paper/published.hpp"

namespace lerpp {
namespace {

std::string whole(const Json& row, const char* key) {
  return fmt::format("{:.0f}", row.at(key).get<double>());
}

/// "132 (10 epochs, 4,800 rules a target)"
std::string reference_of(const Json& row) {
  if (row.at("method") != "LERP") return "–";
  const std::string dataset = row.at("dataset");
  const ReferenceTime* time = find_reference(dataset, row.at("setting") == "train+valid");
  return time == nullptr ? "–" : fmt::format("{:.0f} ({})", time->seconds, time->what);
}

}  // namespace

PaperPart::Table size_table(const std::vector<Json>& rows) {
  PaperPart::Table table;
  table.caption =
      "Sizes and times: seconds to train of the fastest seed, by so many threads of a machine that "
      "may have had other work; the published program has other sizes, and ran on an H200";
  table.heads = {"dataset",
                 "method",
                 "learned from",
                 "parameters",
                 "of functions",
                 "rules",
                 "rules a second",
                 "train seconds",
                 "threads",
                 "epochs",
                 "the published program, seconds"};
  for (const Json& row : rows) {
    if (!row.contains("parameters")) continue;
    table.rows.push_back({row.at("dataset"), row.at("method"), row.at("setting"),
                          whole(row, "parameters"), whole(row, "parameters_functions"),
                          whole(row, "rules"),
                          fmt::format("{:.1f}", row.at("rules_per_second").get<double>()),
                          fmt::format("{:.1f}", row.at("train_seconds").get<double>()),
                          whole(row, "threads"), whole(row, "epochs"), reference_of(row)});
  }
  return table;
}

}  // namespace lerpp
