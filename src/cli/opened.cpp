#include "cli/opened.hpp"

namespace lerpp::cli {

Result<Opened> open(const std::string& folder, unsigned threads, const Observer& observer) {
  LERP_TRY(run, open_run(folder));
  LERP_TRY(dataset, load_data(run.config, threads, observer));
  KnownGraph known(std::move(dataset), known_splits(run.config.options), threads);
  return Opened{std::move(run), std::move(known)};
}

}  // namespace lerpp::cli
