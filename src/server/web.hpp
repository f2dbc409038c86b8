// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "server/intake.hpp"
#include "server/message.hpp"

namespace lerpp {

/// HTTP on a socket: gives requests to whoever answers them, several at once. The one source that
/// knows the library behind it.
class Web {
 public:
  struct Options {
    std::string host;
    std::uint32_t port = 0;
    std::uint32_t connections = 256;
    IntakeLimits limits = {};
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< of every answer
  };
  using Answer = std::function<WebReply(const WebRequest&)>;

  static Result<std::unique_ptr<Web>> listen(const Options& options, Answer answer);
  Web(const Web&) = delete;
  Web& operator=(const Web&) = delete;
  ~Web();

  std::uint32_t port() const;
  const std::atomic<bool>& ending() const;
  /// Takes no more, and waits until all that was begun is answered. Whoever answers is to hurry up.
  void stop();

 private:
  class Listener;
  explicit Web(std::unique_ptr<Listener> listener);
  std::unique_ptr<Listener> listener_;
};

}  // namespace lerpp
