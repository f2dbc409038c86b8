#pragma once

#include <string>

#include <lerp/kg/dataset.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/train/run.hpp>

namespace lerpp::cli {

/// A run with the data that it was learned from.
struct Opened {
  Run run;
  Dataset dataset;
  bool on_valid = false;

  Names names() const { return {dataset.relations, dataset.entities}; }
};
Result<Opened> open(const std::string& folder, unsigned threads, const Observer& observer);

}  // namespace lerpp::cli
