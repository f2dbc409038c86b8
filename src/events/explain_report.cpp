// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/events/explain.hpp>

namespace lerpp {
namespace {

/// The mean share of each kind of evidence over the endings, in the order of EndingEvidence.
std::map<EndingEvidence, double> shares_by_evidence(const EndingExplanations& explanations) {
  std::map<EndingEvidence, double> shares;
  for (const ExplainedEnding& ending : explanations.endings) {
    for (const EndingReason& reason : ending.reasons) {
      shares[reason.evidence] += reason.share / static_cast<double>(explanations.endings.size());
    }
  }
  return shares;
}

Json to_json(const EndingReason& reason) {
  Json json = {{"evidence", name_of(reason.evidence)},
               {"text", reason.text},
               {"part", reason.part},
               {"share", reason.share}};
  if (reason.holds > 0) json["holds"] = reason.holds;
  return json;
}

}  // namespace

std::string_view name_of(EndingEvidence evidence) {
  switch (evidence) {
    case EndingEvidence::prior:
      return "prior";
    case EndingEvidence::function:
      return "function";
    case EndingEvidence::types:
      return "types";
    case EndingEvidence::last:
      return "last";
    case EndingEvidence::idle:
      return "idle";
    case EndingEvidence::scenario:
      return "scenario";
    case EndingEvidence::repeats:
      return "repeats";
  }
  return {};
}

Json to_json(const EndingExplanations& explanations, std::size_t top) {
  Json endings = Json::array();
  for (const ExplainedEnding& ending : explanations.endings) {
    Json reasons = Json::array();
    for (std::size_t i = 0; i < std::min(top, ending.reasons.size()); ++i) {
      reasons.push_back(to_json(ending.reasons[i]));
    }
    endings.push_back({{"graph", ending.graph},
                       {"ending", ending.type},
                       {"gold", ending.gold},
                       {"right", ending.right},
                       {"score", ending.score},
                       {"reasons", std::move(reasons)}});
  }
  Json shares = Json::object();
  for (const auto& [evidence, share] : shares_by_evidence(explanations)) {
    shares[std::string(name_of(evidence))] = share;
  }
  return {{"dataset", explanations.data},
          {"split", explanations.split},
          {"shares", std::move(shares)},
          {"endings", std::move(endings)}};
}

std::string to_text(const EndingExplanations& explanations, std::size_t top) {
  std::string text;
  for (const ExplainedEnding& ending : explanations.endings) {
    text +=
        fmt::format("{}: ends with {}, score {:.2f}; {}\n", ending.graph, ending.type, ending.score,
                    ending.right ? std::string("right")
                                 : fmt::format("it is {}", fmt::join(ending.gold, ", ")));
    for (std::size_t i = 0; i < std::min(top, ending.reasons.size()); ++i) {
      const EndingReason& reason = ending.reasons[i];
      const bool formula = reason.evidence == EndingEvidence::function && reason.holds > 0;
      text +=
          fmt::format("  {:>4.0f} %  {:+.2f}  {}{}\n", 100 * reason.share, reason.part, reason.text,
                      formula ? fmt::format("   (holds of {})", reason.holds) : "");
    }
  }
  text += "mean share of the score:";
  for (const auto& [evidence, share] : shares_by_evidence(explanations)) {
    text += fmt::format("  {} {:.0f} %", name_of(evidence), 100 * share);
  }
  return text;
}

}  // namespace lerpp
