// SPDX-License-Identifier: Apache-2.0
#include "server/web.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>

namespace lerpp {
namespace {

/// Set in the thread that answers connections beyond what there is room for.
thread_local bool no_room = false;
/// Set where no thread is to be had for a connection: it has one answer, and makes room.
thread_local bool in_passing = false;
/// The connection that a thread serves.
thread_local const Intake* current = nullptr;

/// A thread for each connection, as they come, up to so many. What comes beyond waits in turn for
/// one thread that says that there is no room.
class Connections : public httplib::TaskQueue {
 public:
  explicit Connections(std::size_t most) : most_(most) {}

  void enqueue(std::function<void()> serve) override {
    std::unique_lock lock(mutex_);
    const bool room = idle_ > jobs_.size() || threads_.size() < most_;
    if (room ? idle_ <= jobs_.size() : refusers_.empty()) begin(!room);
    if ((room ? threads_ : refusers_).empty()) {
      // Nobody else would: the thread that accepts connections does it.
      lock.unlock();
      in_passing = true;
      serve();
      return;
    }
    (room ? jobs_ : refused_).push_back(std::move(serve));
    wake_.notify_all();
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    for (std::thread& thread : refusers_) thread.join();
  }

 private:
  void begin(bool refuser) {
    std::list<std::thread>& threads = refuser ? refusers_ : threads_;
    try {
      threads.emplace_back([this, refuser] { work(refuser); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those that there are serve connections in turn.
    }
  }

  void work(bool refuser) {
    no_room = refuser;
    std::deque<std::function<void()>>& jobs = refuser ? refused_ : jobs_;
    std::unique_lock lock(mutex_);
    while (true) {
      if (!refuser) ++idle_;
      wake_.wait(lock, [&] { return over_ || !jobs.empty(); });
      if (!refuser) --idle_;
      if (jobs.empty()) return;
      const std::function<void()> serve = std::move(jobs.front());
      jobs.pop_front();
      lock.unlock();
      serve();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::size_t most_;
  std::size_t idle_ = 0;
  bool over_ = false;
  std::deque<std::function<void()>> jobs_;
  std::deque<std::function<void()>> refused_;
  std::list<std::thread> threads_;
  std::list<std::thread> refusers_;
};

/// A request that is here already, and the socket that takes the answer.
class Exchange : public httplib::Stream {
 public:
  Exchange(int socket, std::string request, std::chrono::seconds patience)
      : socket_(socket), request_(std::move(request)), patience_(patience) {}

  bool is_readable() const override { return read_ < request_.size(); }
  bool is_writable() const override { return !broken_; }
  ssize_t read(char* to, std::size_t size) override {
    size = std::min(size, request_.size() - read_);
    std::copy_n(request_.data() + read_, size, to);
    read_ += size;
    return static_cast<ssize_t>(size);
  }
  ssize_t write(const char* from, std::size_t size) override {
    if (!send_all(socket_, from, size, patience_)) broken_ = true;
    return broken_ ? -1 : static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  socket_t socket() const override { return socket_; }
  bool broken() const { return broken_; }

 private:
  int socket_;
  std::string request_;
  std::chrono::seconds patience_;
  std::size_t read_ = 0;
  bool broken_ = false;
};

/// The library takes others for nonsense. What is no word at all it may have.
bool is_known_method(const std::string& request) {
  constexpr std::array<std::string_view, 9> known = {
      "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"};
  const std::string_view method = std::string_view(request).substr(0, request.find(' '));
  const bool word = !method.empty() && std::all_of(method.begin(), method.end(),
                                                   [](char c) { return c >= 'A' && c <= 'Z'; });
  return !word || std::find(known.begin(), known.end(), method) != known.end();
}

void hold_port_alone(socket_t socket) {
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

}  // namespace

class Web::Listener : private httplib::Server {
 public:
  Listener(const Web::Options& options, Answer with) : options_(options), answer_(std::move(with)) {
    new_task_queue = [this] { return new Connections(options_.connections); };
    // The library lets two servers have one port.
    set_socket_options(hold_port_alone);
    set_tcp_nodelay(true);
    set_keep_alive_timeout(options.limits.idle.count());
    set_keep_alive_max_count(1'000'000'000);
    set_payload_max_length(options.limits.body);
    const auto handle = [this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
    };
    Get(".*", handle);
    Post(".*", handle);
    Put(".*", handle);
    Patch(".*", handle);
    Delete(".*", handle);
    Options(".*", handle);
    // What the library refuses by itself, and methods that it gives to nobody.
    set_error_handler([handle](const httplib::Request& request, httplib::Response& response) {
      if (!response.body.empty() || answered_) return;
      if (!request.method.empty() && !request.path.empty()) {
        handle(request, response);
      } else {
        refuse_early(response);
      }
    });
    set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
          fill(refusal_reply({500, {"the answer failed", "", "ask for less"}}), response);
        });
  }
  ~Listener() override { stop_listening(); }

  Result<void> listen_at() {
    const int port = options_.port == 0
                         ? bind_to_any_port(options_.host)
                         : (bind_to_port(options_.host, static_cast<int>(options_.port))
                                ? static_cast<int>(options_.port)
                                : -1);
    if (port <= 0) {
      return fail("the address cannot be listened on",
                  fmt::format("{}, port {}", options_.host, options_.port),
                  "give another --port, or end what has it");
    }
    port_ = static_cast<std::uint32_t>(port);
    // The library's queue of connections that nobody has taken yet is short.
    ::listen(svr_sock_, SOMAXCONN);
    try {
      accepting_ = std::thread([this] { accept_all(); });
    } catch (const std::system_error&) {
      return fail("the system gives no thread to listen with",
                  fmt::format("{}, port {}", options_.host, options_.port),
                  "end other programs, or allow more processes");
    }
    return {};
  }

  void stop_listening() {
    ending_ = true;
    while (accepting_.joinable() && !accepted_all_) {
      if (is_running()) stop();
      std::this_thread::sleep_for(pause);
    }
    if (accepting_.joinable()) accepting_.join();
  }

  std::uint32_t port() const { return port_; }
  const std::atomic<bool>& ending() const { return ending_; }

 private:
  static constexpr std::chrono::milliseconds pause{5};

  /// The library ends listening on errors that pass, as when memory of the network is short.
  void accept_all() {
    while (!ending_) {
      listen_after_bind();
      while (!ending_ && !bind_to_port(options_.host, static_cast<int>(port_)))
        std::this_thread::sleep_for(pause);
      if (!ending_) ::listen(svr_sock_, SOMAXCONN);
    }
    accepted_all_ = true;
  }

  static void fill(WebReply reply, httplib::Response& response) {
    response.status = reply.status;
    for (const auto& [name, value] : reply.headers) response.set_header(name, value);
    if (reply.events) {
      response.set_header("X-Accel-Buffering", "no");
      response.set_chunked_content_provider(
          reply.type, [events = std::move(reply.events)](std::size_t, httplib::DataSink& sink) {
            std::string piece;
            const bool more = events(piece);
            if (!piece.empty() && !sink.write(piece.data(), piece.size())) return false;
            if (!more) sink.done();
            return true;
          });
      return;
    }
    if (reply.gzip) response.set_header("Content-Encoding", "gzip");
    response.body = std::move(reply.body);
    if (reply.status != 204) response.set_header("Content-Type", reply.type);
  }

  /// Nobody knows where the next request would begin: the connection is closed.
  static void refuse_early(httplib::Response& response) {
    unreadable_ = true;
    fill(refusal_reply({400, {"the request cannot be read", "", "send what HTTP/1.1 says"}}),
         response);
  }

  void answer(const httplib::Request& from, httplib::Response& response) {
    answered_ = true;
    for (const auto& [name, value] : options_.headers) response.set_header(name, value);
    if (no_room) {
      fill(refusal_reply({503, {"too many connections are open", "", "try again in a moment"}}),
           response);
      return;
    }
    WebRequest request;
    request.method = from.method;
    request.path = from.path;
    request.query.insert(from.params.begin(), from.params.end());
    request.body = from.body;
    for (const auto& [name, value] : from.headers) {
      std::string small = name;
      for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
      const bool fresh = request.headers.emplace(small, value).second;
      // Two of these would be understood in two ways.
      if (!fresh && (small == "host" || small == "authorization")) request.headers[small] = "\n";
    }
    const Intake* intake = current;
    request.gone = [intake] { return intake != nullptr && intake->gone(); };
    fill(answer_(request), response);
  }

  bool process_and_close_socket(socket_t socket) override {
    Intake intake(socket, options_.limits, ending_);
    current = &intake;
    bool open = true;
    while (open) {
      Answered<std::optional<std::string>> next = intake.next();
      if (!next) {
        refuse_raw(socket, next.error());
        break;
      }
      if (!*next) break;
      if (!is_known_method(**next)) {
        refuse_raw(socket, {405, {"the method is neither GET nor POST", "", "use one of these"}});
        break;
      }
      Exchange exchange(socket, std::move(**next), options_.limits.request);
      const bool last = ending_ || no_room || in_passing;
      bool closed = false;
      answered_ = false;
      unreadable_ = false;
      open = process_request(exchange, last, closed, nullptr) && !closed && !last && !unreadable_ &&
             !exchange.broken();
    }
    current = nullptr;
    close_gently(socket);
    return true;
  }

  /// An answer to what was no request.
  void refuse_raw(int socket, const Refusal& refusal) const {
    const WebReply reply = refusal_reply(refusal);
    std::string text = fmt::format(
        "HTTP/1.1 {} Refused\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
        "Connection: close\r\n",
        reply.status, reply.body.size());
    for (const auto& [name, value] : options_.headers)
      text += fmt::format("{}: {}\r\n", name, value);
    if (reply.status == 405) text += "Allow: GET, POST\r\n";
    text += "\r\n" + reply.body;
    send_all(socket, text.data(), text.size(), options_.limits.request);
  }

  Web::Options options_;
  Answer answer_;
  std::atomic<bool> ending_ = false;
  std::atomic<bool> accepted_all_ = false;
  std::uint32_t port_ = 0;
  std::thread accepting_;
  static thread_local bool answered_;
  static thread_local bool unreadable_;
};

thread_local bool Web::Listener::answered_ = false;
thread_local bool Web::Listener::unreadable_ = false;

Web::Web(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
Web::~Web() = default;

Result<std::unique_ptr<Web>> Web::listen(const Options& options, Answer answer) {
  auto listener = std::make_unique<Listener>(options, std::move(answer));
  LERP_CHECK(listener->listen_at());
  return std::unique_ptr<Web>(new Web(std::move(listener)));
}

std::uint32_t Web::port() const {
  return listener_->port();
}

const std::atomic<bool>& Web::ending() const {
  return listener_->ending();
}

void Web::stop() {
  listener_->stop_listening();
}

}  // namespace lerpp
