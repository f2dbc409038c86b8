// SPDX-License-Identifier: Apache-2.0
#include <lerp/logic/anyburl.hpp>

#include "fuzz.hpp"

/// Any bytes are an error, or rules that are written and read back to the same.
LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  const formats::Reading reading = fuzz::with_names();
  const Names names = {reading.dataset.relations, reading.dataset.entities};
  looks_like_anyburl(bytes);
  const auto rules = parse_anyburl(bytes, names, "rules");
  fuzz::check(rules);
  if (!rules) return;
  for (const AnyburlRule& rule : *rules) {
    const std::string line = fmt::format("{}\t{}\t{}\t{}\n", rule.predicted, rule.correct,
                                         rule.confidence, to_text(rule, names));
    const auto again = parse_anyburl(line, names, "again");
    fuzz::require(again.has_value() && again->size() == 1 && again->front() == rule);
  }
}
