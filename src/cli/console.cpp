// SPDX-License-Identifier: Apache-2.0
#include "cli/console.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>

namespace lerpp::cli {
namespace {

/// Whether whoever started the program wants it to outlive a signal, as nohup does.
bool is_ignored(int signal) {
  struct sigaction action = {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  if (!is_ignored(SIGHUP)) sigaddset(&set, SIGHUP);
  // What mpirun passes on without killing the processes a second later, and Slurm can send in time.
  sigaddset(&set, SIGUSR1);
  return set;
}

/// What shells make of a signal.
int status_of(int signal) {
  // The one that mpirun passes on means what Ctrl-C does.
  return 128 + (signal == SIGUSR1 || signal == 0 ? SIGINT : signal);
}

/// A stream that was closed before the program began gets a descriptor that takes nothing, so that
/// no file opened later is taken for it.
void hold_closed_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    const int held = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (held >= 0 && held != stream) ::close(held);
  }
}

void write_line(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fputc('\n', stream);
}

}  // namespace

Console::Console() {
  hold_closed_streams();
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
    const int signal = sigtimedwait(&waited, nullptr, &pause);
    if (signal < 0) continue;
    // The first asks for an orderly end; whoever asks twice wants out now.
    if (stop_.stop_requested()) ::_exit(status_of(signal));
    signal_ = signal;
    stop_.request_stop();
  }
}

Console::~Console() {
  progress_.clear();
}

void Console::print(std::string_view text) {
  progress_.clear();
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if ((!written || std::fflush(stdout) != 0) && output_error_ == 0) output_error_ = errno;
}

void Console::say(std::string_view text) {
  if (quiet || json == "-") return;
  while (text.ends_with('\n')) text.remove_suffix(1);
  print(visible_lines(text) + "\n");
}

void Console::hint(std::string_view text) {
  if (quiet || json == "-") return;
  progress_.clear();
  write_line(stderr, visible_lines(text));
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
  print(text);
  return {};
}

void Console::complain(const Error& error) {
  progress_.clear();
  write_line(stderr, "lerp: " + visible(to_string(error)));
}

int Console::exit_status(const Error& error) const {
  switch (error.kind) {
    case ErrorKind::usage:
      return 2;
    case ErrorKind::interrupted:
      return status_of(signal_);
    case ErrorKind::failure:
      break;
  }
  return 1;
}

int Console::finished() {
  progress_.clear();
  if (output_error_ == 0) return 0;
  if (output_error_ == EPIPE) return 128 + SIGPIPE;
  errno = output_error_;
  complain(fail_errno("the output cannot be written", "standard output", "check where it leads")
               .value());
  return 1;
}

}  // namespace lerpp::cli
