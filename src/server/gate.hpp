// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <utility>

#include "server/message.hpp"

namespace lerpp {

/// Lets so many questions work at once; others wait in the order in which they came, and no more
/// than so many.
class Gate {
 public:
  Gate(unsigned places, unsigned queue) : places_(places), queue_(queue) {}

  class Place {
   public:
    explicit Place(Gate& gate) : gate_(&gate) {}
    Place(Place&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
    Place& operator=(Place&&) = delete;
    ~Place() {
      if (gate_ != nullptr) gate_->leave();
    }

   private:
    Gate* gate_;
  };
  /// Refused with 429 where too many wait, and with 503 or 408 where the question is given up.
  Answered<Place> enter(const Observer& observer);

 private:
  void leave();

  std::mutex mutex_;
  std::condition_variable free_;
  unsigned places_;
  unsigned queue_;
  std::uint64_t next_ = 0;     ///< ticket of who comes next
  std::uint64_t serving_ = 0;  ///< tickets below this have been called or have left
  std::set<std::uint64_t> left_;
};

/// Watches whether an answer is still wanted: asked often, it looks now and then.
class Patience {
 public:
  Patience(const WebRequest& request, double seconds, const std::atomic<bool>& ending);

  Observer observer();
  bool nobody_waits() const { return left_; }
  /// Why a call was stopped.
  Refusal refusal() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool given_up();

  const std::function<bool()>& gone_;
  const std::atomic<bool>& ending_;
  Clock::time_point deadline_;
  std::atomic<std::int64_t> next_look_ = 0;
  std::atomic<bool> left_ = false;
};

}  // namespace lerpp
