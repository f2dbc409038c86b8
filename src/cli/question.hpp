// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/run_arguments.hpp"

namespace lerpp::cli {

/// A run, and a fact or a question about it.
struct QuestionArguments : RunArguments {
  std::string head, relation, tail;
  unsigned threads = 0;
};
/// `end` says what HEAD and TAIL may be.
void add_question(CLI::App& verb, QuestionArguments& arguments, const std::string& end);
/// Opens the run, and says so where its embedding is of no use.
Result<Run> open_to_answer(Console& console, const QuestionArguments& arguments);

}  // namespace lerpp::cli
