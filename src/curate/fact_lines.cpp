// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <functional>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/curate/score.hpp>
#include <lerp/kg/lookup.hpp>

namespace lerpp {
namespace {

using LineCells = std::vector<std::string_view>;

/// Calls `take` with the columns of every line that is not empty. Its errors get the line.
Result<void> each_line(const std::filesystem::path& path, std::size_t least, std::size_t most,
                       const std::string& form,
                       const std::function<Result<void>(const LineCells&)>& take) {
  LERP_TRY(bytes, read_file(path));
  std::string_view rest = bytes.view();
  for (std::size_t number = 1; !rest.empty(); ++number) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::string where = fmt::format("{}, line {}", path.string(), number);
    LineCells columns;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t tab = std::min(line.find('\t', at), line.size());
      columns.push_back(line.substr(at, tab - at));
      at = tab + 1;
    }
    if (columns.size() < least || columns.size() > most) {
      return fail(fmt::format("the line has {} columns", columns.size()), where, form);
    }
    if (Result<void> taken = take(columns); !taken) {
      Error& error = taken.error();
      error.where = where;
      error.kind = ErrorKind::failure;
      return taken;
    }
  }
  return {};
}

Result<bool> label_named(std::string_view text) {
  if (text == "1" || text == "+1" || text == "true") return true;
  if (text == "0" || text == "-1" || text == "false") return false;
  return fail(fmt::format("'{}' is no label", text), "", "write 1 or 0, 1 or -1, true or false");
}

}  // namespace

Result<std::vector<LabelledFact>> read_labelled(const std::filesystem::path& path,
                                                const Dataset& dataset) {
  std::vector<LabelledFact> facts;
  LERP_CHECK(each_line(path, 3, 4, "separate subject, relation, object and perhaps a label by tabs",
                       [&](const LineCells& columns) -> Result<void> {
                         LERP_TRY(subject, find_entity(dataset, columns[0]));
                         LERP_TRY(relation, find_relation(dataset, columns[1]));
                         LERP_TRY(object, find_entity(dataset, columns[2]));
                         LabelledFact& one = facts.emplace_back();
                         one.fact = {subject, relation, object};
                         if (columns.size() > 3) {
                           LERP_TRY(label, label_named(columns[3]));
                           one.label = label;
                         }
                         return {};
                       }));
  if (facts.empty()) return fail("there are no facts", path.string(), "write one on each line");
  return facts;
}

Result<std::vector<Query>> read_questions(const std::filesystem::path& path,
                                          const Predictor& predictor) {
  std::vector<Query> queries;
  LERP_CHECK(each_line(path, 3, 3, "separate subject, relation and object by tabs, one end '?'",
                       [&](const LineCells& columns) -> Result<void> {
                         LERP_TRY(query, predictor.question(columns[0], columns[1], columns[2]));
                         queries.push_back(query);
                         return {};
                       }));
  if (queries.empty())
    return fail("there are no questions", path.string(), "write one on each line");
  return queries;
}

}  // namespace lerpp
