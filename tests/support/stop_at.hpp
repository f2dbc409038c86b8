// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>

#include <gtest/gtest.h>

#include <lerp/base/error.hpp>
#include <lerp/base/observer.hpp>

namespace lerpp::test {

/// Says stop from its k-th question on, and counts how often it is asked.
class StopAt {
 public:
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  explicit StopAt(std::size_t question = never) : question_(question) {}

  Observer observer() {
    Observer observer;
    observer.wants_stop = [this] { return ++asked_ >= question_; };
    return observer;
  }
  std::size_t asked() const { return asked_; }

 private:
  std::size_t question_;
  std::atomic<std::size_t> asked_ = 0;
};

/// Whether a result is one; where it is not, it must say that it was stopped.
template <class T>
bool finished(const Result<T>& result) {
  if (!result) {
    EXPECT_EQ(result.error().kind, ErrorKind::interrupted) << to_string(result.error());
  }
  return result.has_value();
}

/// Runs a phase as it is, and stops it at its first, at a middle and at its last question: it must
/// say each time that it was stopped, and leave undone what it would have asked in between.
/// `run(observer)` returns whether the phase was finished; it is to use one thread.
template <class Run>
void expect_stops(const Run& run) {
  StopAt nobody;
  ASSERT_TRUE(run(nobody.observer()));
  const std::size_t questions = nobody.asked();
  ASSERT_GE(questions, 3U) << "it is hardly ever asked";
  for (const std::size_t question : {std::size_t{1}, questions / 2, questions}) {
    StopAt stop(question);
    EXPECT_FALSE(run(stop.observer())) << "stopped at question " << question << " of " << questions;
    if (question < questions) {
      EXPECT_LT(stop.asked(), questions) << "stopped at question " << question << ", it went on";
    }
  }
}

}  // namespace lerpp::test
