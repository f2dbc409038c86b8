// SPDX-License-Identifier: Apache-2.0
#include "kg/columns.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace lerpp::formats {
namespace {

/// What the ends of a fact are called, best first.
struct Ends {
  std::string_view subject;
  std::string_view object;
};
constexpr std::array ends = {Ends{"subject", "object"},
                             Ends{"head", "tail"},
                             Ends{"source", "target"},
                             Ends{"from", "to"},
                             Ends{"src", "dst"},
                             Ends{"start", "end"},
                             Ends{"subj", "obj"},
                             Ends{"src", "dest"},
                             Ends{"src", "tgt"},
                             Ends{"source", "destination"},
                             Ends{"source", "dest"},
                             Ends{"source", "sink"},
                             Ends{"head_entity", "tail_entity"},
                             Ends{"entity1", "entity2"},
                             Ends{"entity_1", "entity_2"},
                             Ends{"node1", "node2"},
                             Ends{"node_1", "node_2"},
                             Ends{"arg1", "arg2"},
                             Ends{"e1", "e2"},
                             Ends{"subject_name", "object_name"},
                             Ends{"head_name", "tail_name"},
                             Ends{"source_name", "target_name"},
                             Ends{"x_name", "y_name"},
                             Ends{"subject_id", "object_id"},
                             Ends{"head_id", "tail_id"},
                             Ends{"source_id", "target_id"},
                             Ends{"from_id", "to_id"},
                             Ends{"start_id", "end_id"},
                             Ends{"x_id", "y_id"},
                             Ends{"s", "o"},
                             Ends{"h", "t"}};

constexpr std::array<std::string_view, 24> relations = {"relation",
                                                        "predicate",
                                                        "rel",
                                                        "relationship",
                                                        "relation_type",
                                                        "rel_type",
                                                        "edge_type",
                                                        "link_type",
                                                        "relationship_type",
                                                        "predicate_label",
                                                        "property",
                                                        "edge_label",
                                                        "edge",
                                                        "link",
                                                        "type",
                                                        "label",
                                                        "verb",
                                                        "interaction",
                                                        "interaction_type",
                                                        "pred",
                                                        "relation_name",
                                                        "relation_id",
                                                        "predicate_id",
                                                        "association"};

/// The word as the tables spell it: small letters, without quotes, blanks around it, and what Neo4j
/// adds (":START_ID(Person)").
std::string plain(std::string_view word) {
  const std::size_t begin = word.find_first_not_of(" \t\"'#:");
  if (begin == std::string_view::npos) return {};
  word = word.substr(begin, word.find_last_not_of(" \t\"'") - begin + 1);
  word = word.substr(0, word.find('('));
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    if (c == ' ' || c == '-') return '_';
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

std::vector<std::string> plain(std::span<const std::string_view> words) {
  std::vector<std::string> result;
  result.reserve(words.size());
  for (const std::string_view word : words) result.push_back(plain(word));
  return result;
}

std::optional<std::size_t> place_of(std::span<const std::string> words, std::string_view wanted) {
  const auto found = std::find(words.begin(), words.end(), wanted);
  if (found == words.end()) return std::nullopt;
  return static_cast<std::size_t>(found - words.begin());
}

std::optional<std::size_t> relation_place(std::span<const std::string> words) {
  for (const std::string_view known : relations) {
    if (const auto place = place_of(words, known)) return place;
  }
  return std::nullopt;
}

/// One letter says little: the three must be a set, alone, and in the usual order.
std::optional<Header> match_letters(std::span<const std::string> words) {
  if (words.size() != 3) return std::nullopt;
  const std::string letters = words[0] + words[1] + words[2];
  if (letters == "hrt" || letters == "spo" || letters == "sro") return Header{{}, true};
  // Another order may be one too, or a fact.
  if (letters == "htr" || letters == "sop" || letters == "sor") return Header{{{0, 2, 1}}, false};
  return std::nullopt;
}

bool is_letter(std::string_view word) {
  return word.size() == 1;
}

}  // namespace

Result<ColumnMap> parse_columns(std::string_view text) {
  const auto wrong = [&](std::string_view why) {
    return fail(fmt::format("'{}' does not say which column is what, {}", text, why), "",
                "give a letter for each column, as in --columns s,r,o: s is the subject, r the "
                "relation, o the object, - is left out",
                ErrorKind::usage);
  };
  std::array<std::optional<std::size_t>, 3> found;
  constexpr std::string_view letters = "sro";
  std::size_t width = 0;
  for (std::string_view rest = text;; ++width) {
    const std::size_t end = rest.find(',');
    const std::string_view cell = rest.substr(0, end);
    if (cell != "-") {
      const std::size_t which = cell.size() == 1 ? letters.find(cell[0]) : std::string_view::npos;
      if (which == std::string_view::npos) return wrong(fmt::format("'{}' is no letter", cell));
      if (found[which]) return wrong(fmt::format("'{}' comes twice", cell));
      found[which] = width;
    }
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  ++width;
  if (!found[0] || !found[1] || !found[2]) return wrong("s, r and o are needed");
  if (width > most_columns) return wrong("there are too many");
  return ColumnMap{{*found[0], *found[1], *found[2]}, width};
}

std::optional<Header> match_header(std::span<const std::string_view> given) {
  if (given.size() < 3) return std::nullopt;
  const std::vector<std::string> words = plain(given);
  if (auto letters = match_letters(words)) return letters;
  const auto relation = relation_place(words);
  if (!relation) return std::nullopt;
  const auto header = [&](std::size_t subject, std::size_t object, bool sure) {
    return Header{{{subject, *relation, object}, words.size()}, sure};
  };
  std::optional<std::size_t> subject;
  std::optional<std::size_t> object;
  for (const Ends& pair : ends) {
    if (is_letter(pair.subject)) continue;
    const auto first = place_of(words, pair.subject);
    const auto second = place_of(words, pair.object);
    if (first && second) return header(*first, *second, true);
    if (!subject) subject = first;
    if (!object) object = second;
  }
  if (!subject || !object) return std::nullopt;
  return header(*subject, *object, false);
}

bool is_plain_word(std::string_view word) {
  constexpr std::size_t longest = 30;
  return !word.empty() && word.size() <= longest &&
         std::all_of(word.begin(), word.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ' ' ||
                  c == '-' || c == '"' || c == '#';
         });
}

bool could_be_header(std::string_view subject, std::string_view relation, std::string_view object) {
  if (!is_plain_word(subject) || !is_plain_word(relation) || !is_plain_word(object)) return false;
  const std::string middle = plain(relation);
  if (std::find(relations.begin(), relations.end(), middle) != relations.end()) return true;
  const std::string first = plain(subject);
  const std::string last = plain(object);
  return std::any_of(ends.begin(), ends.end(), [&](const Ends& pair) {
    return !is_letter(pair.subject) && first == pair.subject && last == pair.object;
  });
}

std::string other_columns(std::span<const std::string_view> words, const ColumnMap& map) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (std::find(map.places.begin(), map.places.end(), i) != map.places.end()) continue;
    if (!text.empty()) text += ", ";
    text += words[i];
  }
  return text;
}

}  // namespace lerpp::formats
