// SPDX-License-Identifier: Apache-2.0
#include "kg/openke.hpp"

#include "kg/lines.hpp"
#include "kg/names.hpp"
#include "kg/separated.hpp"

namespace lerpp::formats {

Result<void> read_openke(std::string_view text, const std::string& where, Reading& reading,
                         Split split) {
  text = without_bom(text);
  std::string_view rest = text;
  LERP_TRY(said, take_count(rest, where));
  LinesOptions options;
  options.begin = text.size() - rest.size();
  options.entities = CellKind::numbered;
  options.relations = CellKind::numbered;
  // Blanks take tabs as well.
  const SeparatedParser parser(Delimiter::space, ColumnMap{{0, 2, 1}});
  LERP_TRY(found, read_lines(text, where, reading, split, parser, options));
  if (found != said) return tl::unexpected(wrong_count(said, found, "facts", where));
  return {};
}

}  // namespace lerpp::formats
