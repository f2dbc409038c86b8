// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <optional>

#include <lerp/base/error.hpp>
#include <lerp/kg/dataset.hpp>

#include "kg/names.hpp"
#include "kg/texts.hpp"

/// Which files of a folder make up a dataset.
namespace lerpp::formats {

enum class LayoutKind {
  facts,  ///< files of facts by stem, perhaps with lists of names
  openke,
  libkge
};

/// A file of a known role; an empty path where there is none.
template <class Form>
struct LayoutFile {
  std::filesystem::path path;
  Form form = {};
};

struct Layout {
  LayoutKind kind = LayoutKind::facts;
  std::array<std::filesystem::path, all_splits.size()> splits;
  LayoutFile<NamesKind> entities;
  LayoutFile<NamesKind> relations;
  LayoutFile<TextKey> entity_texts;
  LayoutFile<TextKey> relation_texts;
};

Result<Layout> find_layout(const std::filesystem::path& folder);

/// The name of a file without its ending, and without .gz or .zst before that.
std::string stem_of(const std::filesystem::path& file);

}  // namespace lerpp::formats
