// SPDX-License-Identifier: Apache-2.0
#include <lerp/train/run.hpp>

#include "base/run_folder.hpp"

namespace lerpp {

Result<RunConfig> load_config(const std::filesystem::path& path, const TrainOptions& defaults) {
  RunConfig config;
  config.options = defaults;
  LERP_TRY(source, read_config(path, RunKind::rules, config.options));
  Result<ReadChoices> choices = options_of<ReadChoices>(source);
  if (!choices) {
    choices.error().where = path.string();
    choices.error().kind = ErrorKind::failure;
    return forward_error(choices);
  }
  config.choices = std::move(*choices);
  config.data = std::move(source.data);
  config.fingerprint = std::move(source.fingerprint);
  return config;
}

}  // namespace lerpp
