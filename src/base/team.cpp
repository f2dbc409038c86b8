// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <lerp/base/team.hpp>

namespace lerpp {
namespace {

/// Jobs follow each other within microseconds: look a while before sleeping. No longer than this,
/// since others may need the core.
constexpr std::chrono::microseconds longest_spin{30};
constexpr int looks_between_clocks = 32;

/// In `inside_`: nobody may enter the job any more.
constexpr unsigned closed = 1U << 31;

/// Tells the processor that this is a spin, so that it saves power and the core's other thread
/// runs.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits until an atomic no longer holds `old`, and returns what it holds.
unsigned await_change(const std::atomic<unsigned>& value, unsigned old, bool may_spin) {
  if (may_spin) {
    const auto end = std::chrono::steady_clock::now() + longest_spin;
    do {
      for (int look = 0; look < looks_between_clocks; ++look) {
        const unsigned now = value.load(std::memory_order_acquire);
        if (now != old) return now;
        relax();
      }
    } while (std::chrono::steady_clock::now() < end);
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

Team::Team(unsigned workers) : inside_(closed) {
  const unsigned wanted = worker_count(workers);
  may_spin_ = wanted <= usable_cores();  // else it would keep a core from somebody with work
  threads_ = make_threads(wanted - 1,
                          [this](unsigned i) { return std::jthread([this, i] { serve(i + 1); }); });
  workers_ = static_cast<unsigned>(threads_.size()) + 1;
}

Team::~Team() {
  over_ = true;
  round_.fetch_add(1);
  round_.notify_all();
}

void Team::serve(unsigned worker) {
  for (unsigned seen = 0;;) {
    seen = await_change(round_, seen, may_spin_);
    if (over_) return;
    if (!enter()) continue;
    take_items(worker);
    if (inside_.fetch_sub(1) == closed + 1) inside_.notify_one();
  }
}

/// Whoever comes late finds the job closed: nobody waits for a thread that has not begun.
bool Team::enter() {
  unsigned inside = inside_.load(std::memory_order_relaxed);
  do {
    if ((inside & closed) != 0) return false;
  } while (!inside_.compare_exchange_weak(inside, inside + 1, std::memory_order_acquire,
                                          std::memory_order_relaxed));
  return true;
}

void Team::take_items(unsigned worker) {
  const Job job = job_;
  try {
    for (;;) {
      const std::size_t item = next_.fetch_add(1, std::memory_order_relaxed);
      if (item >= job.count) return;
      job.call(job.work, worker, item);
    }
  } catch (...) {
    next_.store(job.count, std::memory_order_relaxed);
    if (!failed_.exchange(true)) error_ = std::current_exception();
  }
}

void Team::share_out(const Job& job) {
  job_ = job;
  next_.store(0, std::memory_order_relaxed);
  inside_.store(0, std::memory_order_release);
  round_.fetch_add(1);
  if (job.count < workers_) {
    for (std::size_t i = 1; i < job.count; ++i) round_.notify_one();
  } else {
    round_.notify_all();
  }
  take_items(0);
  unsigned inside = inside_.fetch_or(closed, std::memory_order_acquire) | closed;
  while (inside != closed) inside = await_change(inside_, inside, may_spin_);
  if (failed_.exchange(false)) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Team::run(const std::function<void(unsigned)>& job) {
  each(workers_, [&](unsigned, std::size_t worker) { job(static_cast<unsigned>(worker)); });
}

}  // namespace lerpp
