// SPDX-License-Identifier: Apache-2.0
#include "kg/wordnet_file.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "kg/readable.hpp"

namespace lerpp::wordnet {
namespace {

constexpr std::size_t offset_length = 8;

struct Symbol {
  std::string_view symbol;
  std::string_view relation;
};

// The first 18 are WN18's; the others follow its style.
constexpr std::array<Symbol, 26> symbols = {{
    {"@", "_hypernym"},
    {"~", "_hyponym"},
    {"@i", "_instance_hypernym"},
    {"~i", "_instance_hyponym"},
    {"#m", "_member_holonym"},
    {"%m", "_member_meronym"},
    {"#p", "_part_of"},
    {"%p", "_has_part"},
    {"+", "_derivationally_related_form"},
    {"^", "_also_see"},
    {"$", "_verb_group"},
    {"&", "_similar_to"},
    {";c", "_synset_domain_topic_of"},
    {"-c", "_member_of_domain_topic"},
    {";r", "_synset_domain_region_of"},
    {"-r", "_member_of_domain_region"},
    {";u", "_synset_domain_usage_of"},
    {"-u", "_member_of_domain_usage"},
    {"#s", "_substance_holonym"},
    {"%s", "_substance_meronym"},
    {"!", "_antonym"},
    {"=", "_attribute"},
    {"*", "_entailment"},
    {">", "_cause"},
    {"<", "_participle_of_verb"},
    {"\\", "_pertainym"},
}};

/// Takes the words of a line one by one.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  /// Empty at the end.
  std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(word.size());
    return word;
  }

  std::optional<unsigned> number(int base) {
    const std::string_view word = next();
    unsigned value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (error != std::errc() || end != word.data() + word.size() || word.empty()) return {};
    return value;
  }

 private:
  std::string_view rest_;
};

bool is_offset(std::string_view word) {
  return word.size() == offset_length && word.find_first_not_of("0123456789") == word.npos;
}

}  // namespace

std::string_view file_of(Part part) {
  switch (part) {
    case 'n':
      return "data.noun";
    case 'v':
      return "data.verb";
    case 'a':
      return "data.adj";
    default:
      return "data.adv";
  }
}

std::string_view relation_of(std::string_view symbol, Part part) {
  // One sign, two meanings: an adjective pertains to a noun, an adverb derives from an adjective.
  if (symbol == "\\" && part == 'r') return "_derived_from_adjective";
  for (const Symbol& known : symbols) {
    if (known.symbol == symbol) return known.relation;
  }
  return {};
}

Result<void> parse(std::string_view line, Part part, const std::string& where, Synset& synset) {
  const auto wrong = [&](std::string what) {
    return fail(std::move(what), where, "give the database files of WordNet 2.0 or later");
  };
  const std::size_t bar = line.find('|');
  synset = {};
  synset.part = part;
  synset.gloss = bar == std::string_view::npos ? "" : trim(line.substr(bar + 1));

  Words words(trim(line.substr(0, bar)));
  synset.offset = words.next();
  if (!is_offset(synset.offset)) return wrong("the line does not start with an offset of 8 digits");
  words.next();  // the lexicographer's file
  const std::string_view type = words.next();
  if (type.size() != 1 || (type.front() != part && !(type == "s" && part == 'a'))) {
    return wrong("the line is of another part of speech than its file");
  }
  const std::optional<unsigned> word_count = words.number(16);
  if (word_count.value_or(0) == 0) return wrong("the line has no count of its words");
  for (unsigned i = 0; i < *word_count; ++i) {
    const std::string_view word = words.next();
    if (i == 0) synset.word = word;
    const std::string_view sense = words.next();  // in the lexicographer's file
    if (sense.empty()) return wrong("the line has fewer words than it says");
  }
  const std::optional<unsigned> pointer_count = words.number(10);
  if (!pointer_count) return wrong("the line has no count of its pointers");
  for (unsigned i = 0; i < *pointer_count; ++i) {
    Pointer pointer;
    pointer.symbol = words.next();
    pointer.offset = words.next();
    const std::string_view target = words.next();
    const std::string_view ends = words.next();  // which words it links: the synsets stand for them
    if (!is_offset(pointer.offset) || target.size() != 1 || ends.empty()) {
      return wrong("the line has fewer pointers than it says");
    }
    pointer.part = target == "s" ? 'a' : target.front();
    if (std::find(parts.begin(), parts.end(), pointer.part) == parts.end()) {
      return wrong("a pointer leads to an unknown part of speech");
    }
    synset.pointers.push_back(pointer);
  }
  return {};
}

}  // namespace lerpp::wordnet
