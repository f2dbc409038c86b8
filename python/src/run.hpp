// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include <lerp/run/run.hpp>

#include "support.hpp"
#include "table.hpp"

namespace lerpp::python {

/// A run that Python holds.
struct Asked {
  explicit Asked(Run opened) : run(std::move(opened)) {}

  Run run;
  /// Whether what answers questions is ready, so that answers come at once.
  std::atomic<bool> ready = false;

  /// Makes it ready, watched.
  void prepare(const nb::object& progress) {
    if (ready) return;
    watched(progress,
            [&](const Observer& observer) { return run.watched_by(observer).predictor(); });
    ready = true;
  }
  template <class Work>
  auto watched_run(const nb::object& progress, Work&& work) {
    return watched(progress,
                   [&](const Observer& observer) { return work(run.watched_by(observer)); });
  }
  std::shared_ptr<const Dataset> data() {
    return unlocked([&] { return run.data(); });
  }
};

/// A result that is told in several ways, made when they are asked for.
template <class Value>
struct Told {
  Value value;
  std::shared_ptr<const Dataset> dataset;
};

}  // namespace lerpp::python
