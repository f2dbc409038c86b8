#include "cli/console.hpp"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>

namespace lerpp::cli {
namespace {

constexpr int interrupted_status = 130;

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  // What mpirun passes on without killing the processes a second later, and Slurm can send in time.
  sigaddset(&set, SIGUSR1);
  return set;
}

}  // namespace

Console::Console() {
  // A thread waits for the signals: unlike a handler, it may do whatever it likes when one comes.
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  // A reader that goes away is a failed write, not a death.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    signals_ = std::jthread([this](const std::stop_token& over) { await_signals(over); });
  } catch (const std::system_error&) {
    // No thread is to be had: signals end the program, as they do where nobody waits for them.
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  }
}

void Console::await_signals(const std::stop_token& over) {
  const sigset_t waited = stop_signals();
  while (!over.stop_requested()) {
    const timespec pause{0, 100'000'000};
    if (sigtimedwait(&waited, nullptr, &pause) < 0) continue;
    // The first asks for an orderly end; whoever asks twice wants out now.
    if (stop_.stop_requested()) ::_exit(interrupted_status);
    stop_.request_stop();
  }
}

Console::~Console() {
  progress_.clear();
}

void Console::say(std::string_view text) {
  if (quiet || json == "-") return;
  progress_.clear();
  while (text.ends_with('\n')) text.remove_suffix(1);
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

Observer Console::observer() {
  Observer observer;
  if (!quiet) {
    observer.progress = [this](const Progress& report) { progress_.show(report); };
  }
  observer.stop = stop_.get_token();
  return observer;
}

Result<void> Console::finish(const Json& result) {
  progress_.clear();
  if (json.empty()) return {};
  const std::string text = result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (json != "-") return write_file(json, text);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    return fail_errno("the result cannot be written", "standard output", "check where it leads");
  }
  return {};
}

void Console::complain(const Error& error) {
  progress_.clear();
  fmt::print(stderr, "lerp: {}\n", to_string(error));
}

int exit_status(const Error& error) {
  switch (error.kind) {
    case ErrorKind::usage:
      return 2;
    case ErrorKind::interrupted:
      return interrupted_status;
    case ErrorKind::failure:
      break;
  }
  return 1;
}

}  // namespace lerpp::cli
