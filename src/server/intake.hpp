// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

#include "server/message.hpp"

namespace lerpp {

struct IntakeLimits {
  std::size_t head = 16'384;
  std::size_t body = 1U << 20U;
  std::chrono::seconds request{10};
  std::chrono::seconds idle{60};
};

/// Reads the requests of one connection whole, before anybody looks at them, within limits of size
/// and time: however slowly somebody sends, a thread is his for so long and no longer.
class Intake {
 public:
  Intake(int socket, const IntakeLimits& limits, const std::atomic<bool>& ending)
      : socket_(socket), limits_(limits), ending_(ending) {}

  /// The bytes of the next request; none where the connection is over.
  Answered<std::optional<std::string>> next();
  /// Whether whoever is at the other end has gone. What he has sent meanwhile is kept.
  bool gone() const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Got { bytes, end, late, ending };
  Got more(Clock::time_point until, bool between);
  Answered<std::optional<std::string>> cut_short(Got got) const;

  int socket_;
  const IntakeLimits& limits_;
  const std::atomic<bool>& ending_;
  std::string bytes_;
};

/// Sends all of it, or gives up where the other end takes nothing for so long.
bool send_all(int socket, const char* bytes, std::size_t size, std::chrono::seconds patience);
/// Says that no more comes and waits a moment until the other end has read what came, then closes.
void close_gently(int socket);

}  // namespace lerpp
