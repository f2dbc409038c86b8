// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lerp/logic/rule.hpp>
#include <lerp/logic/rule_text.hpp>

namespace lerpp {

/// Names do not always tell which way a noun is meant: brother(a,b) is "a is b's brother" in
/// Family. Nouns in paths, IRIs, prefixed and camelCase names, such as /people/person/nationality
/// and schema:birthPlace, are meant as "b is a's nationality" in any case.
enum class NounOf : bool { subject, object };

/// "y is x's brother if some z1 is a mother of x, y is a son of z1, and x has no sister". Names
/// such as affects, interacts_with, born_in, part_of and location_of are read as verbs, isa and
/// rdf:type as "is a", all others as nouns.
std::string to_english(const Rule& rule, const Names& names, NounOf noun = NounOf::subject);
/// Of the variable x: "x has no sister".
std::string to_english(const Formula& formula, const Names& names, NounOf noun = NounOf::subject);

}  // namespace lerpp
