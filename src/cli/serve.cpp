// SPDX-License-Identifier: Apache-2.0
#include "cli/serve.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include <lerp/base/json.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct ServeArguments {
  std::vector<std::string> runs;
  ServeOptions options;
};

Result<void> run_serve(Console& console, const ServeArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  std::vector<Run> runs;
  for (const std::string& folder : arguments.runs) {
    LERP_TRY(run, Run::open(folder, arguments.options.threads));
    runs.push_back(std::move(run));
  }
  return serve(console, std::move(runs), arguments.options);
}

}  // namespace

Result<void> serve(Console& console, std::vector<Run> runs, const ServeOptions& options,
                   Json result) {
  const Observer observer = console.observer();
  LERP_TRY(server, Server::start(std::move(runs), options,
                                 [&](const std::string& line) { console.say(line); }));
  console.say(fmt::format("open {}   (Ctrl-C ends it)", server.link()));
  result["link"] = server.link();
  result["port"] = server.port();
  LERP_CHECK(console.finish(result));
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait(lock, observer.stop, [] { return false; });
  server.stop();
  return fail("the server has ended", "", "all decisions are on disk", ErrorKind::interrupted);
}

void add_serve(Program& program) {
  auto arguments = std::make_shared<ServeArguments>();
  CLI::App* verb =
      program.add(program.app(), "serve", "Answers over HTTP, and serves the page that asks",
                  "lerp serve family-run",
                  [&program, arguments] { return run_serve(program.console(), *arguments); });
  verb->add_option("RUN", arguments->runs, "run folders")->required();
  add_flags(*verb, arguments->options);
}

}  // namespace lerpp::cli
