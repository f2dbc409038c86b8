// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/text.hpp>
#include <lerp/kg/stats.hpp>

namespace lerpp {
namespace {

// A share that a trivial model could live on.
constexpr double worth_a_word = 0.2;
constexpr std::size_t largest_relations = 5;

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", thousands(number), number == 1 ? one : many);
}

/// "94 %", with a decimal where it would round to nothing.
std::string percent(double share) {
  const double value = 100 * share;
  if (value > 0 && value < 0.1) return "< 0.1 %";
  if (value > 0 && value < 9.95) return fmt::format("{:.1f} %", value);
  // Not all is not 100 %.
  if (value < 100 && value >= 99.5) return fmt::format("{:.1f} %", std::min(value, 99.9));
  return fmt::format("{:.0f} %", value);
}

/// The end of a long name, which says more than its beginning: Freebase's relations are paths.
std::string ending(std::string_view name) {
  constexpr std::size_t length = 40;
  if (name.size() <= length) return std::string(name);
  std::size_t first = name.size() - length;
  while (first < name.size() && (static_cast<unsigned char>(name[first]) & 0xC0U) == 0x80U) ++first;
  return "…" + std::string(name.substr(first));
}

const Stats::SplitStats* find(const Stats& stats, Split split) {
  const auto found = std::find_if(stats.splits.begin(), stats.splits.end(),
                                  [&](const auto& some) { return some.split == split; });
  return found == stats.splits.end() ? nullptr : &*found;
}

std::uint64_t facts_of(const Stats& stats, Split split) {
  const Stats::SplitStats* found = find(stats, split);
  return found == nullptr ? 0 : found->facts;
}

std::string_view words_for(Split split) {
  return split == Split::valid ? "validation" : name_of(split);
}

std::string headline(const Stats& stats) {
  std::string line = fmt::format(
      "{}: {}, {}, {}", stats.dataset.empty() ? "dataset" : stats.dataset,
      counted(stats.entities, "entity", "entities"),
      counted(stats.relations, "relation", "relations"),
      counted(facts_of(stats, Split::facts) + facts_of(stats, Split::train), "fact", "facts"));
  for (const Split split : {Split::valid, Split::test}) {
    const std::uint64_t facts = facts_of(stats, split);
    if (facts > 0) line += fmt::format(", {} {}", thousands(facts), words_for(split));
  }
  for (const std::string& note : stats.notes) line += "\nnote: " + note;
  return line;
}

std::string origin(const Stats& stats) {
  std::string line;
  if (!stats.format.empty()) line = "format " + stats.format;
  if (stats.named > 0) {
    if (!line.empty()) line += ", ";
    line += counted(stats.named, "entity has a text", "entities have a text");
  }
  return line.empty() ? line : line + "\n";
}

std::string split_table(const Stats& stats) {
  using Row = std::vector<std::string>;
  std::vector<Row> rows = {{"", "facts", "repeated", "already known", "unseen entity",
                            "unseen relation", "inverse known", "pair known"}};
  for (const Stats::SplitStats& split : stats.splits) {
    rows.push_back({std::string(name_of(split.split)), thousands(split.facts),
                    thousands(split.repeated), thousands(split.known),
                    thousands(split.unseen_entity), thousands(split.unseen_relation),
                    percent(split.inverse_known), percent(split.pair_known)});
  }
  if (rows.size() == 1) return {};
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string table = "\n";
  for (const Row& row : rows) {
    table += fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i)
      table += fmt::format("  {:>{}}", row[i], widths[i]);
    table += "\n";
  }
  return table;
}

std::string degrees_and_relations(const Stats& stats) {
  std::string text;
  const Stats::Degrees& degrees = stats.degrees;
  if (degrees.max > 0) {
    text +=
        fmt::format("\nfacts per entity: median {}, mean {:.1f}, 99 % up to {}, largest {} ({})\n",
                    thousands(degrees.median), degrees.mean, thousands(degrees.percentile_99),
                    thousands(degrees.max), degrees.max_label);
  }
  if (!stats.by_relation.empty()) {
    text += "largest relations: ";
    for (std::size_t i = 0; i < std::min(largest_relations, stats.by_relation.size()); ++i) {
      const Stats::Relation& relation = stats.by_relation[i];
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", ending(relation.name),
                          thousands(relation.facts));
    }
    text += stats.by_relation.size() > largest_relations ? ", …\n" : "\n";
  }
  return text;
}

/// One plain sentence for each thing that changes how results should be read.
class Notes {
 public:
  explicit Notes(const Stats& stats) {
    for (const Stats::Overlap& overlap : stats.overlaps) note(overlap);
    // The table has both held-out splits; one is enough for the words.
    const Stats::SplitStats* asked = find(stats, Split::test);
    if (asked == nullptr) asked = find(stats, Split::valid);
    if (asked != nullptr) note_held_out(*asked);
    for (const Stats::SplitStats& split : stats.splits) {
      if (split.repeated > 0) {
        add("the {} file repeats {}: each counts once", words_for(split.split),
            counted(split.repeated, "fact", "facts"));
      }
    }
    note_whole(stats);
  }

  std::string text() const {
    if (notes_.empty()) return "\nworth knowing: nothing stands out\n";
    std::string result = "\nworth knowing\n";
    for (const std::string& note : notes_) result += "  - " + note + "\n";
    return result;
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    notes_.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  void note(const Stats::Overlap& overlap) {
    const bool first_known = overlap.first == Split::facts || overlap.first == Split::train;
    const bool second_known = overlap.second == Split::train;
    add("{} and {} share {}: {}", words_for(overlap.first), words_for(overlap.second),
        counted(overlap.facts, "fact", "facts"),
        first_known && second_known ? "known twice, they count once"
        : first_known               ? "what is asked there is known beforehand"
                                    : "tuning on validation sees some of the test");
  }

  void note_held_out(const Stats::SplitStats& split) {
    const std::string_view name = words_for(split.split);
    if (split.unseen_entity > 0) {
      const double share =
          static_cast<double>(split.unseen_entity) / static_cast<double>(split.facts);
      add("{} ({}) {} an entity unseen in training: a perfect score is out of reach",
          counted(split.unseen_entity, fmt::format("{} fact", name), fmt::format("{} facts", name)),
          percent(share), split.unseen_entity == 1 ? "has" : "have");
    }
    if (split.unseen_relation > 0) {
      add("{} a relation unseen in training: nothing can be learned about it",
          counted(split.unseen_relation, fmt::format("{} fact has", name),
                  fmt::format("{} facts have", name)));
    }
    if (split.inverse_known >= worth_a_word) {
      add("{} of the {} facts have their inverse in training: a model that only inverts facts {}",
          percent(split.inverse_known), name,
          split.inverse_known >= 0.5 ? "scores high here" : "already answers some of them");
    }
    if (split.pair_known >= worth_a_word) {
      add("{} of the {} facts join a pair that training joins by another relation: one relation "
          "gives away the next",
          percent(split.pair_known), name);
    }
  }

  void note_whole(const Stats& stats) {
    if (stats.splits.empty()) {
      add("there are no facts");
      return;
    }
    if (find(stats, Split::test) == nullptr) {
      add("there is no test split: hold facts out before judging what is learned");
    }
    if (stats.unseen_entities > 0) {
      add("{} only in validation or test",
          counted(stats.unseen_entities, "entity occurs", "entities occur"));
    }
    if (stats.degrees.isolated > stats.unseen_entities) {
      add("{} no fact at all, and only make rankings longer",
          counted(stats.degrees.isolated - stats.unseen_entities, "entity has", "entities have"));
    }
    if (stats.empty_relations > 0) {
      add("{} no known fact: nothing can be learned about them",
          counted(stats.empty_relations, "relation has", "relations have"));
    }
  }

  std::vector<std::string> notes_;
};

}  // namespace

std::string headline(const Dataset& dataset) {
  Stats counts;
  counts.dataset = dataset.name;
  counts.notes = dataset.notes;
  counts.entities = dataset.entities.size();
  counts.relations = dataset.relations.size();
  for (const Split split : all_splits) {
    counts.splits.emplace_back();
    counts.splits.back().split = split;
    counts.splits.back().facts = dataset[split].size();
  }
  return headline(counts);
}

std::string to_text(const Stats& stats) {
  return headline(stats) + "\n" + origin(stats) + split_table(stats) +
         degrees_and_relations(stats) + Notes(stats).text();
}

std::string to_text(const Transfer& transfer) {
  std::string text =
      fmt::format("{} to {}: {} shared, {} shared\n", transfer.learned, transfer.asked,
                  counted(transfer.shared_entities, "entity", "entities"),
                  counted(transfer.shared_relations, "relation", "relations"));
  if (transfer.new_relations > 0) {
    text += fmt::format("  - {} about {} that {} does not show: nothing can be learned about it\n",
                        counted(transfer.new_relation_facts, "test fact is", "test facts are"),
                        counted(transfer.new_relations, "relation", "relations"), transfer.learned);
  }
  if (transfer.shared_entities > 0) {
    text += "  - shared entities make this less than a new graph\n";
  }
  return text;
}

}  // namespace lerpp
