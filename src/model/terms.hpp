// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <lerp/model/sources.hpp>

#include "model/background.hpp"
#include "model/term.hpp"

namespace lerpp {

/// A kind of evidence besides the rules, as files, optimiser, balance, explanation and reading see
/// it. A target has two weights for each of its rows, which begin at 0.
struct TermKind {
  std::string_view name;       ///< of its tensor, and of its share of a score
  std::string_view label;      ///< the same for people
  std::string_view size_name;  ///< of its size, in files and options
  Part part = Part::prior;
  std::uint32_t ModelShape::*size = {};  ///< 0 where a model has none of it
  std::uint32_t most = 1;                ///< that the size may be
  PartSize rows = {};
};

/// The table of terms, in the order in which their evidence is added up: a new kind of evidence is
/// one more line.
std::span<const TermKind> term_kinds();

/// The terms of a model on a graph, in the order of term_kinds(), and last that of a list, which is
/// not learned; an empty place for each that the model does not have. The background must outlive
/// them.
template <class Real>
std::vector<std::unique_ptr<Term<Real>>> make_terms(const Background& background);
template <>
std::vector<std::unique_ptr<Term<float>>> make_terms(const Background& background);
template <>
std::vector<std::unique_ptr<Term<double>>> make_terms(const Background& background);
/// Whose a place among them is.
Source source_of_place(std::size_t place);

}  // namespace lerpp
