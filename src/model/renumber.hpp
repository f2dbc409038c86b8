// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <lerp/model/model.hpp>

namespace lerpp {

/// Whether a dataset has the relations of a model, in the same order.
bool same_relations(const Model& model, const Dataset& dataset);

/// The dataset with its relations numbered as the model's. Facts of relations that the model does
/// not know say nothing to it; a query about one, in the split that is asked about, cannot be
/// answered, and is an error.
Result<KnownGraph> renumber(const Model& model, const KnownGraph& known,
                            std::optional<Split> asked = {});

}  // namespace lerpp
