// SPDX-License-Identifier: Apache-2.0
#include <new>

#include "cli/last_resort.hpp"
#include "cli/verb.hpp"

namespace {

int run_program(int count, char** words) {
  lerpp::cli::Console console;
  lerpp::Result<lerpp::Crew> crew = lerpp::join_crew();
  if (!crew) {
    if (lerpp::launched_rank() == 0) console.complain(crew.error());
    return console.exit_status(crew.error());
  }
  lerpp::cli::Program program(console, *crew);
  lerpp::cli::add_demo(program);
  lerpp::cli::add_stats(program);
  lerpp::cli::add_generate(program);
  lerpp::cli::add_import(program);
  lerpp::cli::add_baseline(program);
  lerpp::cli::add_train(program);
  lerpp::cli::add_resume(program);
  lerpp::cli::add_eval(program);
  lerpp::cli::add_predict(program);
  lerpp::cli::add_explain(program);
  lerpp::cli::add_complete(program);
  lerpp::cli::add_doubt(program);
  lerpp::cli::add_score(program);
  lerpp::cli::add_rules(program);
  lerpp::cli::add_functions(program);
  lerpp::cli::add_distill(program);
  lerpp::cli::add_export(program);
  lerpp::cli::add_apply(program);
  lerpp::cli::add_picture(program);
  lerpp::cli::add_report(program);
  lerpp::cli::add_sweep(program);
  lerpp::cli::add_paper(program);
  lerpp::cli::add_embed(program);
  lerpp::cli::add_events(program);
  lerpp::cli::add_serve(program);
  lerpp::cli::add_bench(program);
  lerpp::cli::add_completion(program);
  lerpp::cli::add_manual(program);
  return program.run(count, words);
}

}  // namespace

int main(int count, char** words) {
  lerpp::cli::prepare_last_resort();
  try {
    return run_program(count, words);
  } catch (const std::bad_alloc&) {
    lerpp::cli::complain_of_memory();
  }
  return 1;
}
