// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace lerpp {

/// What the paper prints for a method on a dataset. All with optimistic ties.
struct PublishedRow {
  std::string_view dataset;
  std::string_view method;
  double mrr = 0;
  std::optional<double> hits_at_1 = {};
  std::optional<double> hits_at_10 = {};
  bool on_valid = false;  ///< learned from the validation facts too
};

/// Nothing where the paper has no such row.
const PublishedRow* find_published(std::string_view dataset, std::string_view method);

/// What the published program took on an H200, measured apart, with its own sizes.
struct ReferenceTime {
  std::string_view dataset;
  bool on_valid = false;
  double seconds = 0;
  std::string_view what;  ///< "10 epochs, 4,800 rules a target"
};
/// Nothing where it was not run.
const ReferenceTime* find_reference(std::string_view dataset, bool on_valid);

/// Of ending-event prediction.
struct PublishedEvents {
  std::string_view dataset;
  std::string_view method;
  double hits_at_1 = 0;
  double mrr = 0;
};
std::span<const PublishedEvents> published_events();

}  // namespace lerpp
