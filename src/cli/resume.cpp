// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/embed/embed.hpp>
#include <lerp/run/learn.hpp>

#include "base/run_folder.hpp"
#include "cli/finish_run.hpp"
#include "cli/next_steps.hpp"
#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

Result<void> resume_any(Program& program, const std::string& folder) {
  LERP_TRY(kind, run_kind(folder));
  if (kind != RunKind::rules && !program.crew().alone()) {
    return fail(fmt::format("a run of {} works in one process", verb_of(kind)), folder,
                "resume it without mpirun", ErrorKind::usage);
  }
  Console& console = program.console();
  const Observer observer = console.observer();
  const auto say = [&](const std::string& line) { console.say(line); };
  switch (kind) {
    case RunKind::embedding: {
      LERP_TRY(embedded, resume_embed_run(folder, observer, say));
      return console.finish(to_json(embedded));
    }
    case RunKind::events: {
      LERP_TRY(result, resume_events(folder, observer, say));
      tell_run(console, folder, result);
      return console.finish(to_json(result));
    }
    case RunKind::rules:
      break;
  }
  LERP_TRY(result, continue_run(folder, observer, say, &program.crew()));
  return finish_run(console, folder, result);
}

}  // namespace

Result<void> finish_run(Console& console, const std::string& folder, const RunResult& result) {
  console.say(
      fmt::format("saved to {}; next: {}", folder_text(folder), next_steps("a run", folder)));
  Json json = to_json(result);
  json["run"] = folder;
  return console.finish(json);
}

void tell_run(Console& console, const std::string& folder, const EventRunResult& result) {
  console.say(fmt::format("strongest evidence:\n{}", strongest_evidence(result.trained.model, 5)));
  console.say(fmt::format("run {}: lerp events eval takes this name", folder));
}

void add_resume(Program& program) {
  auto run = std::make_shared<std::string>();
  CLI::App* verb =
      program.add(program.app(), "resume", "Goes on with a run after any interruption",
                  "lerp resume family-run", [&program, run] { return resume_any(program, *run); });
  verb->add_option("RUN", *run, "a run folder of lerp train, lerp embed or lerp events train")
      ->required();
  program.share(verb);
}

}  // namespace lerpp::cli
