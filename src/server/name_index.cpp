// SPDX-License-Identifier: Apache-2.0
#include "server/name_index.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace lerpp {
namespace {

/// Latin letters made small; those of other scripts stay as they are.
std::string small(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return result;
}

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

/// Which threes of bytes a text holds, one bit for each, by a hash.
using Threes = std::array<std::uint64_t, 16>;

std::size_t place_of_three(const char* at) {
  const auto byte = [&](int i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(at[i]));
  };
  return ((byte(0) * 31 + byte(1)) * 31 + byte(2)) * 2654435761U >> 22U;
}

Threes threes_of(std::string_view text, std::size_t& count) {
  Threes bits = {};
  count = 0;
  for (std::size_t i = 0; i + 3 <= text.size(); ++i) {
    const std::size_t place = place_of_three(text.data() + i);
    std::uint64_t& word = bits[place / 64];
    const std::uint64_t bit = std::uint64_t{1} << (place % 64);
    count += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }
  return bits;
}

/// Twice what both share, by what both have.
double likeness(const Threes& wanted, std::size_t count, std::string_view text) {
  if (count == 0 || text.size() < 3) return 0;
  std::size_t own = 0;
  const Threes bits = threes_of(text, own);
  std::size_t shared = 0;
  for (std::size_t i = 0; i < bits.size(); ++i)
    shared += static_cast<std::size_t>(__builtin_popcountll(bits[i] & wanted[i]));
  return 2.0 * static_cast<double>(shared) / static_cast<double>(own + count);
}

std::optional<NameMatch> match_of(std::string_view name, std::string_view text) {
  const std::size_t at = name.find(text);
  if (at == std::string_view::npos) return {};
  if (at == 0) return name.size() == text.size() ? NameMatch::exact : NameMatch::prefix;
  for (std::size_t i = at; i != std::string_view::npos; i = name.find(text, i + 1)) {
    if (!in_word(name[i - 1])) return NameMatch::word;
  }
  return NameMatch::inside;
}

}  // namespace

std::string_view name_of(NameMatch match) {
  constexpr std::array<std::string_view, 5> names = {"exact", "prefix", "word", "inside",
                                                     "similar"};
  return names[static_cast<std::size_t>(match)];
}

void NameIndex::Words::add(std::string_view text, std::uint32_t id) {
  if (starts.empty()) starts.push_back(0);
  letters += small(text);
  starts.push_back(letters.size());
  ids.push_back(id);
}

NameIndex::NameIndex(const KnownGraph& known) {
  const Dataset& data = known.dataset();
  for (EntityId entity = 0; entity < data.entities.size(); ++entity) {
    entities_.add(data.entities.name(entity), entity);
    if (const auto text = data.entity_texts.find(entity); text != data.entity_texts.end())
      entities_.add(text->second, entity);
    entity_degrees_.push_back(known.graph().edges(entity).size());
  }
  relation_degrees_.resize(data.relations.size());
  for (const Edge& edge : known.graph().edges()) {
    if (edge.op < data.relations.size()) ++relation_degrees_[edge.op];
  }
  for (RelationId relation = 0; relation < data.relations.size(); ++relation) {
    relations_.add(data.relations.name(relation), relation);
    if (const auto text = data.relation_texts.find(relation); text != data.relation_texts.end())
      relations_.add(text->second, relation);
  }
}

std::vector<NameIndex::Found> NameIndex::find(const Words& words,
                                              const std::vector<std::size_t>& degrees,
                                              std::string_view text, std::size_t most,
                                              const Observer& observer) {
  constexpr double least = 0.4;
  constexpr std::size_t look = 4096;
  const std::string wanted = small(text);
  std::unordered_map<std::uint32_t, NameMatch> best;
  for (std::size_t i = 0; i < words.ids.size(); ++i) {
    if (i % look == 0 && observer.stopped()) return {};
    const std::optional<NameMatch> match = match_of(words.at(i), wanted);
    if (!match) continue;
    const auto [place, fresh] = best.emplace(words.ids[i], *match);
    if (!fresh) place->second = std::min(place->second, *match);
  }
  std::vector<Found> found;
  found.reserve(best.size());
  for (const auto& [id, match] : best) found.push_back({id, match, degrees[id]});
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tuple(a.match, b.degree, a.id) < std::tuple(b.match, a.degree, b.id);
  });
  if (found.size() >= most) {
    found.resize(most);
    return found;
  }
  std::size_t count = 0;
  const Threes threes = threes_of(wanted, count);
  std::unordered_map<std::uint32_t, double> alike;
  for (std::size_t i = 0; i < words.ids.size(); ++i) {
    if (i % look == 0 && observer.stopped()) return {};
    const double how = likeness(threes, count, words.at(i));
    if (how < least || best.contains(words.ids[i])) continue;
    double& kept = alike[words.ids[i]];
    kept = std::max(kept, how);
  }
  std::vector<std::pair<double, std::uint32_t>> order;
  order.reserve(alike.size());
  for (const auto& [id, how] : alike) order.emplace_back(-how, id);
  std::sort(order.begin(), order.end());
  for (const auto& [how, id] : order) {
    if (found.size() == most) break;
    found.push_back({id, NameMatch::similar, degrees[id]});
  }
  return found;
}

std::vector<NameIndex::Found> NameIndex::entities(std::string_view text, std::size_t most,
                                                  const Observer& observer) const {
  return find(entities_, entity_degrees_, text, most, observer);
}

std::vector<NameIndex::Found> NameIndex::relations(std::string_view text, std::size_t most) const {
  return find(relations_, relation_degrees_, text, most, {});
}

}  // namespace lerpp
