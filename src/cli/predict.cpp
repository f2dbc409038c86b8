// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>

#include "base/clock.hpp"
#include "cli/question.hpp"

namespace lerpp::cli {
namespace {

struct PredictArguments : QuestionArguments {
  std::string queries;
  PredictOptions options;
};

/// Many questions at once.
Result<void> answer_file(Console& console, const Run& run, const PredictArguments& arguments) {
  LERP_TRY(ready, run.predictor());
  LERP_TRY(queries, read_questions(arguments.queries, *ready));
  const Clock::time_point begin = Clock::now();
  LERP_TRY(predictions, run.predict_all(queries, arguments.options));
  const double seconds = seconds_since(begin);
  for (const Prediction& prediction : predictions) console.say(to_text(prediction));
  const double speed = static_cast<double>(queries.size()) / seconds;
  console.say(fmt::format("{} questions answered in {:.2f} s, {} a second",
                          thousands(queries.size()), seconds,
                          thousands(static_cast<std::uint64_t>(speed))));
  Json json = {{"questions", queries.size()},
               {"seconds", seconds},
               {"questions_per_second", speed},
               {"predictions", Json::array()}};
  for (const Prediction& prediction : predictions)
    json["predictions"].push_back(to_json(prediction));
  return console.finish(json);
}

Result<void> run_predict(Console& console, const PredictArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  const bool one = !arguments.tail.empty();
  if (one != arguments.queries.empty()) {
    return fail("there is no question, or there are two ways of asking", "",
                "give HEAD RELATION TAIL, or a file with --queries", ErrorKind::usage);
  }
  LERP_TRY(run, open_to_answer(console, arguments));
  if (!one) return answer_file(console, run, arguments);
  LERP_TRY(prediction,
           run.predict(arguments.head, arguments.relation, arguments.tail, arguments.options));
  console.say(to_text(prediction));
  return console.finish(to_json(prediction));
}

}  // namespace

void add_predict(Program& program) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* verb = program.add(program.app(), "predict", "Answers questions with a run's model",
                               "lerp predict family-run 1482 aunt '?'", [&program, arguments] {
                                 return run_predict(program.console(), *arguments);
                               });
  add_question(*verb, *arguments, "an entity, or '?' for what is asked");
  for (const char* word : {"HEAD", "RELATION", "TAIL"}) verb->get_option(word)->required(false);
  verb->add_option("--queries", arguments->queries,
                   "a file of questions, a line each: HEAD, RELATION and TAIL between tabs")
      ->type_name("FILE");
  add_flags(*verb, arguments->options);
}

}  // namespace lerpp::cli
