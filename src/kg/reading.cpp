// SPDX-License-Identifier: Apache-2.0
#include "kg/reading.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/parallel.hpp>

#include "base/pieces.hpp"
#include "kg/lines.hpp"

namespace lerpp::formats {
namespace {

using Id = Vocabulary::Id;

/// What a worker checks to be text, and then parses, at once.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

Error unknown(std::string_view what, const std::string& list, Id size, CellKind kind,
              std::string_view cell) {
  if (kind == CellKind::numbered) {
    return {size == 0 ? fmt::format("the {} id {} has no name", what, quoted(cell))
                      : fmt::format("the {} id {} is not a number from 0 to {}", what, quoted(cell),
                                    size - 1),
            "", fmt::format("correct the line or {}", list)};
  }
  return {fmt::format("the {} {} is not listed", what, quoted(cell)), "",
          fmt::format("add it to {} or correct the line", list)};
}

/// One column's names as a worker sees them: looked up in a list, or numbered by itself.
struct Column {
  CellKind kind = CellKind::open;
  Vocabulary* names = nullptr;

  void hash(std::string_view cell, std::uint64_t& hash) const {
    if (kind == CellKind::numbered) return;
    hash = Vocabulary::hash(cell);
    names->prefetch(hash);
  }
  Id guess(std::uint64_t hash) const {
    if (kind == CellKind::numbered) return Vocabulary::none;
    const Id id = names->candidate(hash);
    if (id != Vocabulary::none) names->prefetch_start(id);
    return id;
  }
  void prefetch(Id guess) const {
    if (guess != Vocabulary::none) names->prefetch_name(guess);
  }
  Id id(std::string_view cell, std::uint64_t hash, Id guess) const {
    return guess != Vocabulary::none && names->is(guess, cell) ? guess : id(cell, hash);
  }
  Id id(std::string_view cell, std::uint64_t hash) const {
    if (kind == CellKind::open) return names->intern(cell, hash);
    if (kind == CellKind::listed) return names->find(cell, hash);
    const auto number = parse_number(cell);
    return number && *number < names->size() ? static_cast<Id>(*number) : Vocabulary::none;
  }
};

struct Columns {
  Column entities;
  Column relations;
};

/// A worker's part of the text, and what it made of it.
struct Chunk {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t lines = 0;   ///< at most
  std::size_t offset = 0;  ///< its first fact
  std::size_t facts = 0;   ///< how many it found
  Vocabulary entities;     ///< its own numbering, where the column is open
  Vocabulary relations;    ///
  std::vector<Label> labels;
  std::uint64_t literals = 0;
  std::uint64_t graphs = 0;
  std::optional<std::size_t> bad;  ///< where the first bad line starts
  Error error;                     ///< and what is wrong with it
};

class Lines {
 public:
  Lines(std::string_view text, const std::string& where, Reading& reading, Split split,
        const LineParser& parser, const LinesOptions& options)
      : text_(text),
        where_(where),
        reading_(reading),
        facts_(reading.dataset[split]),
        parser_(parser),
        options_(options) {}

  Result<std::uint64_t> run() {
    cut();
    const auto workers = static_cast<unsigned>(chunks_.size());
    run_workers(workers, [&](unsigned worker) {
      Chunk& chunk = chunks_[worker];
      chunk.lines = 1;
      in_pieces(chunk.begin, chunk.end, reading_.observer, [&](std::size_t from, std::size_t to) {
        const std::string_view part = text_.substr(from, to - from);
        chunk.lines += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
      });
    });
    if (reading_.observer.stopped()) return tl::unexpected(stopped_error(where_));
    std::size_t offset = facts_.size();
    for (Chunk& chunk : chunks_) {
      chunk.offset = offset;
      offset += chunk.lines;
    }
    // Every worker writes to its place at once: the facts are never held twice.
    facts_.resize(offset);
    run_workers(workers, [&](unsigned worker) { parse(worker); });
    if (reading_.observer.stopped()) return tl::unexpected(stopped_error(where_));
    for (Chunk& chunk : chunks_) {
      if (!chunk.bad) continue;
      chunk.error.where = at_place(where_, text_, *chunk.bad);
      return tl::unexpected(std::move(chunk.error));
    }
    merge();
    if (reading_.observer.stopped()) return tl::unexpected(stopped_error(where_));
    return pack();
  }

 private:
  /// The parts of the workers, each from the start of a line to the end of one.
  void cut() {
    const std::size_t bytes = text_.size() - options_.begin;
    const std::size_t most =
        std::max<std::size_t>(1, bytes / std::max<std::size_t>(1, reading_.least_chunk));
    const auto workers =
        static_cast<unsigned>(std::min<std::size_t>(worker_count(reading_.threads), most));
    std::size_t begin = options_.begin;
    for (unsigned worker = 0; worker < workers; ++worker) {
      std::size_t end = options_.begin + slice(bytes, worker, workers).second;
      if (end < begin) end = begin;
      end = line_end(end, text_.size());
      chunks_.emplace_back();
      chunks_.back().begin = begin;
      chunks_.back().end = end;
      begin = end;
    }
  }

  /// The end of the line that a place is in; the place itself where one ends there.
  std::size_t line_end(std::size_t place, std::size_t last) const {
    if (place >= last || place == 0) return place;
    const std::size_t found = text_.find('\n', place - 1);
    return found == std::string_view::npos ? last : std::min(last, found + 1);
  }

  void parse(unsigned worker) {
    Chunk& chunk = chunks_[worker];
    // The first worker numbers names in the dataset itself: nothing is left to merge of its part.
    Dataset& dataset = reading_.dataset;
    const bool first = worker == 0;
    const Column entities{options_.entities, first || options_.entities != CellKind::open
                                                 ? &dataset.entities
                                                 : &chunk.entities};
    const Column relations{options_.relations, first || options_.relations != CellKind::open
                                                   ? &dataset.relations
                                                   : &chunk.relations};
    auto block = std::make_unique<Block>();
    for (std::size_t place = chunk.begin; place < chunk.end && !chunk.bad;) {
      if (reading_.observer.stopped()) return;
      const std::size_t end = line_end(std::min(chunk.end, place + piece_bytes), chunk.end);
      parse_piece(place, end, {entities, relations}, *block, chunk);
      place = end;
      if (first) {
        reading_.report(static_cast<double>(place - chunk.begin) /
                        static_cast<double>(chunk.end - chunk.begin));
      }
    }
    chunk.labels = std::move(block->labels);
    chunk.literals = block->literals;
    chunk.graphs = block->graphs;
  }

  /// Parses some whole lines of a chunk.
  void parse_piece(std::size_t place, std::size_t end, const Columns& columns, Block& block,
                   Chunk& chunk) {
    const auto invalid = find_invalid_utf8(text_.substr(place, end - place));
    const std::string_view text = text_.substr(0, invalid ? place + *invalid : end);
    while (place < text.size() && !chunk.bad) {
      if (reading_.observer.stopped()) return;
      block.clear();
      place = parser_.parse(text, place, block);
      if (!resolve(block, columns, chunk)) return;
      if (!block.bad) continue;
      chunk.bad = block.bad;
      std::string_view rest = text.substr(*block.bad);
      chunk.error = parser_.explain(take_line(rest));
    }
    if (invalid && !chunk.bad) {
      chunk.bad = text.size();
      chunk.error = invalid_utf8("");
    }
  }

  /// Turns the names of a block into ids. False where one is unknown.
  bool resolve(const Block& block, const Columns& columns, Chunk& chunk) {
    const Column& entities = columns.entities;
    const Column& relations = columns.relations;
    constexpr std::size_t capacity = Block::capacity;
    std::array<std::uint64_t, capacity> subjects;
    std::array<std::uint64_t, capacity> verbs;
    std::array<std::uint64_t, capacity> objects;
    std::array<Id, capacity> subject_guesses;
    std::array<Id, capacity> object_guesses;
    for (std::size_t i = 0; i < block.size; ++i) {
      entities.hash(block.cells[i].subject, subjects[i]);
      relations.hash(block.cells[i].relation, verbs[i]);
      entities.hash(block.cells[i].object, objects[i]);
    }
    for (std::size_t i = 0; i < block.size; ++i) {
      subject_guesses[i] = entities.guess(subjects[i]);
      object_guesses[i] = entities.guess(objects[i]);
    }
    for (std::size_t i = 0; i < block.size; ++i) {
      entities.prefetch(subject_guesses[i]);
      entities.prefetch(object_guesses[i]);
    }
    Fact* out = facts_.data() + chunk.offset + chunk.facts;
    for (std::size_t i = 0; i < block.size; ++i) {
      const Cells& cells = block.cells[i];
      const Fact fact{entities.id(cells.subject, subjects[i], subject_guesses[i]),
                      relations.id(cells.relation, verbs[i]),
                      entities.id(cells.object, objects[i], object_guesses[i])};
      if (fact.subject == Vocabulary::none || fact.relation == Vocabulary::none ||
          fact.object == Vocabulary::none) {
        chunk.bad = block.places[i];
        chunk.error = fact.subject == Vocabulary::none
                          ? unknown_entity(reading_, entities.kind, cells.subject)
                      : fact.relation == Vocabulary::none
                          ? unknown_relation(reading_, relations.kind, cells.relation)
                          : unknown_entity(reading_, entities.kind, cells.object);
        return false;
      }
      *out++ = fact;
      ++chunk.facts;
    }
    return true;
  }

  /// Numbers the names of the later parts after those of the first, in the order of the text.
  void merge() {
    if (chunks_.size() < 2) return;
    const auto workers = static_cast<unsigned>(chunks_.size());
    std::vector<std::vector<Id>> entities(chunks_.size());
    std::vector<std::vector<Id>> relations(chunks_.size());
    // Most names are known from the first part: looking these up is left to all workers.
    run_workers(workers, [&](unsigned worker) {
      if (worker == 0) return;
      entities[worker] = known(chunks_[worker].entities, reading_.dataset.entities);
      relations[worker] = known(chunks_[worker].relations, reading_.dataset.relations);
    });
    for (std::size_t i = 1; i < chunks_.size(); ++i) {
      number(chunks_[i].entities, reading_.dataset.entities, entities[i]);
      number(chunks_[i].relations, reading_.dataset.relations, relations[i]);
      // The names are in the dataset now, and need not be held twice.
      chunks_[i].entities = {};
      chunks_[i].relations = {};
    }
    if (reading_.observer.stopped()) return;
    run_workers(workers, [&](unsigned worker) {
      if (worker == 0) return;
      Chunk& chunk = chunks_[worker];
      const bool open_entities = options_.entities == CellKind::open;
      const bool open_relations = options_.relations == CellKind::open;
      const auto rename = [&](std::size_t from, std::size_t to) {
        for (Fact& fact : std::span(facts_).subspan(from, to - from)) {
          if (open_entities) {
            fact.subject = entities[worker][fact.subject];
            fact.object = entities[worker][fact.object];
          }
          if (open_relations) fact.relation = relations[worker][fact.relation];
        }
      };
      in_pieces(chunk.offset, chunk.offset + chunk.facts, reading_.observer, rename);
    });
  }

  std::vector<Id> known(const Vocabulary& local, const Vocabulary& all) const {
    std::vector<Id> ids(local.size());
    std::array<std::uint64_t, 64> hashes;
    for (Id first = 0; first < local.size() && !reading_.observer.stopped();
         first += hashes.size()) {
      const Id count = std::min<Id>(hashes.size(), local.size() - first);
      for (Id i = 0; i < count; ++i) {
        hashes[i] = Vocabulary::hash(local.name(first + i));
        all.prefetch(hashes[i]);
      }
      for (Id i = 0; i < count; ++i) ids[first + i] = all.find(local.name(first + i), hashes[i]);
    }
    return ids;
  }

  void number(const Vocabulary& local, Vocabulary& all, std::vector<Id>& ids) const {
    in_pieces(0, local.size(), reading_.observer, [&](std::size_t from, std::size_t to) {
      for (Id id = static_cast<Id>(from); id < to; ++id) {
        if (ids[id] == Vocabulary::none) ids[id] = all.intern(local.name(id));
      }
    });
  }

  /// Closes the gaps that blank lines left, and hands over the texts.
  std::uint64_t pack() {
    std::uint64_t found = 0;
    auto end = facts_.begin() + static_cast<std::ptrdiff_t>(chunks_.front().offset);
    for (Chunk& chunk : chunks_) {
      const auto begin = facts_.begin() + static_cast<std::ptrdiff_t>(chunk.offset);
      const auto last = begin + static_cast<std::ptrdiff_t>(chunk.facts);
      end = end == begin ? last : std::move(begin, last, end);
      found += chunk.facts;
      std::move(chunk.labels.begin(), chunk.labels.end(), std::back_inserter(reading_.labels));
      reading_.literals += chunk.literals;
      reading_.graphs += chunk.graphs;
    }
    facts_.erase(end, facts_.end());
    return found;
  }

  std::string_view text_;
  const std::string& where_;
  Reading& reading_;
  std::vector<Fact>& facts_;
  const LineParser& parser_;
  const LinesOptions& options_;
  std::vector<Chunk> chunks_;
};

}  // namespace

void Reading::report(double share) const {
  const auto part = static_cast<std::uint64_t>(share * static_cast<double>(bytes_file));
  observer.report({"reading", bytes_done + part, bytes_total, "bytes", ""});
}

Error stopped_error(const std::string& where) {
  return fail_stopped("reading", where).value();
}

Error unknown_entity(const Reading& reading, CellKind kind, std::string_view cell) {
  return unknown("entity", reading.entity_list, reading.dataset.entities.size(), kind, cell);
}

Error unknown_relation(const Reading& reading, CellKind kind, std::string_view cell) {
  return unknown("relation", reading.relation_list, reading.dataset.relations.size(), kind, cell);
}

Result<std::uint64_t> read_lines(std::string_view text, const std::string& where, Reading& reading,
                                 Split split, const LineParser& parser,
                                 const LinesOptions& options) {
  return Lines(text, where, reading, split, parser, options).run();
}

Result<void> add_fact(Reading& reading, Split split, const Cells& cells, const std::string& where) {
  Dataset& dataset = reading.dataset;
  const Column entities{reading.entity_kind(), &dataset.entities};
  const Column relations{reading.relation_kind(), &dataset.relations};
  const auto id = [](const Column& column, std::string_view cell) {
    return column.id(cell, Vocabulary::hash(cell));
  };
  const auto refuse = [&](Error error) -> Result<void> {
    error.where = where;
    return tl::unexpected(std::move(error));
  };
  const Id subject = id(entities, cells.subject);
  if (subject == Vocabulary::none) {
    return refuse(unknown_entity(reading, entities.kind, cells.subject));
  }
  const Id relation = id(relations, cells.relation);
  if (relation == Vocabulary::none) {
    return refuse(unknown_relation(reading, relations.kind, cells.relation));
  }
  const Id object = id(entities, cells.object);
  if (object == Vocabulary::none) {
    return refuse(unknown_entity(reading, entities.kind, cells.object));
  }
  dataset[split].push_back({subject, relation, object});
  return {};
}

}  // namespace lerpp::formats
