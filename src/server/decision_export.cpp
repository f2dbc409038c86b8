// SPDX-License-Identifier: Apache-2.0
#include "server/decision_export.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace lerpp {
namespace {

bool fits_a_cell(const std::string& name) {
  return name.find_first_of("\t\n\r") == std::string::npos;
}

/// A name that is an IRI stays one.
std::string iri_of(const std::string& name, const char* kind) {
  const std::size_t colon = name.find(':');
  const bool scheme =
      colon != std::string::npos && colon > 1 &&
      std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '+' || c == '-' || c == '.';
      });
  std::string iri = scheme ? "" : fmt::format("urn:lerp:{}:", kind);
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20 && byte != 0x7F &&
                       std::string_view("<>\"{}|^`\\").find(c) == std::string_view::npos &&
                       (scheme || c != '%');
    iri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return iri;
}

std::string cell(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
    text.insert(text.begin(), '\'');
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string decisions_tsv(const std::vector<Decision>& decisions) {
  std::string text;
  for (const Decision& one : decisions) {
    if (one.verdict != "accept" || !fits_a_cell(one.head) || !fits_a_cell(one.relation) ||
        !fits_a_cell(one.tail)) {
      continue;
    }
    text += fmt::format("{}\t{}\t{}\n", one.head, one.relation, one.tail);
  }
  return text;
}

std::string decisions_ntriples(const std::vector<Decision>& decisions) {
  std::string text;
  for (const Decision& one : decisions) {
    if (one.verdict != "accept") continue;
    text += fmt::format("<{}> <{}> <{}> .\n", iri_of(one.head, "entity"),
                        iri_of(one.relation, "relation"), iri_of(one.tail, "entity"));
  }
  return text;
}

std::string decisions_csv(const std::vector<Decision>& decisions) {
  std::string text = "id,head,relation,tail,verdict,note,who,at,model\n";
  for (const Decision& one : decisions) {
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{}\n", one.id, cell(one.head), cell(one.relation),
                    cell(one.tail), one.verdict, cell(one.note), cell(one.who), one.at, one.model);
  }
  return text;
}

}  // namespace lerpp
