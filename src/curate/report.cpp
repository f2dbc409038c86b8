// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/curate/complete.hpp>

namespace lerpp {
namespace {

Json fact_json(const CuratedFact& one, const Dataset& dataset) {
  Json json = {{"subject", dataset.entities.name(one.fact.subject)},
               {"relation", dataset.relations.name(one.fact.relation)},
               {"object", dataset.entities.name(one.fact.object)},
               {"probability", one.probability},
               {"score", one.score},
               {"reason", one.reason},
               {"fits", one.fits},
               {"objection", one.objection}};
  json["support"] = one.support ? Json(*one.support) : Json(nullptr);
  json["confidence"] = one.confidence ? Json(*one.confidence) : Json(nullptr);
  return json;
}

/// In quotation marks where a comma, a mark or a line break would be misread.
std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char letter : text) cell += letter == '"' ? "\"\"" : std::string(1, letter);
  return cell + "\"";
}

/// Tabs and line breaks end cells and lines.
std::string tsv_cell(std::string_view text) {
  std::string cell(text);
  for (char& letter : cell)
    letter = letter == '\t' || letter == '\n' || letter == '\r' ? ' ' : letter;
  return cell;
}

std::string table_line(const CuratedFact& one, const Dataset& dataset, bool csv) {
  const std::vector<std::string> cells = {
      std::string(dataset.entities.name(one.fact.subject)),
      std::string(dataset.relations.name(one.fact.relation)),
      std::string(dataset.entities.name(one.fact.object)),
      fmt::format("{:.6f}", one.probability),
      fmt::format("{:.4f}", one.score),
      one.reason,
      one.support ? fmt::format("{}", *one.support) : "",
      one.confidence ? fmt::format("{:.4f}", *one.confidence) : "",
      one.fits ? "yes" : "no",
      one.objection};
  std::string line;
  for (const std::string& cell : cells) {
    if (!line.empty()) line += csv ? ',' : '\t';
    line += csv ? csv_cell(cell) : tsv_cell(cell);
  }
  return line + "\n";
}

}  // namespace

Json to_json(const CuratedFacts& curated, const Dataset& dataset) {
  Json json = {{"dataset", curated.dataset},
               {"looked_at", curated.looked_at},
               {"seconds", curated.seconds},
               {"facts", Json::array()}};
  for (const CuratedFact& one : curated.facts) json["facts"].push_back(fact_json(one, dataset));
  return json;
}

std::string to_text(const CuratedFacts& curated, const Dataset& dataset) {
  std::string text =
      fmt::format("{}: {} facts of {} that were looked at, in {:.1f} s\n", curated.dataset,
                  thousands(curated.facts.size()), thousands(curated.looked_at), curated.seconds);
  text += "probability    score  support  confidence  fact";
  for (const CuratedFact& one : curated.facts) {
    text +=
        fmt::format("\n{:>11.4f} {:>8.2f} {:>8} {:>11}  {}({}, {})", one.probability, one.score,
                    one.support ? thousands(*one.support) : "",
                    one.confidence ? fmt::format("{:.2f}", *one.confidence) : "",
                    dataset.relations.name(one.fact.relation),
                    dataset.entity_label(one.fact.subject), dataset.entity_label(one.fact.object));
    if (!one.reason.empty()) text += "\n             " + one.reason;
    if (!one.objection.empty()) text += "\n             against it: " + one.objection;
  }
  return text;
}

Result<void> check_table_name(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".csv" || ending == ".tsv" || ending == ".jsonl") return {};
  return fail("the file type is not known", path.string(), "end the name with .csv, .tsv or .jsonl",
              ErrorKind::usage);
}

Result<void> write_table(const CuratedFacts& curated, const Dataset& dataset,
                         const std::filesystem::path& path) {
  LERP_CHECK(check_table_name(path));
  std::string text;
  if (path.extension() == ".jsonl") {
    for (const CuratedFact& one : curated.facts) {
      text += fact_json(one, dataset).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    return write_file(path, text);
  }
  const bool csv = path.extension() == ".csv";
  text =
      "subject\trelation\tobject\tprobability\tscore\treason\tsupport\tconfidence\tfits\tobjection"
      "\n";
  if (csv) std::ranges::replace(text, '\t', ',');
  for (const CuratedFact& one : curated.facts) text += table_line(one, dataset, csv);
  return write_file(path, text);
}

}  // namespace lerpp
