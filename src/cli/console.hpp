// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include <lerp/base/error.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/observer.hpp>

#include "cli/progress.hpp"

namespace lerpp::cli {

/// How a verb talks to the person: text on standard output, progress on standard error, the
/// machine-readable result where --json says. Ctrl-C becomes a request to stop.
class Console {
 public:
  Console();
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  bool quiet = false;
  std::string json;  ///< a file, "-" for standard output, or empty

  /// Prints a line of text; nothing with --quiet, or where standard output is to be JSON alone.
  /// Control characters are made visible: what data holds cannot steer a terminal.
  void say(std::string_view text);
  /// A line beside the output, on standard error; nothing where say() says nothing.
  void hint(std::string_view text);
  /// Writes to standard output as it is.
  void print(std::string_view text);
  /// Progress and stop requests, for a library call.
  Observer observer();
  /// Ends a verb: clears the progress line and writes the result where --json wants it.
  Result<void> finish(const Json& result);
  /// Clears the progress line and prints the error as the command line promises.
  void complain(const Error& error);
  /// The exit status that an error asks for, after a signal the one that people expect.
  int exit_status(const Error& error) const;
  /// The exit status of a program that has done its work: 0 where all of its output arrived, 141
  /// where the reader went away (`| head`), and 1, with a sentence, where it was lost.
  int finished();

 private:
  void await_signals(const std::stop_token& over);

  ProgressLine progress_;
  std::stop_source stop_;
  std::atomic<int> signal_ = 0;  ///< that asked for an end
  int output_error_ = 0;         ///< why standard output takes no more
  std::jthread signals_;
};

}  // namespace lerpp::cli
