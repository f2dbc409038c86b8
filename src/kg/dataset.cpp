#include <algorithm>

#include <lerp/base/parallel.hpp>
#include <lerp/kg/dataset.hpp>

namespace lerpp {
namespace {

constexpr std::size_t label_length = 40;

/// The part of a text worth showing in a line: all of it if short, else what stands before the
/// first comma (WordNet: the word before its gloss), else its beginning.
std::string shorten(std::string_view text) {
  if (text.size() <= label_length) return std::string(text);
  const std::size_t comma = text.find(", ");
  if (comma != std::string_view::npos && comma > 0 && comma <= label_length) {
    return std::string(text.substr(0, comma));
  }
  std::size_t end = label_length;
  // Never cut a UTF-8 sequence in two.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

std::string_view name_of(Split split) {
  constexpr std::array<std::string_view, all_splits.size()> names = {"facts", "train", "valid",
                                                                     "test"};
  return names[static_cast<std::size_t>(split)];
}

Graph Dataset::known_graph(bool with_valid, unsigned threads) const {
  const Dataset& self = *this;
  const std::span<const Fact> valid = self[Split::valid];
  return {entities.size(),
          relations.size(),
          {self[Split::facts], self[Split::train], with_valid ? valid : valid.first(0)},
          threads};
}

Graph Dataset::full_graph(unsigned threads) const {
  const Dataset& self = *this;
  return {entities.size(),
          relations.size(),
          {self[Split::facts], self[Split::train], self[Split::valid], self[Split::test]},
          threads};
}

std::string Dataset::entity_label(EntityId id) const {
  const auto text = entity_texts.find(id);
  return text == entity_texts.end() ? std::string(entities.name(id)) : shorten(text->second);
}

std::string Dataset::relation_label(RelationId id) const {
  const auto text = relation_texts.find(id);
  return text == relation_texts.end() ? std::string(relations.name(id)) : shorten(text->second);
}

std::uint64_t remove_repeated(std::vector<Fact>& facts, EntityId entities, unsigned threads) {
  // Facts are dealt out by subject; each subject's few facts are sorted and compared in cache.
  struct Item {
    RelationId relation;
    EntityId object;
    std::uint32_t place;
    auto operator<=>(const Item&) const = default;
  };
  const unsigned workers = worker_count(threads);
  std::vector<std::uint8_t> again(facts.size());
  run_workers(workers, [&](unsigned worker) {
    const auto [first, last] = slice(entities, worker, workers);
    std::vector<std::uint32_t> ends(last - first + 1);
    for (const Fact& fact : facts) {
      if (fact.subject >= first && fact.subject < last) ++ends[fact.subject - first + 1];
    }
    for (std::size_t row = 0; row + 1 < ends.size(); ++row) ends[row + 1] += ends[row];
    std::vector<Item> items(ends.back());
    for (std::size_t place = 0; place < facts.size(); ++place) {
      const Fact& fact = facts[place];
      if (fact.subject >= first && fact.subject < last) {
        items[ends[fact.subject - first]++] = {fact.relation, fact.object,
                                               static_cast<std::uint32_t>(place)};
      }
    }
    std::size_t begin = 0;
    for (std::size_t row = 0; row + 1 < ends.size(); ++row) {
      const std::size_t end = ends[row];
      std::sort(items.begin() + static_cast<std::ptrdiff_t>(begin),
                items.begin() + static_cast<std::ptrdiff_t>(end));
      for (std::size_t i = begin + 1; i < end; ++i) {
        if (items[i].relation == items[i - 1].relation && items[i].object == items[i - 1].object) {
          again[items[i].place] = 1;
        }
      }
      begin = end;
    }
  });
  std::size_t kept = 0;
  for (std::size_t place = 0; place < facts.size(); ++place) {
    if (again[place] == 0) facts[kept++] = facts[place];
  }
  const std::uint64_t removed = facts.size() - kept;
  facts.resize(kept);
  return removed;
}

}  // namespace lerpp
