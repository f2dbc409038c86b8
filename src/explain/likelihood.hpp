// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/base/json_fwd.hpp>

namespace lerpp {

/// What a probability is found from. See docs/predict.md.
inline constexpr std::array<std::string_view, 18> feature_names = {
    "one",          "tail_log_share", "head_log_share", "tail_share",  "head_share",
    "tail_rank",    "head_rank",      "tail_margin",    "head_margin", "tail_score",
    "head_score",   "tail_more",      "head_more",      "tail_fit",    "head_fit",
    "tail_against", "head_against",   "lesser_share"};
using Features = std::array<double, feature_names.size()>;

/// One candidate that a likelihood is learned from.
struct Judged {
  Features features = {};
  std::uint32_t relation = 0;
  double weight = 1;   ///< how many candidates it stands for
  bool found = false;  ///< whether the held-out facts have it
};

/// How likely a candidate is a true fact. Held-out facts are a part of what is true and not known,
/// so a candidate that is not among them counts as false only with that part in mind:
/// P(held out | features) = part * sigmoid(weights · features + offset of the relation).
class Likelihood {
 public:
  Likelihood() = default;
  /// `part`: held-out facts, as a share of all true facts that were not known while they were
  /// asked for, in (0, 1).
  static Likelihood learn(std::span<const Judged> judged, std::size_t relations, double part);
  /// The same where nobody knows how many more there are: at most as many as were held out, and
  /// fewer where the held-out facts are found so surely that there cannot be as many.
  static Likelihood learn(std::span<const Judged> judged, std::size_t relations);

  /// Given that the fact is not held out either.
  double probability(const Features& features, std::uint32_t relation) const;

  friend Json to_json(const Likelihood& likelihood);
  static Result<Likelihood> from_json(const Json& json, std::size_t relations);

 private:
  double sum(const Features& features, std::uint32_t relation) const;
  double loss(std::span<const Judged> judged) const;
  void step_weights(std::span<const Judged> judged);
  void step_offsets(std::span<const Judged> judged);

  Features weights_ = {};
  std::vector<double> offsets_;  ///< of the relations, shrunk to 0 where there is little to see
  double part_ = 1;
};

}  // namespace lerpp
