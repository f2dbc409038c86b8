#include <cstdlib>
#include <fstream>
#include <string>

#include <sys/resource.h>

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

}  // namespace lerpp
