#include <memory>

#include <lerp/base/json.hpp>
#include <lerp/kg/stats.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct StatsArguments {
  std::string data;
  LoadOptions load;
};

Result<void> run_stats(Console& console, const StatsArguments& arguments) {
  LERP_TRY(dataset, load(arguments.data, arguments.load, console.observer()));
  const Stats stats = statistics(dataset, arguments.load.threads);
  console.say(to_text(stats));
  return console.finish(to_json(stats));
}

}  // namespace

void add_stats(Program& program) {
  auto arguments = std::make_shared<StatsArguments>();
  CLI::App* verb =
      program.add(program.app(), "stats", "Counts, degrees, splits, and the defects worth knowing",
                  "lerp stats data/family",
                  [&program, arguments] { return run_stats(program.console(), *arguments); });
  add_data(*verb, arguments->data, arguments->load);
}

}  // namespace lerpp::cli
