#include <memory>

#include <lerp/base/json.hpp>

#include "cli/question.hpp"

namespace lerpp::cli {
namespace {

struct PredictArguments : QuestionArguments {
  PredictOptions options;
};

Result<void> run_predict(Console& console, const PredictArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(run, open_to_answer(console, arguments));
  LERP_TRY(prediction,
           run.predict(arguments.head, arguments.relation, arguments.tail, arguments.options));
  console.say(to_text(prediction));
  return console.finish(to_json(prediction));
}

}  // namespace

void add_predict(Program& program) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* verb = program.add(program.app(), "predict", "Answers one question with a run's model",
                               "lerp predict family-run 1482 aunt '?'", [&program, arguments] {
                                 return run_predict(program.console(), *arguments);
                               });
  add_question(*verb, *arguments, "an entity, or '?' for what is asked");
  add_flags(*verb, arguments->options);
}

}  // namespace lerpp::cli
