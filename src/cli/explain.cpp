// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>

#include "cli/question.hpp"

namespace lerpp::cli {
namespace {

struct ExplainArguments : QuestionArguments {
  std::string svg;
  ExplainOptions options;
};

Result<void> run_explain(Console& console, const ExplainArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(run, open_to_answer(console, arguments));
  LERP_TRY(explanation,
           run.explain(arguments.head, arguments.relation, arguments.tail, arguments.options));
  LERP_TRY(data, run.data());
  console.say(to_text(explanation, *data));
  if (!arguments.svg.empty()) LERP_CHECK(write_file(arguments.svg, to_svg(explanation, *data)));
  return console.finish(to_json(explanation, *data));
}

}  // namespace

void add_explain(Program& program) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* verb =
      program.add(program.app(), "explain", "Says why a run's model gives an answer its score",
                  "lerp explain family-run 1482 aunt 1432 --svg proof.svg",
                  [&program, arguments] { return run_explain(program.console(), *arguments); });
  add_question(*verb, *arguments, "an entity");
  verb->add_option("--svg", arguments->svg, "draw the proofs into this file")->type_name("FILE");
  add_flags(*verb, arguments->options);
}

}  // namespace lerpp::cli
