// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/model/parameters.hpp>

/// A model's rules and its embedding are learned one after the other. The tensors of the embedding
/// come last, so the parameters of a model are those of its rules and then those of its embedding.
namespace lerpp {

ModelShape rules_of(const ModelShape& shape);
/// A shape of no rules.
ModelShape embedding_of(const ModelShape& shape);

Parameters<float> rules_of(const Parameters<float>& parameters);
Parameters<float> joined(const Parameters<float>& rules, const Parameters<float>& embedding);

}  // namespace lerpp
