// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <lerp/base/json.hpp>
#include <lerp/base/memory.hpp>
#include <lerp/server/load.hpp>

#include "base/clock.hpp"

namespace lerpp {
namespace {

/// One who asks, over a connection that stays open.
class Client {
 public:
  explicit Client(std::uint32_t port) : port_(port) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { close(); }

  /// The status of the answer; 0 where there was none.
  int ask(const std::string& request) {
    if (socket_ < 0 && !connect()) return 0;
    std::size_t sent = 0;
    while (sent < request.size()) {
      const ssize_t now =
          ::send(socket_, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
      if (now <= 0) return close();
      sent += static_cast<std::size_t>(now);
    }
    return receive();
  }

 private:
  bool connect() {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
      return true;
    close();
    return false;
  }
  int close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    return 0;
  }
  int receive() {
    constexpr std::string_view length = "Content-Length: ";
    std::string bytes;
    std::array<char, 16'384> buffer{};
    std::size_t whole = std::string::npos;
    while (bytes.size() < whole) {
      const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
      if (got <= 0) return close();
      bytes.append(buffer.data(), static_cast<std::size_t>(got));
      const std::size_t head = bytes.find("\r\n\r\n");
      if (whole != std::string::npos || head == std::string::npos) continue;
      const std::size_t at = bytes.find(length);
      if (at > head) return close();
      std::size_t body = 0;
      std::from_chars(bytes.data() + at + length.size(), bytes.data() + head, body);
      whole = head + 4 + body;
    }
    int status = 0;
    constexpr std::size_t before = 9;  // "HTTP/1.1 "
    std::from_chars(bytes.data() + before, bytes.data() + before + 3, status);
    return status;
  }

  std::uint32_t port_;
  int socket_ = -1;
};

std::vector<std::string> requests_of(const Dataset& data, const std::string& ask) {
  std::vector<std::string> requests;
  requests.reserve(data[Split::test].size());
  for (const Fact& fact : data[Split::test]) {
    Json body = {{"head", data.entities.name(fact.subject)},
                 {"relation", data.relations.name(fact.relation)}};
    if (ask == "explain") body["tail"] = data.entities.name(fact.object);
    const std::string text = body.dump(-1, ' ', false, Json::error_handler_t::replace);
    requests.push_back(
        fmt::format("POST /api/v1/{} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: "
                    "application/json\r\nContent-Length: {}\r\n\r\n{}",
                    ask, text.size(), text));
  }
  return requests;
}

/// What all who ask have seen.
struct Seen {
  std::vector<double> milliseconds;
  std::uint64_t errors = 0;
};

Seen ask_all(const Server& server, const std::vector<std::string>& requests,
             const ServeBenchOptions& options, const Observer& observer) {
  std::atomic<std::size_t> next = 0;
  std::vector<Seen> seen(options.connections);
  std::vector<std::thread> threads;
  threads.reserve(seen.size());
  const Clock::time_point begin = Clock::now();
  for (Seen& own : seen) {
    threads.emplace_back([&] {
      Client client(server.port());
      while (seconds_since(begin) < options.seconds && !observer.stopped()) {
        const Clock::time_point asked = Clock::now();
        constexpr int good = 200;
        if (client.ask(requests[next++ % requests.size()]) != good) ++own.errors;
        own.milliseconds.push_back(1000 * seconds_since(asked));
      }
    });
  }
  Seen all;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i].join();
    all.errors += seen[i].errors;
    all.milliseconds.insert(all.milliseconds.end(), seen[i].milliseconds.begin(),
                            seen[i].milliseconds.end());
  }
  std::sort(all.milliseconds.begin(), all.milliseconds.end());
  return all;
}

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace

Result<BenchReport> bench_serve(const Run& run, const ServeBenchOptions& options,
                                const Observer& observer) {
  LERP_CHECK(check_options(options));
  LERP_TRY(data, run.watched_by(observer).data());
  const std::vector<std::string> requests = requests_of(*data, options.ask);
  if (requests.empty())
    return fail("the data has no test facts to ask about", data->name, "give a run of other data");
  LERP_CHECK(run.watched_by(observer).predictor());
  ServeOptions serve;
  serve.port = 0;
  serve.cache = options.cache;
  serve.threads = options.threads;
  serve.connections = options.connections + 8;
  serve.queue = options.connections;
  LERP_TRY(server, Server::start({run}, serve));
  const Clock::time_point begin = Clock::now();
  const Seen seen = ask_all(server, requests, options, observer);
  const double seconds = seconds_since(begin);
  server.stop();
  if (observer.stopped()) return fail_stopped("asking");
  BenchReport report = {"serve", measure_machine(options.threads), {}};
  report.results = {
      {"requests_per_second", static_cast<double>(seen.milliseconds.size()) / seconds, "1/s"},
      {"p50_ms", quantile(seen.milliseconds, 0.5), "ms"},
      {"p99_ms", quantile(seen.milliseconds, 0.99), "ms"},
      {"errors", static_cast<double>(seen.errors), ""},
      {"peak_memory_bytes", static_cast<double>(peak_memory()), "B"}};
  return report;
}

}  // namespace lerpp
