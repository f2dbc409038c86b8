#include "cli/opened.hpp"

namespace lerpp::cli {

Result<Opened> open(const std::string& folder, unsigned threads, const Observer& observer) {
  LERP_TRY(run, open_run(folder));
  LoadOptions load_options;
  load_options.threads = threads;
  LERP_TRY(dataset, load(run.config.data, load_options, observer));
  const bool on_valid = run.config.options.train.on_valid;
  return Opened{std::move(run), std::move(dataset), on_valid};
}

}  // namespace lerpp::cli
