// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/events/event_graph.hpp>
#include <lerp/kg/dataset.hpp>

namespace lerpp {

/// Event graphs in splits, with their names.
struct EventData {
  std::string name;
  std::string source;  ///< the folder or file
  EventNames names;
  EventSizes trained;  ///< labels of a smaller number occur in the training graphs
  std::array<std::vector<EventGraph>, 3> splits;  ///< train, valid, test
  std::vector<std::string> notes;  ///< what is odd but can be lived with: cycles, loose ends

  const std::vector<EventGraph>& operator[](Split split) const;
  std::vector<EventGraph>& operator[](Split split);
};

/// Reads a folder with train, dev (or valid) and test files, or one file, which is then the
/// training split. A file holds JSON lines or KAIROS SDF documents; gzip and zstd are inflated.
/// Names that `known` has keep their numbers: give a model's names to read what it shall judge.
Result<EventData> load_events(const std::filesystem::path& path, const EventNames& known = {},
                              const Observer& observer = {});

/// Tells data apart: names and graphs of every split.
std::string fingerprint(const EventData& data);

}  // namespace lerpp
