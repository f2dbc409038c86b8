#include "cli/opened.hpp"

namespace lerpp::cli {

Result<Opened> open(const std::string& folder, unsigned threads, const Observer& observer) {
  LERP_TRY(run, open_run(folder));
  LERP_TRY(dataset, load_data(run.config, threads, observer));
  const bool on_valid = run.config.options.train.on_valid;
  return Opened{std::move(run), std::move(dataset), on_valid};
}

}  // namespace lerpp::cli
