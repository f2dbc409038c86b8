// SPDX-License-Identifier: Apache-2.0
#include "cli/question.hpp"

namespace lerpp::cli {

void add_question(CLI::App& verb, QuestionArguments& arguments, const std::string& end) {
  add_run(verb, arguments);
  verb.add_option("HEAD", arguments.head, end)->required();
  verb.add_option("RELATION", arguments.relation, "a relation")->required();
  verb.add_option("TAIL", arguments.tail, end)->required();
  add_rules_only(verb, arguments);
  add_soft(verb, arguments);
  add_threads(verb, arguments.threads);
}

Result<Run> open_to_answer(Console& console, const QuestionArguments& arguments) {
  LERP_TRY(run, open(console, arguments, arguments.threads));
  LERP_CHECK(say_lacking(console, run, "answer"));
  return std::move(run);
}

}  // namespace lerpp::cli
