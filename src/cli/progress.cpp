// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include <lerp/base/text.hpp>

namespace lerpp::cli {
namespace {

using std::chrono::duration;

constexpr double terminal_pause = 0.1;  // seconds between two drawings
constexpr double plain_pause = 5.0;
constexpr int bar_cells = 20;

/// A bar with eighths of a cell.
std::string bar(double share) {
  constexpr std::array<std::string_view, 8> parts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * bar_cells * 8));
  std::string text;
  for (int cell = 0; cell < eighths / 8; ++cell) text += "█";
  text += parts[static_cast<std::size_t>(eighths % 8)];
  const int used = (eighths + 7) / 8;
  return text.append(static_cast<std::size_t>(bar_cells - used), ' ');
}

/// Progress that nobody takes is no error.
void write_text(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

std::string count_text(double count) {
  if (count >= 1e9) return fmt::format("{:.1f} G", count / 1e9);
  if (count >= 1e6) return fmt::format("{:.1f} M", count / 1e6);
  if (count >= 1e4) return thousands(static_cast<std::uint64_t>(count));
  if (count >= 100) return fmt::format("{:.0f}", count);
  return fmt::format("{:.3g}", count);
}

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const Progress& report) {
  const Clock::time_point now = Clock::now();
  if (report.stage != stage_) {
    stage_ = report.stage;
    start_ = now;
    last_ = now;
    if (!terminal_) return;
  }
  const bool over = report.total > 0 && report.done >= report.total;
  if (duration<double>(now - last_).count() < (terminal_ ? terminal_pause : plain_pause) &&
      !(over && terminal_)) {
    return;
  }
  last_ = now;

  const double elapsed = duration<double>(now - start_).count();
  const double rate = elapsed > 0 ? static_cast<double>(report.done) / elapsed : 0;
  std::string line = stage_;
  if (report.total > 0) {
    const double share = static_cast<double>(report.done) / static_cast<double>(report.total);
    line += terminal_ ? fmt::format("  {} {:3.0f} %", bar(share), 100 * share)
                      : fmt::format("  {:.0f} %", 100 * share);
  }
  if (!report.note.empty()) line += "   " + report.note;
  if (rate > 0) line += fmt::format("   {} {}/s", count_text(rate), report.unit);
  if (rate > 0 && report.total > report.done) {
    line += fmt::format("   {} left",
                        duration_text(static_cast<double>(report.total - report.done) / rate));
  }
  if (terminal_) {
    write_text("\r\033[K" + line);
    shown_ = true;
  } else {
    write_text(line + "\n");
  }
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (shown_) {
    write_text("\r\033[K");
    std::fflush(stderr);
  }
  shown_ = false;
}

}  // namespace lerpp::cli
