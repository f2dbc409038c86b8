#include <memory>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/explain/explain.hpp>

#include "cli/question.hpp"

namespace lerpp::cli {
namespace {

struct ExplainArguments {
  std::string run;
  std::string head, relation, tail;
  std::string svg;
  PredictorOptions load;
  ExplainOptions options;
};

Result<void> run_explain(Console& console, const ExplainArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(predictor, open_predictor(console, arguments.run, arguments.load));
  LERP_TRY(fact, predictor.fact(arguments.head, arguments.relation, arguments.tail));
  LERP_TRY(explanation, explain(predictor, fact, arguments.options));
  console.say(to_text(explanation, predictor.dataset()));
  if (!arguments.svg.empty()) {
    LERP_CHECK(write_file(arguments.svg, to_svg(explanation, predictor.dataset())));
  }
  return console.finish(to_json(explanation, predictor.dataset()));
}

}  // namespace

void add_explain(Program& program) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* verb =
      program.add(program.app(), "explain", "Says why a run's model gives an answer its score",
                  "lerp explain family-run 1482 aunt 1432 --svg proof.svg",
                  [&program, arguments] { return run_explain(program.console(), *arguments); });
  add_question(*verb, arguments->run, {arguments->head, arguments->relation, arguments->tail},
               "an entity");
  verb->add_option("--svg", arguments->svg, "draw the proofs into this file")->type_name("FILE");
  add_predictor_flags(*verb, arguments->load);
  add_flags(*verb, arguments->options);
}

}  // namespace lerpp::cli
