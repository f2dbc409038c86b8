#include "cli/question.hpp"

#include <fmt/format.h>

namespace lerpp::cli {

void add_question(CLI::App& verb, std::string& run, const Triple& triple, const std::string& end) {
  verb.add_option("RUN", run, "a run folder")->required();
  verb.add_option("HEAD", triple.head, end)->required();
  verb.add_option("RELATION", triple.relation, "a relation")->required();
  verb.add_option("TAIL", triple.tail, end)->required();
}

void add_predictor_flags(CLI::App& verb, PredictorOptions& options) {
  verb.add_option("--data", options.data,
                  "another dataset with the same relations: an unseen graph");
  verb.add_flag("--rules-only", options.rules_only, "leave the embedding out, if there is one");
  add_threads(verb, options.threads);
}

Result<Predictor> open_predictor(Console& console, const std::string& run,
                                 const PredictorOptions& options) {
  LERP_TRY(predictor, Predictor::open(run, options, console.observer()));
  if (predictor.lacks_embedding()) {
    console.say(fmt::format(
        "{}: these are not the entities that the embedding knows, so the rules answer alone",
        predictor.dataset().name));
  }
  return std::move(predictor);
}

}  // namespace lerpp::cli
