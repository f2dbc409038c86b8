// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/parallel.hpp>
#include <lerp/train/options.hpp>
#include <lerp/train/run.hpp>

namespace lerpp {
namespace {

// The paper takes 200 rules on Kinship and UMLS (about a hundred entities) and 4 elsewhere, 4
// epochs on WordNet (41,000 entities) and 10 elsewhere.
constexpr std::uint32_t small_graph = 1000;
constexpr std::uint32_t large_graph = 10'000;

}  // namespace

Result<void> check_together(const TrainOptions& options) {
  const bool sum = options.rules.readout == "sum";
  if (sum && (options.evidence.prior || options.evidence.paths > 0 || options.evidence.constants)) {
    return fail("evidence.* is added to evidence, and the rules are summed", "",
                "set rules.readout=evidence, or evidence.* to 0 and false", ErrorKind::usage);
  }
  if (sum && options.rules.length == 0) {
    return fail("rules that are summed need a hop", "", "set rules.length to 1 or more",
                ErrorKind::usage);
  }
  if (sum && options.embedding.rank > 0) {
    return fail("an embedding is added to evidence, and the rules are summed", "",
                "set rules.readout=evidence, or embedding.rank=0", ErrorKind::usage);
  }
  return {};
}

Result<ResolvedOptions> resolve(const Dataset& dataset, TrainOptions options) {
  const std::uint32_t entities = dataset.entities.size();
  if (options.rules.count == 0) options.rules.count = entities <= small_graph ? 200 : 4;
  if (options.train.epochs == 0) options.train.epochs = entities > large_graph ? 4 : 10;
  // A number that is meant exactly stays so, for the teams that are made with it.
  const unsigned threads = options.train.threads;
  options.train.threads = threads & ~exact_workers;
  LERP_CHECK(check_options(options));
  LERP_CHECK(check_together(options));
  options.train.threads = is_exact(threads) ? threads : worker_count(threads);
  return ResolvedOptions(std::move(options));
}

Result<ResolvedOptions> resolve(const Dataset& dataset, const OptionRequest& request) {
  LERP_TRY(options, preset(request.preset, dataset));
  if (!request.config.empty()) {
    LERP_TRY(config, load_config(request.config, options));
    options = std::move(config.options);
  }
  for (const std::string& setting : request.settings) LERP_CHECK(set_option(options, setting));
  if (request.seed) options.train.seed = *request.seed;
  if (request.threads) options.train.threads = *request.threads;
  if (request.on_valid) options.train.on_valid = true;
  return resolve(dataset, std::move(options));
}

}  // namespace lerpp
