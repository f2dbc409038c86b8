// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace lerpp {

/// One report of a long call. The library never prints: it says this, and the caller decides.
struct Progress {
  std::string_view stage;   ///< "reading", "ranking", "epoch 3/10"
  std::uint64_t done = 0;   ///< units finished
  std::uint64_t total = 0;  ///< units in all, 0 when not known
  std::string_view unit;    ///< "facts", "queries"
  std::string note;         ///< "loss 0.412   valid MRR 0.958"; may be empty
};

/// Who watches a long call, and may stop it.
struct Observer {
  std::function<void(const Progress&)> progress = {};
  std::stop_token stop = {};
  /// Asked as well whether to stop, where there is one: by several threads at once, and often.
  std::function<bool()> wants_stop = {};

  void report(const Progress& report) const {
    if (progress) progress(report);
  }
  bool stopped() const { return stop.stop_requested() || (wants_stop && wants_stop()); }
  /// The same without reports.
  Observer silent() const { return {{}, stop, wants_stop}; }
};

}  // namespace lerpp
