#include <memory>

#include <lerp/base/json.hpp>
#include <lerp/bench/load.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

Result<void> finish_bench(Console& console, const Result<BenchReport>& report) {
  if (!report) return tl::unexpected<Error>(report.error());
  console.say(to_text(*report));
  return console.finish(to_json(*report));
}

}  // namespace

void add_bench(Program& program) {
  CLI::App* group = program.add_group(
      "bench", "A benchmark with its yardstick, measured in the same run", "lerp bench load");
  auto options = std::make_shared<LoadBenchOptions>();
  CLI::App* verb =
      program.add(*group, "load", "How fast facts are read, and the memory they take",
                  "lerp bench load --json load.json", [&program, options]() -> Result<void> {
                    LERP_CHECK(check_options(*options));
                    Console& console = program.console();
                    return finish_bench(console, bench_load(*options, console.observer()));
                  });
  add_flags(*verb, *options);
}

}  // namespace lerpp::cli
