// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <lerp/base/error.hpp>

#include "kg/reading.hpp"

/// What every fuzz target checks: whatever the bytes, a reader gives facts that fit the names, or
/// one sentence.
namespace lerpp::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

template <class T>
void check(const Result<T>& result) {
  if (result) return;
  require(!result.error().what.empty() && !result.error().remedy.empty());
  require(to_string(result.error()).find('\n') == std::string::npos);
}

/// A small name list, for the readers that need one.
inline formats::Reading with_names() {
  formats::Reading reading;
  for (const auto* name : {"a", "b", "c"}) reading.dataset.entities.intern(name);
  for (const auto* name : {"r", "s"}) reading.dataset.relations.intern(name);
  reading.entity_list = "entities";
  reading.relation_list = "relations";
  return reading;
}

inline void check(const formats::Reading& reading) {
  const Dataset& dataset = reading.dataset;
  for (const Fact& fact : dataset[Split::train]) {
    require(fact.subject < dataset.entities.size() && fact.object < dataset.entities.size() &&
            fact.relation < dataset.relations.size());
    require(!dataset.entities.name(fact.subject).empty() &&
            !dataset.relations.name(fact.relation).empty() &&
            !dataset.entities.name(fact.object).empty());
  }
}

/// Reads with one worker and with several: both must agree.
template <class Read>
void check_reader(formats::Reading (*start)(), Read&& read) {
  formats::Reading one = start();
  one.threads = 1;
  const auto first = read(one);
  check(first);
  formats::Reading many = start();
  many.threads = 3;
  many.least_chunk = 1;
  const auto second = read(many);
  require(first.has_value() == second.has_value());
  if (!first) {
    require(to_string(first.error()) == to_string(second.error()));
    return;
  }
  check(one);
  require(one.dataset.splits == many.dataset.splits);
}

}  // namespace lerpp::fuzz

#define LERP_FUZZ_TARGET(bytes)                                                       \
  static void fuzz_one(std::string_view bytes);                                       \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    fuzz_one({reinterpret_cast<const char*>(data), size});                            \
    return 0;                                                                         \
  }                                                                                   \
  static void fuzz_one(std::string_view bytes)
