// SPDX-License-Identifier: Apache-2.0
#include "names.hpp"

#include <array>
#include <cstring>

#include "arrow.hpp"

namespace lerpp::python {
namespace {

using Id = Vocabulary::Id;

[[noreturn]] void complain(std::string what, std::string where, std::string remedy) {
  raise({std::move(what), std::move(where), std::move(remedy), ErrorKind::usage});
}

/// Numbers names in blocks and small steps, so that looking one up does not wait for memory.
class Interner {
 public:
  Interner(Vocabulary& vocabulary, std::vector<Id>& ids) : vocabulary_(vocabulary), ids_(ids) {}
  void add(std::string_view name) {
    names_[count_] = name;
    hashes_[count_] = Vocabulary::hash(name);
    vocabulary_.prefetch(hashes_[count_]);
    if (++count_ == names_.size()) flush();
  }
  /// What is left, in the end.
  void flush() {
    for (std::size_t i = 0; i < count_; ++i) {
      candidates_[i] = vocabulary_.candidate(hashes_[i]);
      if (candidates_[i] != Vocabulary::none) vocabulary_.prefetch_start(candidates_[i]);
    }
    for (std::size_t i = 0; i < count_; ++i) {
      if (candidates_[i] != Vocabulary::none) vocabulary_.prefetch_name(candidates_[i]);
    }
    for (std::size_t i = 0; i < count_; ++i) {
      const Id id = candidates_[i];
      const bool known = id != Vocabulary::none && vocabulary_.is(id, names_[i]);
      ids_.push_back(known ? id : vocabulary_.intern(names_[i], hashes_[i]));
    }
    count_ = 0;
  }

 private:
  Vocabulary& vocabulary_;
  std::vector<Id>& ids_;
  std::array<std::string_view, 64> names_ = {};
  std::array<std::uint64_t, 64> hashes_ = {};
  std::array<Id, 64> candidates_ = {};
  std::size_t count_ = 0;
};

bool is_null(const ArrowArray& array, std::int64_t row) {
  if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return false;
  const auto* bits = static_cast<const std::uint8_t*>(array.buffers[0]);
  return (bits[row / 8] >> (row % 8) & 1) == 0;
}

template <class Offset>
std::string_view text_at(const ArrowArray& array, std::int64_t row) {
  const auto* ends = static_cast<const Offset*>(array.buffers[1]);
  const auto* characters = static_cast<const char*>(array.buffers[2]);
  return {characters + ends[row], static_cast<std::size_t>(ends[row + 1] - ends[row])};
}

/// A text of at most 12 bytes stands in the view itself, a longer one in some buffer.
std::string_view view_at(const ArrowArray& array, std::int64_t row) {
  const char* view = static_cast<const char*>(array.buffers[1]) + row * 16;
  std::int32_t size = 0;
  std::memcpy(&size, view, 4);
  if (size <= 12) return {view + 4, static_cast<std::size_t>(size)};
  std::int32_t buffer = 0;
  std::int32_t offset = 0;
  std::memcpy(&buffer, view + 8, 4);
  std::memcpy(&offset, view + 12, 4);
  return {static_cast<const char*>(array.buffers[2 + buffer]) + offset,
          static_cast<std::size_t>(size)};
}

template <class Number>
std::int64_t number_at(const ArrowArray& array, std::int64_t row) {
  return static_cast<std::int64_t>(static_cast<const Number*>(array.buffers[1])[row]);
}

std::int64_t integer_at(const ArrowArray& array, char format, std::int64_t row) {
  switch (format) {
    case 'c':
      return number_at<std::int8_t>(array, row);
    case 'C':
      return number_at<std::uint8_t>(array, row);
    case 's':
      return number_at<std::int16_t>(array, row);
    case 'S':
      return number_at<std::uint16_t>(array, row);
    case 'i':
      return number_at<std::int32_t>(array, row);
    case 'I':
      return number_at<std::uint32_t>(array, row);
    default:
      return number_at<std::int64_t>(array, row);
  }
}

bool is_integer(std::string_view format) {
  return format.size() == 1 &&
         std::string_view("cCsSiIlL").find(format[0]) != std::string_view::npos;
}

/// Reads one column, batch by batch.
class ColumnReader {
 public:
  ColumnReader(const ArrowSchema& schema, Vocabulary& vocabulary)
      : schema_(schema), vocabulary_(vocabulary) {
    const std::string_view format = value_format();
    if (format != "u" && format != "U" && format != "vu" && !is_integer(format)) {
      complain(fmt::format("the column {} is of Arrow type '{}'", schema.name, format), "table",
               "give columns of text or whole numbers");
    }
  }

  std::vector<Id> ids;

  void read(const ArrowArray& array, std::int64_t offset, std::int64_t rows) {
    const std::int64_t first = array.offset + offset;
    ids.reserve(ids.size() + static_cast<std::size_t>(rows));
    if (array.dictionary != nullptr) {
      std::vector<Id> known(static_cast<std::size_t>(array.dictionary->length), Vocabulary::none);
      for (std::int64_t row = first; row < first + rows; ++row) {
        require(array, row, row - first);
        const std::int64_t place = integer_at(array, schema_.format[0], row);
        Id& id = known[static_cast<std::size_t>(place)];
        if (id == Vocabulary::none) {
          require(*array.dictionary, array.dictionary->offset + place, row - first);
          id = vocabulary_.intern(value(*array.dictionary, array.dictionary->offset + place));
        }
        ids.push_back(id);
      }
    } else if (is_integer(value_format())) {
      for (std::int64_t row = first; row < first + rows; ++row) {
        require(array, row, row - first);
        ids.push_back(vocabulary_.intern(value(array, row)));
      }
    } else {
      const std::string_view format = schema_.format;
      if (format == "u") read_texts<text_at<std::int32_t>>(array, first, rows);
      if (format == "U") read_texts<text_at<std::int64_t>>(array, first, rows);
      if (format == "vu") read_texts<view_at>(array, first, rows);
    }
    read_ += rows;
  }

 private:
  template <auto text>
  void read_texts(const ArrowArray& array, std::int64_t first, std::int64_t rows) {
    Interner interner(vocabulary_, ids);
    for (std::int64_t row = first; row < first + rows; ++row) {
      require(array, row, row - first);
      interner.add(text(array, row));
    }
    interner.flush();
  }
  std::string_view value_format() const {
    return schema_.dictionary != nullptr ? schema_.dictionary->format : schema_.format;
  }
  void require(const ArrowArray& array, std::int64_t row, std::int64_t after) const {
    if (is_null(array, row)) {
      complain("a value is missing",
               fmt::format("table, column {}, row {}", schema_.name, read_ + after + 1),
               "leave out rows that are not facts");
    }
  }
  std::string_view value(const ArrowArray& array, std::int64_t row) {
    const std::string_view format = value_format();
    if (format == "u") return text_at<std::int32_t>(array, row);
    if (format == "U") return text_at<std::int64_t>(array, row);
    if (format == "vu") return view_at(array, row);
    const std::int64_t number = integer_at(array, format[0], row);
    digits_ =
        format == "L" ? std::to_string(static_cast<std::uint64_t>(number)) : std::to_string(number);
    return digits_;
  }

  const ArrowSchema& schema_;
  Vocabulary& vocabulary_;
  std::int64_t read_ = 0;  ///< rows of the batches before
  std::string digits_;
};

void check(ArrowArrayStream& stream, int code) {
  if (code == 0) return;
  const char* const told = stream.get_last_error(&stream);
  complain(fmt::format("the table cannot be read, {}",
                       told != nullptr ? told : "for no reason that it tells"),
           "table", "give a table that Arrow can read");
}

}  // namespace

std::vector<Id> ids_of_list(const nb::list& names, Vocabulary& vocabulary, const char* column) {
  std::vector<Id> ids;
  ids.reserve(names.size());
  std::vector<nb::object> texts;  // of what is no text, until the interner has read it
  Interner interner(vocabulary, ids);
  std::size_t row = 0;
  for (nb::handle name : names) {
    ++row;
    if (name.is_none()) {
      complain("a value is missing", fmt::format("table, column {}, row {}", column, row),
               "leave out rows that are not facts");
    }
    if (!nb::isinstance<nb::str>(name)) {
      texts.push_back(nb::str(name));
      name = texts.back();
    }
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(name.ptr(), &size);
    if (text == nullptr) throw nb::python_error();
    interner.add({text, static_cast<std::size_t>(size)});
  }
  interner.flush();
  return ids;
}

std::vector<std::vector<Id>> ids_of_stream(const nb::capsule& capsule,
                                           const std::vector<NamedColumn>& columns) {
  auto* stream = static_cast<ArrowArrayStream*>(capsule.data("arrow_array_stream"));
  ArrowOwner<ArrowSchema> schema;
  check(*stream, stream->get_schema(stream, schema.get()));
  std::vector<ColumnReader> readers;
  std::vector<std::int64_t> places;
  for (const NamedColumn& column : columns) {
    std::int64_t place = 0;
    while (place < schema->n_children && column.name != schema->children[place]->name) ++place;
    if (place == schema->n_children) {
      complain(fmt::format("there is no column {}", column.name), "table",
               "name its columns with columns=");
    }
    places.push_back(place);
    readers.emplace_back(*schema->children[place], *column.vocabulary);
  }
  for (;;) {
    ArrowOwner<ArrowArray> batch;
    check(*stream, stream->get_next(stream, batch.get()));
    if (batch->release == nullptr) break;
    for (std::size_t i = 0; i < readers.size(); ++i)
      readers[i].read(*batch->children[places[i]], batch->offset, batch->length);
  }
  std::vector<std::vector<Id>> ids;
  for (ColumnReader& reader : readers) ids.push_back(std::move(reader.ids));
  return ids;
}

}  // namespace lerpp::python
