#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/embed/embed.hpp>
#include <lerp/kg/fingerprint.hpp>

#include "base/config_text.hpp"
#include "base/run_files.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

Result<void> save_config(const Dataset& dataset, const fs::path& data, EmbedOptions options,
                         const fs::path& path) {
  resolve(options, dataset);
  std::error_code code;
  return write_file(path, fmt::format("[data]\npath = {}\nfingerprint = {}\n",
                                      toml_text(fs::absolute(data, code).string()),
                                      toml_text(fingerprint(dataset))) +
                              options_to_toml(options, "embed"));
}

/// Of the whole result, only what the trace does not hold.
std::string metrics_text(const Embedded& embedded) {
  Json json = to_json(embedded);
  json.erase("trace");
  return json.dump(2) + "\n";
}

}  // namespace

Result<Embedded> embed_run(const Dataset& dataset, const fs::path& data,
                           const EmbedOptions& options, const fs::path& folder,
                           const Observer& observer, const EmbedHook& hook) {
  const Result<FileLock> lock = claim_run_folder(folder);
  if (!lock) return tl::unexpected<Error>(lock.error());
  LERP_CHECK(save_config(dataset, data, options, folder / config_file));
  const auto record = [&](const EmbedEpoch& epoch, const TransEModel* best) -> Result<void> {
    LERP_CHECK(append_line(folder / trace_file, to_json(epoch).dump()));
    if (best != nullptr) LERP_CHECK(save_transe(*best, folder / model_file));
    return hook ? hook(epoch, best) : Result<void>();
  };
  Result<Embedded> embedded = embed(dataset, options, observer, record);
  if (!embedded) {
    Error error = std::move(embedded.error());
    if (error.kind == ErrorKind::interrupted) {
      error.where = folder.string();
      error.remedy = "the best epoch so far is saved there";
    }
    return tl::unexpected<Error>(std::move(error));
  }
  LERP_CHECK(write_file(folder / metrics_file, metrics_text(*embedded)));
  return embedded;
}

Result<TransEModel> open_embedding(const fs::path& folder) {
  if (!fs::exists(folder / model_file)) {
    return fail("this folder has no embedding", folder.string(),
                "make one with lerp embed DATA --out RUN");
  }
  return load_transe(folder / model_file);
}

}  // namespace lerpp
