// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <lerp/base/error.hpp>

/// Whether there is memory for what is about to be done. Needs are estimates, on the safe side
/// where that is cheap; what stops a process that takes more is the limit itself.
namespace lerpp {

/// Memory that this process can still take: of the machine, of its container or by its own limit,
/// whichever is least. 0 where that is not known.
std::uint64_t free_memory();

/// Refuses what takes more memory than is free, if that is known. `what` begins the sentence.
Result<void> check_memory(const std::string& what, std::uint64_t needed, std::uint64_t free);

/// The limit that somebody has set for the data of this process, as --memory and `ulimit -d` do.
struct MemoryLimit {
  std::uint64_t limit = 0;
  std::uint64_t held = 0;  ///< of it, by now
};
std::optional<MemoryLimit> memory_limit();

/// What is needed beyond what is held by now.
struct MemoryNeed {
  std::uint64_t fixed = 0;
  std::uint64_t each_thread = 0;  ///< beside its stack
};
/// How many of the threads (see worker_count) have room within the limit: all, where there is none.
/// Fails where not even one has. `doing` begins the sentence, `remedy` says what else can be done.
Result<unsigned> threads_within(const std::optional<MemoryLimit>& limit, const MemoryNeed& need,
                                unsigned threads, std::string_view doing, std::string_view remedy);

}  // namespace lerpp
