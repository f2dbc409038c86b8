// SPDX-License-Identifier: Apache-2.0
#include "kg/columns.hpp"

#include "fuzz.hpp"
#include "kg/separated.hpp"

/// The first line chooses the columns of the others.
LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  const std::size_t end = bytes.find('\n');
  const std::string letters(bytes.substr(0, end));
  const std::string_view rest =
      end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1);
  const auto map = formats::parse_columns(letters);
  if (!map) return;  // the command line shows its words as they are
  for (const std::size_t place : map->places) fuzz::require(place < map->width);
  const auto read = [&](formats::Reading& reading) {
    reading.choices.columns = letters;
    return formats::read_separated(rest, "x", reading, Split::train);
  };
  fuzz::check_reader([] { return formats::Reading(); }, read);
}
