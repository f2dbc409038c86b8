// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/files.hpp>
#include <lerp/base/options_json.hpp>
#include <lerp/base/parallel.hpp>
#include <lerp/embed/embed.hpp>
#include <lerp/kg/fingerprint.hpp>

#include "base/run_folder.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

/// As they are written down: nothing is left to the graph or to the machine.
EmbedOptions recorded(EmbedOptions options, const Dataset& dataset) {
  resolve(options, dataset);
  options.threads = worker_count(options.threads);
  return options;
}

/// Of the whole result, only what the trace does not hold.
Json metrics_of(const Embedded& embedded) {
  Json json = to_json(embedded);
  json.erase("trace");
  return json;
}

/// Learns from where the state is, then leaves the model and its ranks.
Result<Embedded> learn_run(const Dataset& dataset, const EmbedOptions& options,
                           const RunFolder& folder, const Observer& observer,
                           std::optional<EmbedState> state) {
  EmbedHooks hooks;
  hooks.epoch = [&](const EmbedEpoch& epoch) -> Result<void> {
    LERP_CHECK(folder.trace(to_json(epoch).dump()));
    return folder.tell(to_text(epoch));
  };
  hooks.checkpoint = [&](const EmbedState& now) {
    return save_embed_state(now, folder.checkpoint());
  };
  Result<Embedded> embedded = embed(dataset, options, observer, hooks, std::move(state));
  if (!embedded) return folder.with_remedy(std::move(embedded.error()));
  LERP_CHECK(save_transe(embedded->model, folder / model_file));
  LERP_CHECK(folder.tell(summary(*embedded)));
  LERP_CHECK(write_metrics(folder.path(), metrics_of(*embedded)));
  return embedded;
}

/// The checkpoint of a run with the epochs in its trace; none where the run is at its beginning.
Result<std::optional<EmbedState>> state_of(const RunFolder& folder, const TransEShape& shape) {
  std::optional<EmbedState> state;
  if (folder.has_checkpoint()) {
    LERP_TRY(loaded, load_embed_state(folder.checkpoint(), shape));
    state = std::move(loaded);
  }
  LERP_TRY(lines, folder.shorten_trace(state ? state->epoch : 0));
  if (!state) return state;
  for (const std::string& line : lines) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_object()) state->trace.push_back(embed_epoch_of(json));
  }
  if (state->trace.size() == state->epoch) return state;
  return fail("the trace lacks epochs that the checkpoint has learned",
              (folder / trace_file).string(), "put it back as it was, or start a new run");
}

}  // namespace

Result<Embedded> embed_run(const Dataset& dataset, const fs::path& data, const EmbedOptions& given,
                           const fs::path& path, const Observer& observer,
                           const RunFolder::Say& say) {
  const EmbedOptions options = recorded(given, dataset);
  LERP_CHECK(require_lasting(data));
  std::error_code code;
  const RunSource source{fs::absolute(data, code), fingerprint(dataset),
                         choices_of(dataset.choices)};
  RunFolder folder(path, say);
  LERP_CHECK(folder.start(config_to_toml(RunKind::embedding, source, options)));
  return learn_run(dataset, options, folder, observer, std::nullopt);
}

Result<Embedded> resume_embed_run(const fs::path& path, const Observer& observer,
                                  const RunFolder::Say& say) {
  LERP_CHECK(require_kind(path, RunKind::embedding));
  EmbedOptions options;
  LERP_TRY(source, read_config(path / config_file, RunKind::embedding, options));
  LERP_CHECK(require_data(path, source.data));
  RunFolder folder(path, say);
  LERP_CHECK(folder.take());
  LERP_TRY(choices, options_of<ReadChoices>(source));
  LoadOptions load_options;
  load_options.threads = options.threads;
  load_options.choices = choices;
  LERP_TRY(dataset, load_unchanged(source.data, source.fingerprint, load_options, observer));
  LERP_TRY(state, state_of(folder, shape_of(options, dataset)));
  return learn_run(dataset, options, folder, observer, std::move(state));
}

Result<Embedded> embed_run_again(const Dataset& dataset, const fs::path& data,
                                 const EmbedOptions& options, const fs::path& path,
                                 const Observer& observer, const RunFolder::Say& say) {
  std::error_code code;
  if (!fs::exists(path / config_file, code))
    return embed_run(dataset, data, options, path, observer, say);
  EmbedOptions before;
  LERP_TRY(source, read_config(path / config_file, RunKind::embedding, before));
  const EmbedOptions wanted = recorded(options, dataset);
  if (options_to_json(before) != options_to_json(wanted)) {
    return fail("the folder holds a run with other options", path.string(),
                "give another folder, or the options that it began with");
  }
  if (source.fingerprint != fingerprint(dataset)) return changed_data(source.data);
  RunFolder folder(path, say);
  LERP_CHECK(folder.take());
  LERP_TRY(state, state_of(folder, shape_of(before, dataset)));
  return learn_run(dataset, before, folder, observer, std::move(state));
}

Result<TransEModel> open_embedding(const fs::path& folder) {
  LERP_TRY(path, finished_model(folder, RunKind::embedding));
  LERP_TRY(model, load_transe(path));
  LERP_CHECK(require_own_model(folder));
  return std::move(model);
}

}  // namespace lerpp
