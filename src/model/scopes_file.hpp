// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/model/scopes.hpp>

#include "model/safetensors.hpp"

namespace lerpp {

/// Scopes as tensors: how many paths each target has and, where some lack operators, how many
/// operators, and which. Nothing where none are known.
class ScopeTensors {
 public:
  explicit ScopeTensors(const Scopes& scopes);
  /// They point into this.
  std::vector<safetensors::Entry> entries() const;

 private:
  std::vector<std::uint64_t> paths_, counts_, operators_;
};

/// The names of these tensors.
bool is_scope_tensor(std::string_view name);

/// `remedy` is for a file that is damaged.
Result<Scopes> read_scopes(const safetensors::File& file, RelationId relations, const char* remedy);

}  // namespace lerpp
