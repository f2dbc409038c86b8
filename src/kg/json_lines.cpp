// SPDX-License-Identifier: Apache-2.0
#include "kg/json_lines.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <simdjson.h>

#include "kg/columns.hpp"
#include "kg/lines.hpp"

namespace lerpp::formats {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

std::string_view first_line(std::string_view text) {
  text = without_bom(text);
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!is_blank(line)) return line;
  }
  return {};
}

/// Whether the line is one JSON value. simdjson copies a line even where it has no bytes, from
/// wherever it points to, so an empty one is answered here.
bool parse_line(simdjson::dom::parser& parser, std::string_view line, element& value) {
  return !line.empty() && parser.parse(line.data(), line.size()).get(value) == simdjson::SUCCESS;
}

/// What the objects of a file call the parts of a fact, or where its arrays have them.
struct Shape {
  bool object = false;
  std::array<std::string, 3> keys;
  ColumnMap map;
};

/// A text or a whole number, as a name; false where the value is something else.
bool name_of(const element& value, std::string& name) {
  switch (value.type()) {
    case element_type::STRING:
      name = std::string_view(value);
      return true;
    case element_type::INT64:
      name = std::to_string(std::int64_t(value));
      return true;
    case element_type::UINT64:
      name = std::to_string(std::uint64_t(value));
      return true;
    default:
      return false;
  }
}

/// The parts of a fact of a line; what is wrong with it otherwise.
std::string take_fact(std::string_view line, const Shape& shape, simdjson::dom::parser& parser,
                      std::array<std::string*, 3> names) {
  element whole;
  if (!parse_line(parser, line, whole)) return "the line is not JSON";
  constexpr std::array<std::string_view, 3> roles = {"subject", "relation", "object"};
  if (whole.is_object() != shape.object || !(whole.is_object() || whole.is_array())) {
    return shape.object ? "the line is not a JSON object" : "the line is not a JSON array";
  }
  if (!shape.object && simdjson::dom::array(whole).size() != shape.map.width) {
    return fmt::format("the array does not have {} values", shape.map.width);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    element value;
    const auto code = shape.object ? whole.at_key(shape.keys[i]).get(value)
                                   : whole.at(shape.map.places[i]).get(value);
    if (code != simdjson::SUCCESS) return fmt::format("the object has no '{}'", shape.keys[i]);
    if (!name_of(value, *names[i])) return fmt::format("the {} is no text or number", roles[i]);
    if (names[i]->empty()) return fmt::format("the {} is empty", roles[i]);
  }
  return {};
}

class JsonLinesParser : public LineParser {
 public:
  explicit JsonLinesParser(Shape shape) : shape_(std::move(shape)) {}

  std::size_t parse(std::string_view text, std::size_t place, Block& block) const override {
    thread_local simdjson::dom::parser parser;
    while (place < text.size() && !block.full()) {
      std::string_view rest = text.substr(place);
      const std::string_view line = take_line(rest);
      const std::size_t next = text.size() - rest.size();
      if (!is_blank(line)) {
        const std::array<std::string*, 3> names = {&block.scratch.next(), &block.scratch.next(),
                                                   &block.scratch.next()};
        if (!take_fact(line, shape_, parser, names).empty()) {
          block.bad = place;
          return next;
        }
        block.add(place, {*names[0], *names[1], *names[2]});
      }
      place = next;
    }
    return place;
  }

  Error explain(std::string_view line) const override {
    simdjson::dom::parser parser;
    std::array<std::string, 3> names;
    return {
        one_line(take_fact(line, shape_, parser, {&names[0], &names[1], &names[2]})), "",
        "write one fact a line, as {\"subject\": …, \"relation\": …, \"object\": …} or [subject, "
        "relation, object]"};
  }

 private:
  Shape shape_;
};

std::string file_name(const std::string& where) {
  return std::filesystem::path(where).filename().string();
}

Result<Shape> shape_of_object(const element& first, const std::string& where, Reading& reading) {
  std::vector<std::string_view> keys;
  for (const auto [key, value] : simdjson::dom::object(first)) {
    if (keys.size() < most_columns) keys.push_back(key);
  }
  const auto header = match_header(keys);
  if (!header) {
    return fail(fmt::format("the keys of the object do not name subject, relation and object, {}",
                            formats::quoted(fmt::format("{}", fmt::join(keys, ", ")))),
                at_line(where, 1),
                "call them subject, relation and object, or head, relation, tail");
  }
  Shape shape{true, {}, header->map};
  for (std::size_t i = 0; i < 3; ++i) shape.keys[i] = keys[header->map.places[i]];
  if (keys.size() > 3) {
    reading.note(fmt::format("{}: keys are left out: {}", file_name(where),
                             one_line(other_columns(keys, header->map))));
  }
  return shape;
}

Result<Shape> shape_of_array(const element& first, const std::string& where, Reading& reading) {
  Shape shape;
  const std::size_t width = simdjson::dom::array(first).size();
  if (!reading.choices.columns.empty()) {
    LERP_TRY(map, parse_columns(reading.choices.columns));
    shape.map = map;
  } else if (width == 4) {
    shape.map.width = 4;
    reading.note(fmt::format("{}: the fourth value is left out", file_name(where)));
  }
  return shape;
}

}  // namespace

bool looks_like_json_lines(std::string_view text) {
  const std::string_view line = first_line(text);
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || (line[begin] != '{' && line[begin] != '[')) return false;
  simdjson::dom::parser parser;
  element whole;
  return parse_line(parser, line, whole);
}

Result<void> read_json_lines(std::string_view text, const std::string& where, Reading& reading,
                             Split split) {
  text = without_bom(text);
  const std::string_view line = first_line(text);
  simdjson::dom::parser parser;
  element first;
  if (!parse_line(parser, line, first) || !(first.is_object() || first.is_array())) {
    return fail("the line is neither a JSON object nor an array", at_line(where, 1),
                "write one fact a line");
  }
  LERP_TRY(shape, first.is_object() ? shape_of_object(first, where, reading)
                                    : shape_of_array(first, where, reading));
  LinesOptions options;
  options.entities = reading.entity_kind();
  options.relations = reading.relation_kind();
  LERP_CHECK(read_lines(text, where, reading, split, JsonLinesParser(std::move(shape)), options));
  return {};
}

}  // namespace lerpp::formats
