// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/kg/dataset.hpp>

/// Trains a grid of options, and compares it with the same without functions: chain rules, as DRUM
/// learns them.
namespace lerpp {

/// An option and the values it shall take.
struct SweepAxis {
  std::string name;  ///< as `lerp train --set` knows it
  std::vector<std::string> values;
};
/// "functions.depth=0,1,2". Short names: depth, width, rules, length.
Result<SweepAxis> parse_axis(std::string_view text);

struct SweepOptions {
  std::string preset = "paper";
  std::string split = "valid";
  std::uint32_t seeds = 1;
  bool alone = false;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"preset", "a named set of options", {"paper", "default", "best"}}, self.preset);
    visit(Field{"split",
                "the facts that are ranked; test facts are for what was chosen on others",
                {"valid", "test"}},
          self.split);
    visit(Field{"seeds", "runs of each point, with seeds 1, 2, ...", 1, 1000}, self.seeds);
    visit(Field{"alone", "do not train the same without functions, as DRUM, beside each point"},
          self.alone);
    visit(Field{"threads", "0 is one for each core", 0, 1024}, self.threads);
  }
};

/// One training, and its ranks.
struct SweepRun {
  std::vector<std::string> values;  ///< of each axis
  bool drum = false;                ///< functions.depth is 0 instead
  std::uint64_t seed = 1;
  double mrr = 0;  ///< realistic
  double mrr_optimistic = 0;
  double mrr_pessimistic = 0;
  double hits_at_1 = 0;
  double hits_at_10 = 0;
  double train_seconds = 0;
  std::uint64_t parameters = 0;
};

struct Sweep {
  std::string dataset;
  std::string fingerprint;  ///< of the dataset
  std::string preset;
  std::string split = "valid";        ///< the facts that were ranked
  std::vector<std::string> settings;  ///< of all points
  std::vector<SweepAxis> axes;
  std::vector<SweepRun> runs;  ///< in the order of the grid
  std::size_t planned = 0;     ///< how many there shall be
};
Json to_json(const Sweep& sweep);
/// Reads back what to_json writes.
Result<Sweep> sweep_of(const Json& json);
/// "depth=2 seed 1: MRR 0.958, 12.3 s"
std::string to_text(const Sweep& sweep, const SweepRun& run);
/// A table of means over the seeds.
std::string to_text(const Sweep& sweep);
/// Whether values rise by factors rather than by steps: 1, 2, 5, 10 do, and 1, 2, 3 do not.
bool is_geometric(const std::vector<std::string>& values);
/// The first axis across, logarithmic where its values are geometric; MRR up, and one line for each
/// combination of the other axes.
std::string to_svg(const Sweep& sweep);

struct SweepHooks {
  /// After every training, with all that there is so far. A failure ends the sweep.
  std::function<Result<void>(const Sweep&)> run = {};
  /// What an earlier call left: runs of the same data, preset and settings are taken over.
  const Sweep* earlier = nullptr;
};

/// Trains what is missing. What is the same model is trained once: DRUM has no width or depth.
Result<Sweep> sweep(const Dataset& dataset, const std::vector<SweepAxis>& axes,
                    const SweepOptions& options, const std::vector<std::string>& settings,
                    const Observer& observer = {}, const SweepHooks& hooks = {});

}  // namespace lerpp
