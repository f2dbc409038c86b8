// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include <lerp/base/observer.hpp>

namespace lerpp::cli {

/// Draws progress on standard error: a live bar on a terminal, a plain line now and then elsewhere.
class ProgressLine {
 public:
  ProgressLine();

  void show(const Progress& report);
  /// Takes the bar off the screen.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool shown_ = false;
  std::string stage_;
  Clock::time_point start_;
  Clock::time_point last_;
};

/// "950", "21,400", "3.1 M"
std::string count_text(double count);

}  // namespace lerpp::cli
