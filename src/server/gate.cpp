// SPDX-License-Identifier: Apache-2.0
#include "server/gate.hpp"

namespace lerpp {

Answered<Gate::Place> Gate::enter(const Observer& observer) {
  constexpr std::chrono::milliseconds look{50};
  std::unique_lock lock(mutex_);
  if (places_ == 0 && next_ - serving_ - left_.size() >= queue_) {
    return refuse(429, "too many questions wait for an answer", "", "ask again in a moment");
  }
  const std::uint64_t ticket = next_++;
  while (places_ == 0 || ticket != serving_) {
    free_.wait_for(lock, look);
    if (!observer.stopped()) continue;
    left_.insert(ticket);
    while (left_.erase(serving_) > 0) ++serving_;
    free_.notify_all();
    return tl::unexpected<Refusal>(Refusal(fail_stopped("waiting for a core").value()));
  }
  --places_;
  ++serving_;
  while (left_.erase(serving_) > 0) ++serving_;
  free_.notify_all();
  return Place(*this);
}

void Gate::leave() {
  {
    const std::lock_guard lock(mutex_);
    ++places_;
  }
  free_.notify_all();
}

Patience::Patience(const WebRequest& request, double seconds, const std::atomic<bool>& ending)
    : gone_(request.gone),
      ending_(ending),
      deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(seconds))) {}

bool Patience::given_up() {
  if (ending_ || left_) return true;
  const Clock::time_point now = Clock::now();
  if (now > deadline_) return true;
  const std::int64_t time = now.time_since_epoch().count();
  std::int64_t next = next_look_;
  constexpr Clock::duration pause = std::chrono::milliseconds(20);
  if (time < next || !next_look_.compare_exchange_strong(next, time + pause.count())) return false;
  if (gone_ && gone_()) left_ = true;
  return left_;
}

Observer Patience::observer() {
  Observer observer;
  observer.wants_stop = [this] { return given_up(); };
  return observer;
}

Refusal Patience::refusal() const {
  if (!ending_ && !left_ && Clock::now() > deadline_)
    return {408, {"the answer took too long", "", "ask for less, or start with --answer-seconds"}};
  return {503, {"the server is ending", "", "ask again when it is back"}};
}

}  // namespace lerpp
