// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

#include <lerp/base/memory.hpp>

namespace lerpp {

std::uint64_t peak_memory() {
  // VmHWM rather than getrusage: it can be reset, and then counts from there.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void reset_peak_memory() {
  std::ofstream("/proc/self/clear_refs") << "5\n";
}

std::uint64_t machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long bytes = ::sysconf(_SC_PAGESIZE);
  constexpr std::uint64_t unknown = std::uint64_t{64} << 30;
  if (pages <= 0 || bytes <= 0) return unknown;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes);
}

}  // namespace lerpp
