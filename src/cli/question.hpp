#pragma once

#include <string>

#include <lerp/explain/predict.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {

/// What a verb asks about, each an argument.
struct Triple {
  std::string& head;
  std::string& relation;
  std::string& tail;
};
/// The run that is asked, and the question; `end` says what HEAD and TAIL may be.
void add_question(CLI::App& verb, std::string& run, const Triple& triple, const std::string& end);
void add_predictor_flags(CLI::App& verb, PredictorOptions& options);
/// Opens a run, and says so where its embedding is of no use.
Result<Predictor> open_predictor(Console& console, const std::string& run,
                                 const PredictorOptions& options);

}  // namespace lerpp::cli
