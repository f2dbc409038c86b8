// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/kg/dataset.hpp>

/// What all readers share: the dataset that grows file by file, and the loop over lines.
namespace lerpp::formats {

/// How the cells of a column turn into ids.
enum class CellKind {
  open,     ///< any name; a new one gets the next id
  listed,   ///< a name of the list that was read before
  numbered  ///< an id of that list
};

/// A human text for a name, found among the facts of an RDF file.
struct Label {
  std::string name;
  std::string text;
  bool preferred = true;  ///< English or of no language, rather than of another language
};

/// A dataset while it is read.
struct Reading {
  Dataset dataset;
  unsigned threads = 0;
  Observer observer = {};
  /// A worker gets at least this much of a file. Tests make it small.
  std::size_t least_chunk = std::size_t{1} << 20;
  ReadChoices choices = {};

  /// The files that list the names; empty where there is none.
  std::string entity_list;
  std::string relation_list;
  std::vector<Label> labels;
  /// Short names for the beginnings of IRIs, as files declare them.
  std::vector<Prefix> prefixes;
  std::uint64_t literals = 0;  ///< facts left out since their object is one
  std::uint64_t graphs = 0;    ///< facts whose graph was left out

  /// For progress: bytes on disk of the files read, of the present file, and of all.
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_file = 0;
  std::uint64_t bytes_total = 0;

  CellKind entity_kind() const { return entity_list.empty() ? CellKind::open : CellKind::listed; }
  CellKind relation_kind() const {
    return relation_list.empty() ? CellKind::open : CellKind::listed;
  }
  /// Says how far the present file is, from 0 to 1.
  void report(double share) const;
  /// Something that people should know.
  void note(std::string sentence) { dataset.notes.push_back(std::move(sentence)); }
};

Error stopped_error(const std::string& where);

/// The three cells of a line.
struct Cells {
  std::string_view subject;
  std::string_view relation;
  std::string_view object;
};

/// Strings that live as long as a block of lines: cells that had to be unescaped.
class Scratch {
 public:
  std::string& next() {
    if (used_ == strings_.size()) strings_.emplace_back();
    strings_[used_].clear();
    return strings_[used_++];
  }
  void clear() { used_ = 0; }

 private:
  std::deque<std::string> strings_;
  std::size_t used_ = 0;
};

/// Some lines, cut into cells: hashed together, so that the memory they need is on its way when
/// they are looked up.
struct Block {
  static constexpr std::size_t capacity = 128;

  std::array<Cells, capacity> cells;
  std::array<std::size_t, capacity> places;  ///< where each line starts
  std::size_t size = 0;
  std::optional<std::size_t> bad;  ///< where a line starts that is no fact; ends the block
  Scratch scratch;
  // These stay when the block is cleared.
  std::vector<Label> labels;
  std::uint64_t literals = 0;
  std::uint64_t graphs = 0;

  void clear() {
    size = 0;
    bad.reset();
    scratch.clear();
  }
  void add(std::size_t place, const Cells& line) {
    places[size] = place;
    cells[size++] = line;
  }
  bool full() const { return size == capacity; }
};

/// Cuts lines into cells.
class LineParser {
 public:
  LineParser() = default;
  LineParser(const LineParser&) = default;
  LineParser& operator=(const LineParser&) = default;
  virtual ~LineParser() = default;
  /// Fills an empty block from the lines that start at `place`; returns where the next one starts.
  virtual std::size_t parse(std::string_view text, std::size_t place, Block& block) const = 0;
  /// What is wrong with a bad line, and the remedy; `where` is filled in by the caller.
  virtual Error explain(std::string_view line) const = 0;
};

struct LinesOptions {
  std::size_t begin = 0;  ///< where the first line starts, after a header
  CellKind entities = CellKind::open;
  CellKind relations = CellKind::open;
};

/// Reads the lines of a text into a split, in parallel, with the ids that one worker reading from
/// first to last would give. Returns how many facts it found, repetitions included.
Result<std::uint64_t> read_lines(std::string_view text, const std::string& where, Reading& reading,
                                 Split split, const LineParser& parser,
                                 const LinesOptions& options);

/// Adds one fact by its names. For readers that do not go by lines.
Result<void> add_fact(Reading& reading, Split split, const Cells& cells, const std::string& where);

/// An error about a name that no list has, or an id that no list has.
Error unknown_entity(const Reading& reading, CellKind kind, std::string_view cell);
Error unknown_relation(const Reading& reading, CellKind kind, std::string_view cell);

}  // namespace lerpp::formats
