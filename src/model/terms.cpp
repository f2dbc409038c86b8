// SPDX-License-Identifier: Apache-2.0
#include "model/terms.hpp"

#include <array>
#include <limits>

#include <lerp/model/sources.hpp>

#include "model/constant_term.hpp"
#include "model/list_term.hpp"
#include "model/path_term.hpp"
#include "model/prior_term.hpp"
#include "model/real.hpp"

namespace lerpp {
namespace {

using Made = std::unique_ptr<Term<LERP_REAL>>;

/// A kind, and how it is made; nothing where the background lacks it.
struct Line {
  TermKind kind;
  Made (*make)(const Background&) = {};
};

template <template <class> class Kind>
constexpr Line line(const TermKind& kind) {
  return {kind, &Kind<LERP_REAL>::make};
}

constexpr PartSize an_operator = {0, 1, 0};
constexpr PartSize a_path = {0, 0, 1};
constexpr std::uint32_t any = std::numeric_limits<std::uint32_t>::max();

constexpr std::array table = {
    line<PriorTerm>({"prior", "prior", "prior", Part::prior, &ModelShape::prior, 1, an_operator}),
    line<PathTerm>({"path", "path", "paths", Part::path, &ModelShape::paths, any, a_path}),
    line<ConstantTerm>({"constant", "constants", "constants", Part::constant,
                        &ModelShape::constants, 1, an_operator}),
};

/// What is not learned comes behind them.
constexpr auto make_list = &ListTerm<LERP_REAL>::make;

constexpr auto kinds = [] {
  std::array<TermKind, table.size()> all;
  for (std::size_t i = 0; i < table.size(); ++i) all[i] = table[i].kind;
  return all;
}();

}  // namespace

std::span<const TermKind> term_kinds() {
  return kinds;
}

Source source_of_place(std::size_t place) {
  return place < kinds.size() ? source_of_term(place) : Source::list;
}

std::size_t sources() {
  static_assert(static_cast<std::size_t>(Source::term) + kinds.size() <= most_sources);
  return static_cast<std::size_t>(Source::term) + kinds.size();
}

std::string_view name_of(Source source) {
  switch (source) {
    case Source::soft:
      return "soft";
    case Source::embedding:
      return "embedding";
    case Source::list:
      return "list";
    default:
      return kinds[static_cast<std::size_t>(source) - static_cast<std::size_t>(Source::term)].name;
  }
}

std::string_view label_of(Source source) {
  if (source == Source::soft) return "soft rules";
  if (source < Source::term) return name_of(source);
  return kinds[static_cast<std::size_t>(source) - static_cast<std::size_t>(Source::term)].label;
}

template <>
std::vector<Made> make_terms(const Background& background) {
  std::vector<Made> terms;
  terms.reserve(table.size() + 1);
  for (const Line& line : table) terms.push_back(line.make(background));
  terms.push_back(make_list(background));
  return terms;
}

}  // namespace lerpp
