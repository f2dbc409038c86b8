// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include <lerp/base/text.hpp>
#include <lerp/kg/lookup.hpp>

namespace lerpp {
namespace {

using Texts = std::unordered_map<Vocabulary::Id, std::string>;

constexpr std::size_t proposals = 3;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

/// Names, and the first words of texts, that differ from the wanted one in few letters; the nearest
/// first.
std::vector<std::string> nearest(const Vocabulary& names, const Texts& texts,
                                 std::string_view wanted) {
  struct Near {
    std::size_t distance;
    std::string name;
  };
  const std::string word = lower(wanted);
  std::size_t most = std::max<std::size_t>(2, word.size() / 3);
  std::vector<Near> found;
  const auto consider = [&](std::string_view name, std::string_view shown) {
    const std::size_t longer = std::max(name.size(), word.size());
    if (longer - std::min(name.size(), word.size()) > most) return;
    const std::size_t distance = edit_distance(word, lower(name));
    if (distance > most) return;
    found.push_back({distance, std::string(shown)});
    std::stable_sort(found.begin(), found.end(),
                     [](const Near& a, const Near& b) { return a.distance < b.distance; });
    if (found.size() > proposals) found.pop_back();
    if (found.size() == proposals) most = found.back().distance;
  };
  for (Vocabulary::Id id = 0; id < names.size(); ++id) {
    const std::string_view name = names.name(id);
    consider(name, name);
    const auto text = texts.find(id);
    if (text == texts.end()) continue;
    consider(std::string_view(text->second).substr(0, text->second.find(',')),
             fmt::format("{} ({})", name, text->second.substr(0, text->second.find(','))));
  }
  std::vector<std::string> result;
  result.reserve(found.size());
  for (Near& near : found) result.push_back(std::move(near.name));
  return result;
}

/// The IRI that "ex:anna" is short for; empty where the prefix is unknown.
std::string spelled_out(const Dataset& dataset, std::string_view wanted) {
  const std::size_t colon = wanted.find(':');
  if (colon == std::string_view::npos) return {};
  for (const Prefix& prefix : dataset.prefixes) {
    if (prefix.name == wanted.substr(0, colon)) {
      return prefix.iri + std::string(wanted.substr(colon + 1));
    }
  }
  return {};
}

/// The one IRI that ends with "/anna" or "#anna"; none where there are more.
std::optional<Vocabulary::Id> by_ending(const Vocabulary& names, std::string_view wanted) {
  std::optional<Vocabulary::Id> found;
  for (Vocabulary::Id id = 0; id < names.size(); ++id) {
    const std::string_view name = names.name(id);
    if (name.size() <= wanted.size() || !name.ends_with(wanted)) continue;
    const char before = name[name.size() - wanted.size() - 1];
    if ((before != '/' && before != '#') || name.find("://") == std::string_view::npos) continue;
    if (found) return std::nullopt;
    found = id;
  }
  return found;
}

Result<Vocabulary::Id> find(const Dataset& dataset, std::string_view kind, const Vocabulary& names,
                            const Texts& texts, std::string_view wanted) {
  if (const auto id = names.find(wanted)) return *id;
  if (const auto id = names.find(spelled_out(dataset, wanted))) return *id;
  // "\\?" is the entity "?", which alone asks for an answer.
  if (wanted.starts_with('\\')) {
    if (const auto id = names.find(wanted.substr(1))) return *id;
  }
  std::vector<Vocabulary::Id> same;
  for (const auto& [id, text] : texts) {
    if (text == wanted || std::string_view(text).substr(0, text.find(',')) == wanted)
      same.push_back(id);
  }
  if (same.size() == 1) return same.front();
  if (same.empty() && !wanted.empty()) {
    if (const auto id = by_ending(names, wanted)) return *id;
  }
  std::sort(same.begin(), same.end());
  std::vector<std::string> proposed;
  for (const Vocabulary::Id id : same) {
    if (proposed.size() < proposals)
      proposed.push_back(fmt::format("{} ({})", names.name(id), texts.at(id)));
  }
  if (same.size() > 1) {
    return fail(fmt::format("more than one {} is called '{}'", kind, wanted), dataset.name,
                "give a name: " + alternatives(proposed), ErrorKind::usage);
  }
  proposed = nearest(names, texts, wanted);
  const std::string remedy = proposed.empty()
                                 ? fmt::format("names look like '{}'", names.name(0))
                                 : fmt::format("did you mean {}?", alternatives(proposed));
  return fail(fmt::format("no {} is called '{}'", kind, wanted), dataset.name, remedy,
              ErrorKind::usage);
}

}  // namespace

Result<EntityId> find_entity(const Dataset& dataset, std::string_view name) {
  return find(dataset, "entity", dataset.entities, dataset.entity_texts, name);
}

Result<RelationId> find_relation(const Dataset& dataset, std::string_view name) {
  return find(dataset, "relation", dataset.relations, dataset.relation_texts, name);
}

}  // namespace lerpp
