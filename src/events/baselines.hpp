// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <lerp/events/ending.hpp>

/// The baselines, each in its own file. Types of number `types` and above are not known.
namespace lerpp {

/// Types in the order of their events.
std::vector<LabelId> types_in_order(const EventGraph& graph);

/// How many training graphs end with each type.
std::vector<double> ending_counts(const std::vector<EndingCase>& cases, LabelId types);

std::unique_ptr<EndingScorer> make_frequency_baseline(const EndingCases& training, LabelId types);
std::unique_ptr<EndingScorer> make_ngram_baseline(const EndingCases& training, LabelId types);
std::unique_ptr<EndingScorer> make_pairwise_baseline(const EndingCases& training, LabelId types);
std::unique_ptr<EndingScorer> make_pattern_baseline(const EndingCases& training, LabelId types);
std::unique_ptr<EndingScorer> make_schema_baseline(const std::vector<EventGraph>& schemas,
                                                   LabelId types);

}  // namespace lerpp
