// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <lerp/logic/english.hpp>

namespace lerpp {

/// How the name of a relation r is said.
struct RelationWords {
  enum class Kind : unsigned char {
    verb,     ///< "lives in": x lives in y
    kind_of,  ///< a verb, "is a kind of", that becomes "is a" before a name
    noun,     ///< "mother"
    plural,   ///< "artists"
  };

  Kind kind = Kind::noun;
  std::string phrase;
  bool of_object = false;  ///< of a noun: r(x,y) says that y is x's, not x y's

  bool is_noun() const { return kind == Kind::noun || kind == Kind::plural; }
};

RelationWords words_of(std::string_view name, NounOf noun);

/// "does not live in", "is not part of".
std::string negated(std::string_view verb);

}  // namespace lerpp
