// SPDX-License-Identifier: Apache-2.0
#include "model/scopes_file.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

namespace lerpp {
namespace {

using safetensors::Entry;
using safetensors::File;

constexpr std::string_view paths_name = "scope.paths";
constexpr std::string_view counts_name = "scope.counts";
constexpr std::string_view operators_name = "scope.operators";

Result<std::vector<std::uint64_t>> read_counts(const File& file, std::string_view name,
                                               std::size_t targets) {
  LERP_TRY(entry, file.require(name, safetensors::Type::u64, {targets}));
  std::vector<std::uint64_t> counts(targets);
  safetensors::copy<std::uint64_t>(*entry, counts);
  return counts;
}

/// The lists of operators, one after the other.
Result<std::vector<std::vector<OperatorId>>> read_operators(const File& file, std::size_t targets,
                                                            const char* remedy) {
  LERP_TRY(counts, read_counts(file, counts_name, targets));
  std::uint64_t all = 0;
  for (const std::uint64_t count : counts) {
    if (count > targets)
      return fail("a target has more operators than there are", file.where(), remedy);
    all += count;
  }
  LERP_TRY(entry, file.require(operators_name, safetensors::Type::u64, {all}));
  std::vector<std::uint64_t> flat(all);
  safetensors::copy<std::uint64_t>(*entry, flat);
  std::vector<std::vector<OperatorId>> lists(targets);
  auto from = flat.begin();
  for (std::size_t target = 0; target < targets; ++target) {
    const auto last = from + static_cast<std::ptrdiff_t>(counts[target]);
    if (std::adjacent_find(from, last, std::greater_equal{}) != last ||
        (from != last && *(last - 1) >= targets)) {
      return fail(fmt::format("the operators of target {} are out of order", target), file.where(),
                  remedy);
    }
    for (; from != last; ++from) lists[target].push_back(static_cast<OperatorId>(*from));
  }
  return lists;
}

}  // namespace

ScopeTensors::ScopeTensors(const Scopes& scopes) {
  if (!scopes.known()) return;
  const bool lacks = scopes.lacks_operators();
  for (OperatorId target = 0; target < scopes.targets(); ++target) {
    paths_.push_back(scopes.path_count(target));
    if (!lacks) continue;
    const std::span<const OperatorId> operators = scopes.operators(target);
    counts_.push_back(operators.size());
    operators_.insert(operators_.end(), operators.begin(), operators.end());
  }
}

std::vector<Entry> ScopeTensors::entries() const {
  std::vector<Entry> entries;
  const auto add = [&](std::string_view name, std::span<const std::uint64_t> values) {
    entries.push_back(
        safetensors::entry<std::uint64_t>(std::string(name), {values.size()}, values));
  };
  if (!paths_.empty()) add(paths_name, paths_);
  if (!counts_.empty()) {
    add(counts_name, counts_);
    add(operators_name, operators_);
  }
  return entries;
}

bool is_scope_tensor(std::string_view name) {
  return name == paths_name || name == counts_name || name == operators_name;
}

Result<Scopes> read_scopes(const File& file, RelationId relations, const char* remedy) {
  if (file.find(paths_name) == nullptr) return Scopes();
  const std::size_t targets = 2 * std::size_t{relations};
  LERP_TRY(counts, read_counts(file, paths_name, targets));
  std::vector<std::uint32_t> paths;
  for (const std::uint64_t count : counts) {
    if (count > std::numeric_limits<std::uint32_t>::max())
      return fail("a target has more paths than there can be", file.where(), remedy);
    paths.push_back(static_cast<std::uint32_t>(count));
  }
  if (file.find(counts_name) == nullptr) return Scopes::all(paths);
  LERP_TRY(operators, read_operators(file, targets, remedy));
  return Scopes(operators, paths);
}

}  // namespace lerpp
