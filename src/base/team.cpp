#include <lerp/base/parallel.hpp>
#include <lerp/base/team.hpp>

namespace lerpp {
namespace {

/// Jobs follow each other within microseconds: look a while before sleeping.
constexpr int looks_before_sleep = 20'000;

/// Waits until an atomic no longer holds `old`.
template <class T>
void await_change(const std::atomic<T>& value, T old) {
  for (int look = 0; look < looks_before_sleep; ++look) {
    if (value.load(std::memory_order_acquire) != old) return;
    __builtin_ia32_pause();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Team::Team(unsigned workers) : workers_(worker_count(workers)) {
  for (unsigned worker = 1; worker < workers_; ++worker) {
    threads_.emplace_back([this, worker] { serve(worker); });
  }
}

Team::~Team() {
  over_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void Team::serve(unsigned worker) {
  for (unsigned seen = 0;; ++seen) {
    await_change(round_, seen);
    if (over_) return;
    (*job_)(worker);
    if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) working_.notify_one();
  }
}

void Team::run(const std::function<void(unsigned)>& job) {
  if (alone_) {
    for (unsigned worker = 0; worker < workers_; ++worker) job(worker);
    return;
  }
  job_ = &job;
  working_.store(workers_ - 1, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  if (workers_ > 1) round_.notify_all();
  job(0);
  for (unsigned left = working_.load(std::memory_order_acquire); left > 0;
       left = working_.load(std::memory_order_acquire)) {
    await_change(working_, left);
  }
}

}  // namespace lerpp
