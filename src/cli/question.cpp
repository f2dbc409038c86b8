#include "cli/question.hpp"

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

}  // namespace lerpp::cli
