// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lerpp::python {

/// Texts one after the other, as Arrow has them.
struct Texts {
  std::vector<std::int64_t> ends = {0};  ///< one more than there are texts
  std::string characters;

  void add(std::string_view text) {
    characters += text;
    ends.push_back(static_cast<std::int64_t>(characters.size()));
  }
  std::string_view at(std::size_t row) const {
    const auto first = static_cast<std::size_t>(ends[row]);
    return std::string_view(characters)
        .substr(first, static_cast<std::size_t>(ends[row + 1]) - first);
  }
};

/// Columns of equal length, made once and then read by whatever table library there is.
struct Column {
  std::string name;
  std::variant<Texts, std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint8_t>>
      values;  ///< the last are truth values
  /// Bits of the rows that have a value; empty where all have.
  std::vector<std::uint8_t> present = {};
  std::size_t absent = 0;

  bool has(std::size_t row) const {
    return present.empty() || (present[row / 8] >> (row % 8) & 1) != 0;
  }
};

struct Columns {
  std::size_t rows = 0;
  std::vector<Column> columns;
};
using Table = std::shared_ptr<const Columns>;

/// A table that Python holds.
struct Held {
  Table table;
};

/// Makes a table of a row for each item: `column(name, [](const Item&) { return value; })`. A value
/// is a number, a truth value or a text, or an optional one.
template <class Items>
class TableMaker {
 public:
  explicit TableMaker(const Items& items) : items_(items) { made_.rows = items.size(); }

  template <class Get>
  TableMaker& column(std::string name, const Get& get) {
    using Value = std::decay_t<decltype(get(*items_.begin()))>;
    made_.columns.push_back(Filler<Value>::fill(std::move(name), items_, get));
    return *this;
  }
  Table make() { return std::make_shared<const Columns>(std::move(made_)); }

 private:
  template <class Value>
  struct Filler {
    template <class Get>
    static Column fill(std::string name, const Items& items, const Get& get) {
      Column column{std::move(name), {}};
      if constexpr (std::is_same_v<Value, bool>) {
        auto& values = column.values.template emplace<std::vector<std::uint8_t>>();
        for (const auto& item : items) values.push_back(get(item) ? 1 : 0);
      } else if constexpr (std::is_floating_point_v<Value>) {
        auto& values = column.values.template emplace<std::vector<double>>();
        for (const auto& item : items) values.push_back(get(item));
      } else if constexpr (std::is_integral_v<Value>) {
        auto& values = column.values.template emplace<std::vector<std::int64_t>>();
        for (const auto& item : items) values.push_back(static_cast<std::int64_t>(get(item)));
      } else {
        auto& values = column.values.template emplace<Texts>();
        for (const auto& item : items) values.add(get(item));
      }
      return column;
    }
  };

  template <class Value>
  struct Filler<std::optional<Value>> {
    template <class Get>
    static Column fill(std::string name, const Items& items, const Get& get) {
      Column column = Filler<Value>::fill(std::move(name), items, [&get](const auto& item) {
        std::optional<Value> value = get(item);
        return value ? *value : Value{};
      });
      column.present.resize((items.size() + 7) / 8);
      std::size_t row = 0;
      for (const auto& item : items) {
        if (get(item)) {
          column.present[row / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
        } else {
          ++column.absent;
        }
        ++row;
      }
      return column;
    }
  };

  const Items& items_;
  Columns made_;
};

}  // namespace lerpp::python
