// SPDX-License-Identifier: Apache-2.0
#include <lerp/logic/english.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/logic/simplify.hpp>

#include "fuzz.hpp"

/// Any bytes are an error or a rule that is written and read back to the same.
LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  const formats::Reading reading = fuzz::with_names();
  const Names names = {reading.dataset.relations, reading.dataset.entities};
  const RelationId relations = names.relations.size();
  const auto rule = parse_rule(bytes, names);
  fuzz::check(rule);
  if (rule) {
    for (const bool ascii : {false, true}) {
      const auto again = parse_rule(to_text(*rule, names, {.ascii = ascii, .weight = true}), names);
      fuzz::require(again.has_value() && *again == *rule);
    }
    fuzz::require(!to_english(*rule, names).empty());
    fuzz::require(same_rule(*rule, reversed(*rule, relations), relations));
  }
  const auto formula = parse_formula(bytes, names);
  fuzz::check(formula);
  if (formula) fuzz::require(simplify(*formula).size() <= formula->size());
}
