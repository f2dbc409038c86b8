// SPDX-License-Identifier: Apache-2.0
#include "logic/relation_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <lerp/base/text.hpp>

namespace lerpp {
namespace {

using Kind = RelationWords::Kind;

bool among(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_upper(char letter) {
  return std::isupper(static_cast<unsigned char>(letter)) != 0;
}
bool is_lower(char letter) {
  return std::islower(static_cast<unsigned char>(letter)) != 0;
}
bool is_letter_or_digit(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0;
}

/// The last piece of a path, an IRI or a prefixed name: /people/person/place_of_birth is
/// place_of_birth, rdf:type is type.
std::string_view last_piece(std::string_view name) {
  while (!name.empty() && (name.back() == '/' || name.back() == '#')) name.remove_suffix(1);
  const std::size_t cut = name.find_last_of("/#");
  std::string_view piece = cut == std::string_view::npos ? name : name.substr(cut + 1);
  const std::size_t colon = piece.rfind(':');
  if (colon != std::string_view::npos && colon + 1 < piece.size() &&
      std::ranges::all_of(piece.substr(0, colon),
                          [](char letter) { return is_letter_or_digit(letter) || letter == '_'; }))
    piece.remove_prefix(colon + 1);
  return piece;
}

/// The words of a name apart: place_of_birth and placeOfBirth are "place of birth".
std::string spaced(std::string_view piece) {
  std::string text;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const char letter = piece[i];
    const bool starts_word = is_upper(letter) && i > 0 && is_lower(piece[i - 1]);
    if (starts_word) text += ' ';
    // A word in capitals is an abbreviation.
    const bool alone = i + 1 == piece.size() || !is_upper(piece[i + 1]);
    text += letter == '_' ? ' '
            : starts_word && alone
                ? static_cast<char>(std::tolower(static_cast<unsigned char>(letter)))
                : letter;
  }
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? std::string(piece) : text.substr(first);
}

/// Whole names that the rules below would not read well.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> set_phrases = {
    {{"part of", "is part of"},
     {"made of", "is made of"},
     {"capable of", "is capable of"},
     {"subpart of", "is a subpart of"},
     {"also see", "refers also to"},
     {"same as", "is the same as"},
     {"verb group", "is in the verb group of"},
     {"married", "is married to"},
     {"borders", "borders"}}};
constexpr auto kinds = std::to_array<std::string_view>(
    {"isa", "is a", "is an", "subclass of", "sub class of", "subtype of", "kind of"});
constexpr auto classes =
    std::to_array<std::string_view>({"type", "instance of", "is instance of", "instanceof"});
constexpr auto auxiliaries = std::to_array<std::string_view>({"has", "is", "was", "can"});
constexpr auto prepositions = std::to_array<std::string_view>(
    {"about", "after", "as", "at", "before", "by", "for", "from", "in", "into", "of", "on", "onto",
     "out", "over", "than", "to", "under", "with"});
constexpr auto without_article =
    std::to_array<std::string_view>({"part", "made", "capable", "member", "full", "aware"});

/// "affects" and "interacts", but not "process", "status", "analysis".
bool third_person(std::string_view word) {
  if (word.size() < 4 || word.back() != 's') return false;
  return std::string_view("sui").find(word[word.size() - 2]) == std::string_view::npos;
}

/// A letter or a word and a number, such as P31 and term12: says nothing by itself.
bool is_code(std::string_view text) {
  const std::size_t digits = text.find_first_of("0123456789");
  return digits != std::string_view::npos && digits > 0 &&
         std::ranges::all_of(text.substr(digits), [](char c) { return c >= '0' && c <= '9'; }) &&
         text.find(' ') == std::string_view::npos;
}

/// Properties of data on the Web name their object: /people/person/nationality(x,y) says that y is
/// x's. So do WordNet's, which begin with an underscore.
bool is_property(std::string_view name, std::string_view text) {
  const bool camel = std::ranges::adjacent_find(name, [](char a, char b) {
                       return is_lower(a) && is_upper(b);
                     }) != name.end();
  return camel || name.starts_with('/') || name.starts_with('_') ||
         name.find(':') != std::string_view::npos || text.find(" of ") != std::string_view::npos;
}

/// "is parent of" lacks an article, "is part of" does not.
std::string with_missing_article(const std::string& text) {
  constexpr std::string_view is = "is ";
  if (!text.starts_with(is) || !text.ends_with(" of")) return text;
  const std::string noun = text.substr(is.size(), text.size() - is.size() - 3);
  const bool article = noun.starts_with("a ") || noun.starts_with("an ") ||
                       noun.starts_with("the ") || noun.ends_with("ed") ||
                       among(without_article, noun);
  return article ? text : fmt::format("is {} of", with_article(noun));
}

/// What stands between the two ends where a relation is read as a verb: "lives in", "is part of",
/// "is the location of". None where it is a noun.
std::optional<std::string> verb(std::string_view name, const std::string& text) {
  for (const auto& [phrase, reading] : set_phrases) {
    if (text == phrase) return std::string(reading);
  }
  if (is_code(text)) return fmt::format("is related by {} to", text);
  const std::size_t space = text.find(' ');
  const std::string first = text.substr(0, space);
  if (among(auxiliaries, first) && space != std::string::npos) return with_missing_article(text);
  // Freebase's paths end in properties: its /music/genre/artists are a noun.
  const bool acts = third_person(first) && !name.starts_with('/');
  if (space == std::string::npos) return acts ? std::optional(text) : std::nullopt;
  const std::size_t cut = text.rfind(' ');
  const std::string_view last = std::string_view(text).substr(cut + 1);
  if (!among(prepositions, last)) return std::nullopt;
  if (acts) return text;
  const bool noun = last == "of" && !std::string_view(text).substr(0, cut).ends_with("ed");
  return (noun ? "is the " : "is ") + text;
}

bool is_plural(std::string_view text) {
  const std::size_t cut = text.rfind(' ');
  return third_person(cut == std::string_view::npos ? text : text.substr(cut + 1));
}

/// "carries" to "carry", "assesses" to "assess", "treats" to "treat".
std::string base_form(std::string word) {
  const auto ends = [&](std::string_view with) { return word.ends_with(with); };
  if (word == "has") return "have";
  if (ends("ies")) return word.substr(0, word.size() - 3) + "y";
  for (const char* hissing : {"sses", "shes", "ches", "xes", "zzes", "oes"}) {
    if (ends(hissing)) return word.substr(0, word.size() - 2);
  }
  word.pop_back();
  return word;
}

}  // namespace

RelationWords words_of(std::string_view name, NounOf noun) {
  constexpr std::string_view has = "has ";
  std::string text = spaced(last_piece(name));
  if (among(kinds, text)) return {Kind::kind_of, "is a kind of"};
  if (among(classes, text) && !name.starts_with('/')) return {Kind::kind_of, "is an instance of"};
  // has_part(x,y): y is a part of x. Not so has_effect_on.
  const std::size_t cut = text.rfind(' ');
  const bool governs = cut != std::string::npos && among(prepositions, text.substr(cut + 1));
  if (text.starts_with(has) && !governs) {
    text.erase(0, has.size());
    return {is_plural(text) ? Kind::plural : Kind::noun, text, true};
  }
  if (auto acts = verb(name, text)) return {Kind::verb, std::move(*acts)};
  const bool property = noun == NounOf::object || is_property(name, text);
  return {property && is_plural(text) ? Kind::plural : Kind::noun, text, property};
}

std::string negated(std::string_view verb) {
  const std::size_t space = std::min(verb.find(' '), verb.size());
  const std::string first(verb.substr(0, space));
  const std::string_view rest = verb.substr(space);
  if (first == "can") return fmt::format("cannot{}", rest);
  if (first == "is" || first == "was") return fmt::format("{} not{}", first, rest);
  return fmt::format("does not {}{}", base_form(first), rest);
}

}  // namespace lerpp
