// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include <lerp/base/parallel.hpp>
#include <lerp/server/server.hpp>

#include "server/api.hpp"
#include "server/assets.hpp"
#include "server/decision_routes.hpp"
#include "server/guard.hpp"
#include "server/jobs.hpp"
#include "server/web.hpp"

namespace lerpp {
namespace {

constexpr std::string_view api_base = "/api/v1/";

/// A file of the page; its first view for addresses that only the page knows.
WebReply page_reply(const WebRequest& request) {
  if (request.method != "GET" && request.method != "HEAD")
    return refusal_reply({405, {"the page can only be read", "GET", ""}});
  const bool view = request.path.find('.') == std::string::npos;
  const Asset* asset = find_asset("page" + (view ? "/index.html" : request.path));
  if (asset == nullptr && view) asset = find_asset("page/none.html");
  if (asset == nullptr)
    return refusal_reply({404, {"there is nothing at this address", "", "open /"}});
  WebReply reply;
  reply.type = asset->type;
  reply.gzip = request.header("accept-encoding").find("gzip") != std::string::npos;
  reply.body = reply.gzip ? std::string(asset->gzip) : plain_bytes(*asset);
  // Files below assets/ have a digest in their names.
  reply.headers.emplace_back("Cache-Control", request.path.starts_with("/assets/")
                                                  ? "public, max-age=31536000, immutable"
                                                  : "no-cache");
  reply.headers.emplace_back("Vary", "Accept-Encoding");
  return reply;
}

Result<void> check_serve_options(const ServeOptions& options) {
  LERP_CHECK(check_options(options));
  constexpr std::size_t least = 16;
  if (!options.token.empty() && options.token.size() < least) {
    return fail("the token is short enough to be guessed", "--token",
                "give at least 16 letters, or 'new'", ErrorKind::usage);
  }
  const bool plain = std::all_of(options.token.begin(), options.token.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.~").find(c) != std::string_view::npos;
  });
  if (!plain) {
    return fail("the token holds letters that an address cannot hold", "--token",
                "use letters and digits", ErrorKind::usage);
  }
  if (options.token.empty() && !is_loopback(options.host)) {
    return fail("everybody who reaches this machine could ask",
                fmt::format("--host {}", options.host),
                "give a --token, or '--token new' for a random one", ErrorKind::usage);
  }
  return {};
}

}  // namespace

struct Server::State {
  ApiState api_state;
  std::unique_ptr<Api> api;
  std::unique_ptr<Guard> guard;
  std::unique_ptr<Web> web;
  std::atomic<bool> refusing = false;  ///< nothing new is begun
  std::atomic<bool> hurry = false;     ///< and what was begun is given up
  std::thread preparing;
  std::function<void(const std::string&)> say;

  WebReply answer(const WebRequest& request) {
    WebReply reply = answer_unsealed(request);
    guard->seal(request, reply);
    const bool cached = std::any_of(reply.headers.begin(), reply.headers.end(),
                                    [](const auto& one) { return one.first == "Cache-Control"; });
    if (!cached) reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
  }

  WebReply answer_unsealed(const WebRequest& request) {
    if (std::optional<WebReply> stopped = guard->stop(request)) return std::move(*stopped);
    if (refusing)
      return refusal_reply({503, {"the server is ending", "", "ask again when it is back"}});
    if (request.path.starts_with(api_base)) return api->answer(request, hurry);
    if (request.path.starts_with("/api")) {
      return refusal_reply(
          {404, {"there is nothing at this address", "", "see /api/v1/openapi.json"}});
    }
    return page_reply(request);
  }

  /// Reads what questions need, so that the first one need not wait.
  void prepare() {
    for (const auto& served : api_state.runs.all()) {
      Observer observer;
      observer.wants_stop = [this] { return refusing.load(); };
      const Result<void> done = served->prepare(observer);
      if (!done && done.error().kind != ErrorKind::interrupted && say)
        say(fmt::format("{}: {}", served->name(), to_string(done.error())));
    }
  }
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::Server(Server&& other) noexcept = default;

Server::~Server() {
  if (state_) stop(0);
}

Result<Server> Server::start(std::vector<Run> runs, const ServeOptions& options,
                             std::function<void(const std::string&)> say) {
  auto state = std::make_unique<State>();
  state->api_state.options = options;
  if (options.token == "new") state->api_state.options.token = new_token();
  LERP_CHECK(check_serve_options(state->api_state.options));
  state->say = std::move(say);
  state->api_state.decisions = std::make_unique<DecisionBooks>();
  state->api_state.jobs = std::make_unique<Jobs>(state->api_state, state->say);
  for (Run& run : runs) state->api_state.runs.add(std::move(run));
  const unsigned cores = options.threads > 0 ? options.threads : worker_count(0);
  state->api = std::make_unique<Api>(state->api_state, cores);
  state->guard = std::make_unique<Guard>(state->api_state.options);
  Web::Options web;
  web.host = options.host;
  web.port = options.port;
  web.connections = options.connections;
  web.limits.body = options.body;
  web.limits.request = std::chrono::seconds(options.request_seconds);
  web.limits.idle = std::chrono::seconds(options.idle_seconds);
  LERP_TRY(listening, Web::listen(web, [shared = state.get()](const WebRequest& request) {
             return shared->answer(request);
           }));
  state->web = std::move(listening);
  try {
    state->preparing = std::thread([shared = state.get()] { shared->prepare(); });
  } catch (const std::system_error&) {
    // No thread is to be had: the first question prepares.
  }
  return Server(std::move(state));
}

std::uint32_t Server::port() const {
  return state_->web->port();
}

std::string Server::link() const {
  const ServeOptions& options = state_->api_state.options;
  const bool six = options.host.find(':') != std::string::npos;
  std::string link =
      fmt::format("http://{}{}{}:{}/", six ? "[" : "", options.host, six ? "]" : "", port());
  if (!options.token.empty()) link += "?token=" + options.token;
  return link;
}

void Server::stop(std::uint32_t seconds) {
  state_->refusing = true;
  std::mutex mutex;
  std::condition_variable wake;
  bool done = false;
  std::thread timer;
  try {
    timer = std::thread([&] {
      std::unique_lock lock(mutex);
      wake.wait_for(lock, std::chrono::seconds(seconds), [&] { return done; });
      state_->hurry = true;
    });
  } catch (const std::system_error&) {
    state_->hurry = true;  // nobody would look at the clock
  }
  state_->api_state.jobs->stop_all();
  if (state_->web) state_->web->stop();
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  wake.notify_all();
  if (timer.joinable()) timer.join();
  if (state_->preparing.joinable()) state_->preparing.join();
}

}  // namespace lerpp
