// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

#include <lerp/base/memory_plan.hpp>
#include <lerp/base/parallel.hpp>
#include <lerp/base/text.hpp>

namespace lerpp {
namespace {

/// The number after a word at the start of a line, such as "MemAvailable:".
std::optional<std::uint64_t> number_after(const std::string& file, const std::string& word) {
  std::ifstream stream(file);
  std::string found;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(word)) found = line.substr(word.size());
  }
  std::size_t digits = found.find_first_not_of(" \t");
  if (digits == std::string::npos || found[digits] < '0' || found[digits] > '9') return {};
  return std::stoull(found.substr(digits));
}

/// What a container may still take; its cached files give way.
std::optional<std::uint64_t> free_in_container() {
  const std::string folder = "/sys/fs/cgroup/memory.";
  const auto most = number_after(folder + "max", "");
  const auto held = number_after(folder + "current", "");
  if (!most || !held) return {};
  const std::uint64_t cached = number_after(folder + "stat", "inactive_file ").value_or(0);
  const std::uint64_t used = *held - std::min(*held, cached);
  return *most - std::min(*most, used);
}

std::optional<std::uint64_t> free_by_limit() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  const auto held = number_after("/proc/self/status", "VmSize:");
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, held.value_or(0) * 1024);
}

/// A thread's stack counts as a whole, and so does the room that it begins to allocate from.
std::uint64_t thread_bytes() {
  constexpr std::uint64_t usual = std::uint64_t{8} << 20U;
  constexpr std::uint64_t arena = std::uint64_t{1} << 20U;
  rlimit stack = {};
  const bool known = ::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY;
  return arena + (known ? std::uint64_t{stack.rlim_cur} : usual);
}

}  // namespace

std::uint64_t free_memory() {
  constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t free = unknown;
  if (const auto machine = number_after("/proc/meminfo", "MemAvailable:")) free = *machine * 1024;
  free = std::min(free, free_in_container().value_or(unknown));
  free = std::min(free, free_by_limit().value_or(unknown));
  if (const auto own = memory_limit())
    free = std::min(free, own->limit - std::min(own->limit, own->held));
  return free == unknown ? 0 : free;
}

Result<void> check_memory(const std::string& what, std::uint64_t needed, std::uint64_t free) {
  if (free == 0 || needed <= free) return {};
  const auto gibibytes = [](std::uint64_t bytes) {
    return static_cast<double>(bytes) / (1U << 30U);
  };
  return fail(fmt::format("{} takes about {:.1f} GiB of memory and {:.1f} GiB are free", what,
                          gibibytes(needed), gibibytes(free)),
              "", "ask for less, or free some memory");
}

std::optional<MemoryLimit> memory_limit() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  const std::uint64_t held = number_after("/proc/self/status", "VmData:").value_or(0) * 1024;
  std::uint64_t reusable = 0;
#ifdef __GLIBC__
  reusable = ::mallinfo2().fordblks;  // given back to the allocator, which has kept it
#endif
  return MemoryLimit{limit.rlim_cur, held - std::min(held, reusable)};
}

Result<unsigned> threads_within(const std::optional<MemoryLimit>& limit, const MemoryNeed& need,
                                unsigned threads, std::string_view doing, std::string_view remedy) {
  if (!limit) return threads;
  const std::uint64_t each = need.each_thread + thread_bytes();
  const std::uint64_t least = limit->held + need.fixed + each;
  if (least > limit->limit) {
    return fail(fmt::format("{} takes about {} of memory and the limit is {}", doing,
                            size_text(least), size_text(limit->limit)),
                "", fmt::format("allow more with --memory, or {}", remedy));
  }
  const std::uint64_t room = 1 + (limit->limit - least) / each;
  const unsigned wanted = worker_count(threads);
  return room < wanted ? static_cast<unsigned>(room) : threads;
}

}  // namespace lerpp
