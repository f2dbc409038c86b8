// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/parallel.hpp>

#ifdef __linux__
#include <sched.h>
#endif

namespace lerpp {
namespace {

unsigned count_cores() {
#ifdef __linux__
  // A machine with more cores than the set holds makes the call fail.
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0) {
    return std::max(1U, static_cast<unsigned>(CPU_COUNT(&cores)));
  }
#endif
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

unsigned usable_cores() {
  static const unsigned cores = count_cores();
  return cores;
}

unsigned worker_count(unsigned asked) {
  if (is_exact(asked)) return std::max(1U, asked & ~exact_workers);
  return asked == 0 ? usable_cores() : std::min(asked, usable_cores());
}

}  // namespace lerpp
