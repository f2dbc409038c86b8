// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <lerp/kg/dataset.hpp>

namespace lerpp {

/// Whether other facts link the two ends of a fact directly says much about it, and a benchmark can
/// be made so that this differs between its splits: no validation or test fact of FB15k-237 has
/// ends that a training fact links, but 38 % of the training facts have. What is learned from
/// such facts misleads.
struct LinkShares {
  double train = 0;  ///< facts whose ends another fact links
  double valid = 0;  ///< the same of the validation facts, links of training facts alone
};
LinkShares link_shares(const Dataset& dataset, unsigned threads = 0);

/// Calls `action` for the training facts to ask about, in their order: linked ones are left out at
/// random until their share is that of the validation facts. All of them where the share is no
/// larger, or nothing can be compared. Ends early where the observer asks to stop.
void for_each_asked(const Dataset& dataset, std::uint64_t seed, unsigned threads,
                    const Observer& observer, const std::function<void(const Fact&)>& action);

/// All of these facts.
std::vector<Fact> asked_like_validation(const Dataset& dataset, std::uint64_t seed,
                                        unsigned threads = 0);

}  // namespace lerpp
