// SPDX-License-Identifier: Apache-2.0
#include "paper/workshop.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>

#include <fmt/format.h>
#include <xxhash.h>

#include <lerp/base/files.hpp>
#include <lerp/base/options_json.hpp>
#include <lerp/kg/fingerprint.hpp>

#include "base/clock.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

/// Changes when figures of the same settings are no longer the same.
constexpr int generation = 1;

/// What --quick makes of a model: everything is there, and small.
const std::vector<std::string> quick_settings = {"rules.count=8", "rules.constrained=4",
                                                 "functions.width=12", "train.epochs=2",
                                                 "train.queries=200"};

std::string hash_of(const std::string& text) {
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

/// Nothing that a person knows: queries a second on two cores, roughly, of 4 rules and 80
/// functions.
double guessed_seconds(const Dataset& dataset, const TrainOptions& options) {
  const double queries = 2.0 * static_cast<double>(dataset[Split::train].size());
  return 1 + queries * options.train.epochs * (1 + 0.02 * options.rules.count) * 2e-4;
}

Json row_of(const RunResult& result, const Dataset& dataset) {
  const Model& model = result.trained.model;
  const double all = static_cast<double>(model.parameters.values().size());
  const double functions = static_cast<double>(model.parameters.shared().size());
  const double rules = static_cast<double>(model.shape().operators()) * model.shape().rules;
  const Protocols& both = result.test->both;
  return {{"mrr_realistic", both.realistic.mrr},
          {"mrr_optimistic", both.optimistic.mrr},
          {"mrr_pessimistic", both.pessimistic.mrr},
          {"hits_at_1", both.realistic.hits_at_1},
          {"hits_at_3", both.realistic.hits_at_3},
          {"hits_at_10", both.realistic.hits_at_10},
          {"valid_mrr", result.trained.valid_mrr ? Json(*result.trained.valid_mrr) : Json()},
          {"parameters", all},
          {"parameters_functions", functions},
          {"parameters_rules", all - functions},
          {"rules", rules},
          {"rules_per_second", rules / std::max(1e-9, result.trained.seconds)},
          {"epochs", result.trained.epochs},
          {"train_seconds", result.trained.seconds},
          {"peak_memory_bytes", result.trained.peak_memory_bytes},
          {"threads", result.options.train.threads},
          {"entities", dataset.entities.size()}};
}

}  // namespace

Workshop::Workshop(fs::path root, fs::path folder, const PaperOptions& options, Observer observer,
                   std::function<void(const std::string&)> say)
    : root_(std::move(root)),
      folder_(std::move(folder)),
      options_(options),
      observer_(std::move(observer)),
      say_(std::move(say)) {}

bool Workshop::has(const std::string& name) {
  std::error_code code;
  if (fs::exists(data(name), code)) return true;
  const std::string sentence = fmt::format("{} is not in {}", name, root_.string());
  if (std::find(left_out_.begin(), left_out_.end(), sentence) == left_out_.end())
    left_out_.push_back(sentence);
  return false;
}

Result<const Dataset*> Workshop::dataset(const std::string& name) {
  std::unique_ptr<Dataset>& place = datasets_[name];
  if (!place) {
    LERP_TRY(loaded, load(data(name), {.threads = options_.threads}, observer_));
    place = std::make_unique<Dataset>(std::move(loaded));
  }
  return place.get();
}

Result<Workshop::Resolved> Workshop::resolve_training(const Training& training) {
  LERP_TRY(data, dataset(training.dataset));
  OptionRequest request{.preset = "paper",
                        .settings = training.settings,
                        .seed = training.seed,
                        .threads = options_.threads,
                        .on_valid = training.on_valid};
  // Settings of the training win over those of --quick.
  if (options_.quick) {
    request.settings.insert(request.settings.begin(), quick_settings.begin(), quick_settings.end());
  }
  LERP_TRY(resolved, resolve(*data, request));
  TrainOptions plain = *resolved;
  plain.train.threads = 0;  // changes no figure but the time
  return Resolved{std::move(resolved), fmt::format("{} {} {}", generation, fingerprint(*data),
                                                   options_to_json(plain).dump())};
}

Result<fs::path> Workshop::run_folder(const Training& training) {
  LERP_TRY(resolved, resolve_training(training));
  return folder_ / "runs" / fmt::format("{}-{}", training.name, hash_of(resolved.key).substr(0, 8));
}

Result<Measurement> Workshop::measurement(const Training& training) {
  LERP_TRY(data, dataset(training.dataset));
  LERP_TRY(resolved, resolve_training(training));
  LERP_TRY(folder, run_folder(training));
  Measurement result{training.name, resolved.key, guessed_seconds(*data, *resolved.options), {}};
  result.make = [this, training, folder = std::move(folder), data,
                 options = std::move(resolved.options)](const Observer& watcher) -> Result<Json> {
    std::error_code code;
    const bool begun = fs::exists(folder / "config.toml", code);
    LERP_TRY(run, begun ? resume_run(folder, watcher)
                        : start_run(*data, this->data(training.dataset), options, folder, watcher));
    if (!run.test) {
      return fail("there are no test facts", data->name, "take the dataset out of the folder");
    }
    return row_of(run, *data);
  };
  return result;
}

fs::path Workshop::scratch_folder(const Measurement& measurement) const {
  return folder_ / "runs" /
         fmt::format("{}-{}", measurement.name, hash_of(measurement.key).substr(0, 8));
}

fs::path Workshop::file_of(const Measurement& measurement) const {
  return folder_ / "measured" / (measurement.name + ".json");
}

std::optional<Json> Workshop::kept(const Measurement& measurement) const {
  const Result<FileBytes> bytes = read_file(file_of(measurement));
  if (!bytes) return {};
  Json json = Json::parse(bytes->view(), nullptr, false);
  if (!json.is_object() || json.value("key", "") != hash_of(measurement.key) ||
      !json.contains("result")) {
    return {};
  }
  return std::move(json["result"]);
}

Result<void> Workshop::measure(std::vector<Measurement> wanted) {
  double cost = 0;
  std::erase_if(wanted, [&](const Measurement& one) {
    if (found_.contains(one.name)) return true;
    if (std::optional<Json> old = kept(one)) {
      found_.emplace(one.name, std::move(*old));
      return true;
    }
    cost += one.cost;
    return false;
  });
  const Clock::time_point start = Clock::now();
  double done = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Measurement& one = wanted[i];
    Observer watcher = observer_.silent();
    std::string stage = fmt::format("{} ({}/{})", one.name, i + 1, wanted.size());
    watcher.progress = [&](const Progress& report) {
      Progress ours = report;
      const std::string inner = fmt::format("{}: {}", stage, report.stage);
      ours.stage = inner;
      observer_.report(ours);
    };
    LERP_TRY(result, one.make(watcher));
    const Json file = {{"key", hash_of(one.key)}, {"result", result}};
    LERP_CHECK(write_file(file_of(one), file.dump(2) + "\n"));
    found_.emplace(one.name, std::move(result));
    done += one.cost;
    const double left = seconds_since(start) * (cost - done) / done;
    if (say_) {
      say_(i + 1 == wanted.size()
               ? fmt::format("{}: done", one.name)
               : fmt::format("{}: done, {} of {}, about {:.0f} min left", one.name, i + 1,
                             wanted.size(), std::ceil(left / 60)));
    }
  }
  return {};
}

}  // namespace lerpp
