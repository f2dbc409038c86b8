// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/json.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/paper/paper.hpp>
#include <lerp/train/run.hpp>

namespace lerpp {

/// One measurement: a training with its ranks, a sweep, a study. It is made once and kept.
struct Measurement {
  std::string name;  ///< of its file: "kinship-lerp-train-1"
  std::string key;   ///< all that its result depends on
  double cost = 1;   ///< about, in seconds: for the time that is left
  std::function<Result<Json>(const Observer&)> make;
};

/// What the parts work with: the datasets, and the measurements that the folder keeps.
class Workshop {
 public:
  Workshop(std::filesystem::path root, std::filesystem::path folder, const PaperOptions& options,
           Observer observer, std::function<void(const std::string&)> say);

  const PaperOptions& options() const { return options_; }
  const Observer& observer() const { return observer_; }
  const std::filesystem::path& root() const { return root_; }
  std::uint32_t seeds() const { return options_.quick ? 1 : options_.seeds; }

  /// Whether the root holds a dataset of that name; where not, it is left out and named.
  bool has(const std::string& name);
  const std::vector<std::string>& left_out() const { return left_out_; }
  std::filesystem::path data(const std::string& name) const { return root_ / name; }
  /// Read once.
  Result<const Dataset*> dataset(const std::string& name);

  /// The training of a preset's settings, in a run folder of its own.
  struct Training {
    std::string name;
    std::string dataset;
    std::vector<std::string> settings;
    std::uint64_t seed = 1;
    bool on_valid = false;
  };
  /// Its ranks, sizes and times.
  Result<Measurement> measurement(const Training& training);
  /// The run folder that the measurement leaves.
  Result<std::filesystem::path> run_folder(const Training& training);

  /// A folder of a measurement's own, in which it keeps what it has so far.
  std::filesystem::path scratch_folder(const Measurement& measurement) const;

  /// Makes what is missing. Says after each how much is left.
  Result<void> measure(std::vector<Measurement> wanted);
  /// What was measured.
  const Json& found(const std::string& name) const { return found_.at(name); }

 private:
  struct Resolved {
    ResolvedOptions options;
    std::string key;
  };
  Result<Resolved> resolve_training(const Training& training);
  std::filesystem::path file_of(const Measurement& measurement) const;
  std::optional<Json> kept(const Measurement& measurement) const;

  std::filesystem::path root_;
  std::filesystem::path folder_;
  PaperOptions options_;
  Observer observer_;
  std::function<void(const std::string&)> say_;
  std::map<std::string, std::unique_ptr<Dataset>> datasets_;
  std::vector<std::string> left_out_;
  std::map<std::string, Json> found_;
};

}  // namespace lerpp
