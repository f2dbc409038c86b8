// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace lerpp {

/// A name that something is written under until it is whole. What lies there is removed with this
/// object, unless it was kept, and by remove_unfinished().
class TemporaryName {
 public:
  explicit TemporaryName(std::filesystem::path path);
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;
  ~TemporaryName();

  const std::filesystem::path& path() const { return path_; }
  /// What lay there is under its final name now.
  void keep();

 private:
  friend void remove_unfinished();

  std::filesystem::path path_;
  // All names of this process make a list, which needs no memory to be added to or left.
  TemporaryName* before_ = nullptr;
  TemporaryName* after_ = nullptr;
  bool kept_ = false;
};

}  // namespace lerpp
