// SPDX-License-Identifier: Apache-2.0
#include "cli/last_resort.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include <sys/resource.h>
#include <unistd.h>

#include <lerp/base/files.hpp>

namespace lerpp::cli {
namespace {

std::atomic<bool> memory_ended = false;
std::atomic<bool> program_ends = false;
std::atomic<bool> memory_limited = false;
thread_local bool ends_here = false;

[[noreturn]] void fail_allocation() {
  memory_ended = true;
  throw std::bad_alloc();
}

[[noreturn]] void end_program() {
  if (!memory_ended) std::abort();
  if (!program_ends.exchange(true)) {
    ends_here = true;
    complain_of_memory();
    remove_unfinished();
  } else if (!ends_here) {
    for (;;) ::pause();  // another thread is at it
  }
  // What was asked of the system while it ended has ended too: the sentence has been said.
  ::_exit(1);
}

}  // namespace

bool limit_memory(std::uint64_t bytes) {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return false;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, bytes);
  memory_limited = ::setrlimit(RLIMIT_DATA, &limit) == 0;
  return memory_limited;
}

void complain_of_memory() {
  constexpr std::string_view of_machine =
      "lerp: there is not enough memory: try a smaller graph, fewer --threads or a larger "
      "machine\n";
  constexpr std::string_view of_limit =
      "lerp: this takes more than --memory allows: allow more, or try a smaller graph or fewer "
      "--threads\n";
  const std::string_view sentence = memory_limited ? of_limit : of_machine;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
}

void prepare_last_resort() {
  std::set_new_handler(fail_allocation);
  std::set_terminate(end_program);
}

}  // namespace lerpp::cli
