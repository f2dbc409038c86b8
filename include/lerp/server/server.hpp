// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/run/run.hpp>

/// Runs that answer over HTTP, and the page that asks them. See docs/serve.md.
namespace lerpp {

struct ServeOptions {
  std::uint32_t port = 8977;
  std::string host = "127.0.0.1";
  std::string token;
  std::string allow_origin;
  std::string data_root;
  std::uint32_t threads = 0;
  std::uint32_t connections = 256;
  std::uint32_t queue = 512;
  std::uint32_t body = 1U << 20U;
  std::uint32_t request_seconds = 10;
  std::uint32_t answer_seconds = 600;
  std::uint32_t idle_seconds = 60;
  std::uint32_t cache = 64;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"port", "0 is one that is free", 0, 65535}, self.port);
    visit(Field{"host", "the address to listen on; all but the machine's own need a token"},
          self.host);
    visit(Field{"token", "what requests must name, at least 16 letters; 'new' makes one"},
          self.token);
    visit(Field{"allow-origin", "a page of another origin that may ask, as https://example.org"},
          self.allow_origin);
    visit(Field{"data-root", "a folder of datasets that the page may learn on"}, self.data_root);
    visit(Field{"threads", "0 is one for each core", 0, 1024}, self.threads);
    visit(Field{"connections", "that are open at once, at most", 1, 10'000}, self.connections);
    visit(Field{"queue", "questions that wait for a core, at most", 0, 1e6}, self.queue);
    visit(Field{"body", "bytes that a request may hold", 1024, 1e9}, self.body);
    visit(Field{"request-seconds", "until a request must be here", 1, 3600}, self.request_seconds);
    visit(Field{"answer-seconds", "that an answer may take", 1, 86'400}, self.answer_seconds);
    visit(Field{"idle-seconds", "that a connection may be silent", 1, 3600}, self.idle_seconds);
    visit(Field{"cache", "MiB of answers that are kept", 0, 65'536}, self.cache);
  }
};

/// Random, of 32 letters and digits.
std::string new_token();

/// Listens from when it is started until it is stopped or destroyed.
class Server {
 public:
  /// The runs are called by the names of their folders; of two with the same, the second is
  /// "name-2". What the server notes (a run that is learned, say) goes to `say`.
  static Result<Server> start(std::vector<Run> runs, const ServeOptions& options,
                              std::function<void(const std::string&)> say = {});
  Server(Server&& other) noexcept;
  Server& operator=(Server&& other) = delete;
  ~Server();

  std::uint32_t port() const;
  /// What to open in a browser; names the token where there is one.
  std::string link() const;
  /// Refuses what is new, finishes what was begun, for so long, and then gives that up too.
  void stop(std::uint32_t seconds = 20);

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

/// The description of the routes, OpenAPI as JSON.
std::string_view api_description();

}  // namespace lerpp
