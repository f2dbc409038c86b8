// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <cerrno>

#include <nanobind/ndarray.h>

#include "arrow.hpp"
#include "support.hpp"

namespace lerpp::python {
namespace {

/// What Arrow calls the type of a column.
const char* format_of(const Column& column) {
  constexpr const char* formats[] = {"U", "g", "l", "b"};
  return formats[column.values.index()];
}

/// A schema or an array owns its children, and here its table besides.
struct SchemaParts {
  Table table;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

struct ArrayParts {
  Table table;
  std::vector<const void*> buffers;
  std::vector<std::uint8_t> bits;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
};

template <class Part, class Parts>
void release(Part* part) {
  for (std::int64_t i = 0; i < part->n_children; ++i) {
    if (part->children[i]->release != nullptr) part->children[i]->release(part->children[i]);
  }
  delete static_cast<Parts*>(part->private_data);
  part->release = nullptr;
}

ArrowSchema schema_part(const char* format, const char* name, std::int64_t flags, Table table) {
  auto* parts = new SchemaParts{std::move(table), {}, {}};
  return {format, name, nullptr, flags, 0, nullptr, nullptr, release<ArrowSchema, SchemaParts>,
          parts};
}

void export_schema(const Table& table, ArrowSchema* out) {
  *out = schema_part("+s", "", 0, table);
  auto* parts = static_cast<SchemaParts*>(out->private_data);
  for (const Column& column : table->columns) {
    parts->children.push_back(schema_part(format_of(column), column.name.c_str(),
                                          column.present.empty() ? 0 : arrow_nullable, table));
  }
  for (ArrowSchema& child : parts->children) parts->pointers.push_back(&child);
  out->n_children = static_cast<std::int64_t>(parts->pointers.size());
  out->children = parts->pointers.data();
}

ArrowArray array_part(const Table& table, std::size_t absent) {
  auto* parts = new ArrayParts{table, {}, {}, {}, {}};
  return {static_cast<std::int64_t>(table->rows),
          static_cast<std::int64_t>(absent),
          0,
          0,
          0,
          nullptr,
          nullptr,
          nullptr,
          release<ArrowArray, ArrayParts>,
          parts};
}

/// The column as it lies in memory; truth values alone are packed.
ArrowArray export_column(const Table& table, const Column& column) {
  ArrowArray array = array_part(table, column.absent);
  auto* parts = static_cast<ArrayParts*>(array.private_data);
  parts->buffers.push_back(column.present.empty() ? nullptr : column.present.data());
  if (const auto* texts = std::get_if<Texts>(&column.values)) {
    parts->buffers.push_back(texts->ends.data());
    parts->buffers.push_back(texts->characters.data());
  } else if (const auto* truths = std::get_if<std::vector<std::uint8_t>>(&column.values)) {
    parts->bits.resize((truths->size() + 7) / 8);
    for (std::size_t row = 0; row < truths->size(); ++row) {
      if ((*truths)[row] != 0) parts->bits[row / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
    }
    parts->buffers.push_back(parts->bits.data());
  } else if (const auto* numbers = std::get_if<std::vector<double>>(&column.values)) {
    parts->buffers.push_back(numbers->data());
  } else {
    parts->buffers.push_back(std::get<std::vector<std::int64_t>>(column.values).data());
  }
  array.n_buffers = static_cast<std::int64_t>(parts->buffers.size());
  array.buffers = parts->buffers.data();
  return array;
}

void export_rows(const Table& table, ArrowArray* out) {
  *out = array_part(table, 0);
  auto* parts = static_cast<ArrayParts*>(out->private_data);
  parts->buffers.push_back(nullptr);
  out->n_buffers = 1;
  out->buffers = parts->buffers.data();
  for (const Column& column : table->columns)
    parts->children.push_back(export_column(table, column));
  for (ArrowArray& child : parts->children) parts->pointers.push_back(&child);
  out->n_children = static_cast<std::int64_t>(parts->pointers.size());
  out->children = parts->pointers.data();
}

/// One batch, then the end.
struct StreamParts {
  Table table;
  bool given = false;
};

nb::object export_stream(const Table& table) {
  auto* stream = new ArrowArrayStream{};
  stream->private_data = new StreamParts{table};
  stream->get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    export_schema(static_cast<StreamParts*>(self->private_data)->table, out);
    return 0;
  };
  stream->get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    auto* parts = static_cast<StreamParts*>(self->private_data);
    if (parts->given) {
      *out = {};
    } else {
      export_rows(parts->table, out);
    }
    parts->given = true;
    return 0;
  };
  stream->get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream->release = [](ArrowArrayStream* self) {
    delete static_cast<StreamParts*>(self->private_data);
    self->release = nullptr;
  };
  return nb::capsule(stream, "arrow_array_stream", [](void* held) noexcept {
    auto* self = static_cast<ArrowArrayStream*>(held);
    if (self->release != nullptr) self->release(self);
    delete self;
  });
}

template <class Number>
nb::object view(const Table& table, const std::vector<Number>& values) {
  auto* owner = new Table(table);
  const nb::capsule capsule(owner, [](void* held) noexcept { delete static_cast<Table*>(held); });
  return nb::cast(
      nb::ndarray<nb::numpy, const Number, nb::ndim<1>>(values.data(), {values.size()}, capsule));
}

/// A column for whoever has no Arrow: an array of numbers that is a view of the table, or a list.
nb::object values_of(const Table& table, const Column& column) {
  if (const auto* numbers = std::get_if<std::vector<double>>(&column.values)) {
    if (column.present.empty()) return view(table, *numbers);
  } else if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.values)) {
    if (column.present.empty()) return view(table, *whole);
  }
  nb::list values;
  for (std::size_t row = 0; row < table->rows; ++row) {
    if (!column.has(row)) {
      values.append(nb::none());
    } else if (const auto* texts = std::get_if<Texts>(&column.values)) {
      values.append(nb::str(texts->at(row).data(), texts->at(row).size()));
    } else if (const auto* truths = std::get_if<std::vector<std::uint8_t>>(&column.values)) {
      values.append(nb::bool_((*truths)[row] != 0));
    } else if (const auto* numbers = std::get_if<std::vector<double>>(&column.values)) {
      values.append(nb::float_((*numbers)[row]));
    } else {
      values.append(nb::int_(std::get<std::vector<std::int64_t>>(column.values)[row]));
    }
  }
  return std::move(values);
}

}  // namespace

void bind_tables(nb::module_& module) {
  nb::class_<Held>(module, "Table",
                   "Columns of equal length, for any library that reads Arrow's C interface.")
      .def("__len__", [](const Held& held) { return held.table->rows; })
      .def_prop_ro("names",
                   [](const Held& held) {
                     std::vector<std::string> names;
                     for (const Column& column : held.table->columns) names.push_back(column.name);
                     return names;
                   })
      .def(
          "column",
          [](const Held& held, const std::string& name) {
            for (const Column& column : held.table->columns) {
              if (column.name == name) return values_of(held.table, column);
            }
            throw nb::key_error(name.c_str());
          },
          nb::arg("name"), "An array of numbers, which is a view of the table, or a list.")
      .def(
          "__arrow_c_stream__",
          [](const Held& held, const nb::object&) { return export_stream(held.table); },
          nb::arg("requested_schema") = nb::none());
}

}  // namespace lerpp::python
