// SPDX-License-Identifier: Apache-2.0
#include "kg/texts.hpp"

#include <algorithm>

#include "kg/lines.hpp"

namespace lerpp::formats {
namespace {

/// Lines after which it is asked whether to stop.
constexpr std::uint64_t lines_per_look = 1 << 12;

template <class Texts>
void put(const Vocabulary& names, Texts& texts, std::string_view name, std::string_view text,
         TextKey key) {
  if (key == TextKey::name) {
    const auto id = names.find(name);
    if (id) texts[*id] = text;
    return;
  }
  const auto id = parse_number(name);
  if (id && *id < names.size()) texts[static_cast<Vocabulary::Id>(*id)] = text;
}

}  // namespace

Result<void> read_texts(std::string_view text, const std::string& where, Dataset& dataset,
                        TextsFor whose, TextKey key, const Observer& observer) {
  LERP_CHECK(check_utf8(text, where));
  text = without_bom(text);
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    if (number % lines_per_look == 0 && observer.stopped())
      return tl::unexpected(stopped_error(where));
    const std::string_view line = take_line(text);
    if (is_blank(line)) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
      return fail("the line has 1 column instead of 2", at_line(where, number),
                  "separate name and text by a tab");
    }
    const std::string_view name = line.substr(0, tab);
    const std::string_view words = line.substr(tab + 1);
    if (words.empty()) continue;
    if (whose != TextsFor::relations) {
      put(dataset.entities, dataset.entity_texts, name, words, key);
    }
    if (whose != TextsFor::entities) {
      put(dataset.relations, dataset.relation_texts, name, words, key);
    }
  }
  return {};
}

void apply_labels(Reading& reading) {
  Dataset& dataset = reading.dataset;
  // The first label counts, but one in another language gives way to an English one.
  for (const bool preferred : {true, false}) {
    for (const Label& label : reading.labels) {
      if (reading.observer.stopped()) return;
      if (label.preferred != preferred || label.text.empty()) continue;
      if (const auto id = dataset.entities.find(label.name)) {
        dataset.entity_texts.try_emplace(*id, label.text);
      }
      if (const auto id = dataset.relations.find(label.name)) {
        dataset.relation_texts.try_emplace(*id, label.text);
      }
    }
  }
}

void apply_prefixes(Reading& reading) {
  std::vector<Prefix>& kept = reading.dataset.prefixes;
  for (const Prefix& prefix : reading.prefixes) {
    const bool torn = std::any_of(
        reading.prefixes.begin(), reading.prefixes.end(),
        [&](const Prefix& other) { return other.name == prefix.name && other.iri != prefix.iri; });
    const bool again = std::any_of(kept.begin(), kept.end(),
                                   [&](const Prefix& other) { return other.iri == prefix.iri; });
    if (!torn && !again && !prefix.iri.empty()) kept.push_back(prefix);
  }
  // The longest that fits a name is found first.
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Prefix& a, const Prefix& b) { return a.iri.size() > b.iri.size(); });
}

}  // namespace lerpp::formats
