// SPDX-License-Identifier: Apache-2.0
#include "bench/memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <sys/resource.h>

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

}  // namespace

std::uint64_t free_memory() {
  constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t free = unknown;
  if (const auto machine = number_after("/proc/meminfo", "MemAvailable:")) free = *machine * 1024;
  free = std::min(free, free_in_container().value_or(unknown));
  free = std::min(free, free_by_limit().value_or(unknown));
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

}  // namespace lerpp
