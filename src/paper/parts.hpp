// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "paper/workshop.hpp"

/// The parts of the paper: what each needs measured, and what it makes of that.
namespace lerpp {

using Measurements = std::vector<Measurement>;

// Tables 1 and 2: LERP, DRUM and Neural LP.
Result<Measurements> plan_table1(Workshop& workshop);
Result<PaperPart> make_table1(Workshop& workshop);
Result<Measurements> plan_table2(Workshop& workshop);
Result<PaperPart> make_table2(Workshop& workshop);

// Tables 3 and 4: rules, and the functions in them.
Result<Measurements> plan_table3(Workshop& workshop);
Result<PaperPart> make_table3(Workshop& workshop);
Result<Measurements> plan_table4(Workshop& workshop);
Result<PaperPart> make_table4(Workshop& workshop);

// Figure 3: the space of the functions.
Result<Measurements> plan_figure3(Workshop& workshop);
Result<PaperPart> make_figure3(Workshop& workshop);

// Figures 4a to 4c: depth, width and length.
Result<Measurements> plan_figure4a(Workshop& workshop);
Result<PaperPart> make_figure4a(Workshop& workshop);
Result<Measurements> plan_figure4b(Workshop& workshop);
Result<PaperPart> make_figure4b(Workshop& workshop);
Result<Measurements> plan_figure4c(Workshop& workshop);
Result<PaperPart> make_figure4c(Workshop& workshop);

// Figure 5 and Table 5: TransE with functions.
Result<Measurements> plan_figure5(Workshop& workshop);
Result<PaperPart> make_figure5(Workshop& workshop);

// What it costs: time, parameters, Theorem 1.
Result<Measurements> plan_cost(Workshop& workshop);
Result<PaperPart> make_cost(Workshop& workshop);

// The appendix on event graphs.
Result<Measurements> plan_events(Workshop& workshop);
Result<PaperPart> make_events(Workshop& workshop);

/// The paper's model with some settings.
struct Method {
  const char* name;   ///< "Neural LP"
  const char* brief;  ///< in names of files
  std::vector<std::string> settings;
};
const Method& lerp_method();
const Method& drum_method();

Workshop::Training training_of(const std::string& dataset, const Method& method, bool on_valid,
                               std::uint64_t seed);

/// The trainings of one point of a table or a figure: one for each seed.
using SeedTrainings = std::function<Workshop::Training(std::uint64_t seed)>;
Result<void> plan_seeds(Workshop& workshop, const SeedTrainings& trainings, Measurements& all);
/// Means of what they measured, the time of the fastest, the spread of the headline and the number
/// of seeds.
Json mean_over_seeds(const Workshop& workshop, const SeedTrainings& trainings);

/// Parameters, rules and times of the rows of a table.
PaperPart::Table size_table(const std::vector<Json>& rows);

/// The training whose rules and functions Tables 3 and 4 and Figure 3 show: LERP on Family.
Workshop::Training shown_training();

/// Three digits, or a dash where there is no number.
std::string three(const Json& value);

}  // namespace lerpp
