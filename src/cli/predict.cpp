#include <memory>

#include <lerp/base/json.hpp>
#include <lerp/explain/predict.hpp>

#include "cli/question.hpp"

namespace lerpp::cli {
namespace {

struct PredictArguments {
  std::string run;
  std::string head, relation, tail;
  PredictorOptions load;
  PredictOptions options;
};

Result<void> run_predict(Console& console, const PredictArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(predictor, open_predictor(console, arguments.run, arguments.load));
  LERP_TRY(query, predictor.question(arguments.head, arguments.relation, arguments.tail));
  const Prediction prediction = predictor.predict(query, arguments.options);
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
  add_question(*verb, arguments->run, {arguments->head, arguments->relation, arguments->tail},
               "an entity, or '?' for what is asked");
  add_predictor_flags(*verb, arguments->load);
  add_flags(*verb, arguments->options);
}

}  // namespace lerpp::cli
