#pragma once

#include <string>

#include <lerp/kg/dataset.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/train/run.hpp>

namespace lerpp::cli {

/// A run with the data that it was learned from.
struct Opened {
  Run run;
  KnownGraph known;

  const Dataset& dataset() const { return known.dataset(); }
  Names names() const { return {dataset().relations, dataset().entities}; }
};
Result<Opened> open(const std::string& folder, unsigned threads, const Observer& observer);

}  // namespace lerpp::cli
