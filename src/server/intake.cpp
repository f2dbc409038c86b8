// SPDX-License-Identifier: Apache-2.0
#include "server/intake.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lerpp {
namespace {

/// How often a silent connection asks whether the server ends.
constexpr int look_ms = 200;

char small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

struct Framing {
  std::size_t body = 0;
  bool chunked = false;
  bool broken = false;
};

/// What the head says of the length of the body. Two lengths are refused, as one of them would be
/// another request to somebody else.
Framing framing(std::string_view head) {
  Framing result;
  bool told = false;
  std::size_t at = head.find("\r\n");
  while (at != std::string_view::npos && at + 2 < head.size()) {
    const std::size_t begin = at + 2;
    at = head.find("\r\n", begin);
    const std::string_view line = head.substr(begin, at - begin);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(), small_letter);
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t'))
      value.remove_prefix(1);
    while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
    if (name == "transfer-encoding") result.chunked = true;
    if (name != "content-length") continue;
    const char* end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, result.body);
    if (read.ec != std::errc() || read.ptr != end || told) result.broken = true;
    told = true;
  }
  return result;
}

}  // namespace

bool Intake::gone() const {
  pollfd state = {socket_, POLLIN | POLLRDHUP, 0};
  if (::poll(&state, 1, 0) <= 0) return false;
  return (state.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

Intake::Got Intake::more(Clock::time_point until, bool between) {
  while (true) {
    if (between && ending_) return Got::ending;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return Got::late;
    pollfd state = {socket_, POLLIN, 0};
    const int ready =
        ::poll(&state, 1, static_cast<int>(std::min<std::int64_t>(left.count() + 1, look_ms)));
    if (ready < 0 && errno != EINTR) return Got::end;
    if (ready <= 0) continue;
    std::array<char, 16'384> buffer{};
    const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) return Got::end;
    bytes_.append(buffer.data(), static_cast<std::size_t>(got));
    return Got::bytes;
  }
}

Answered<std::optional<std::string>> Intake::cut_short(Got got) const {
  if (got == Got::late)
    return refuse(408, "the request did not come in time", "", "send it at once");
  return std::nullopt;
}

Answered<std::optional<std::string>> Intake::next() {
  while (bytes_.empty()) {
    if (more(Clock::now() + limits_.idle, true) != Got::bytes) return std::nullopt;
  }
  const Clock::time_point until = Clock::now() + limits_.request;
  std::size_t looked = 0;
  std::size_t end = std::string::npos;
  while ((end = bytes_.find("\r\n\r\n", looked)) == std::string::npos) {
    if (bytes_.size() > limits_.head)
      return refuse(431, "the headers are too large", "", "send fewer or shorter ones");
    looked = bytes_.size() < 3 ? 0 : bytes_.size() - 3;
    if (const Got got = more(until, false); got != Got::bytes) return cut_short(got);
  }
  const std::size_t head = end + 4;
  if (head > limits_.head)
    return refuse(431, "the headers are too large", "", "send fewer or shorter ones");
  constexpr std::size_t longest_line = 8000;  // the library's limit is little above
  if (bytes_.find("\r\n") > longest_line)
    return refuse(414, "the address is too long", "", "send what is long in a body");
  const Framing frame = framing(std::string_view(bytes_).substr(0, head));
  if (frame.chunked)
    return refuse(400, "the body comes in chunks", "", "send it with Content-Length");
  if (frame.broken)
    return refuse(400, "the length of the body cannot be read", "", "send one Content-Length");
  if (frame.body > limits_.body)
    return refuse(413, "the body is too large", "", "ask for less, or start with --body");
  while (bytes_.size() < head + frame.body) {
    if (const Got got = more(until, false); got != Got::bytes) return cut_short(got);
  }
  std::string request = bytes_.substr(0, head + frame.body);
  bytes_.erase(0, head + frame.body);
  return std::optional<std::string>(std::move(request));
}

bool send_all(int socket, const char* bytes, std::size_t size, std::chrono::seconds patience) {
  while (size > 0) {
    const ssize_t sent = ::send(socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes += sent;
      size -= static_cast<std::size_t>(sent);
      continue;
    }
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
    pollfd state = {socket, POLLOUT, 0};
    if (::poll(&state, 1, static_cast<int>(1000 * patience.count())) <= 0) return false;
  }
  return true;
}

void close_gently(int socket) {
  constexpr int rounds = 20;
  constexpr int round_ms = 20;
  ::shutdown(socket, SHUT_WR);
  std::array<char, 16'384> buffer{};
  for (int i = 0; i < rounds; ++i) {
    pollfd state = {socket, POLLIN, 0};
    if (::poll(&state, 1, round_ms) <= 0) continue;
    if (::recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT) <= 0) break;
  }
  ::close(socket);
}

}  // namespace lerpp
