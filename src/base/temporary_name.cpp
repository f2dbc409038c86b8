// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_name.hpp"

#include <mutex>
#include <system_error>
#include <utility>

#include <lerp/base/files.hpp>

namespace lerpp {
namespace {

std::mutex names_mutex;
TemporaryName* last_name = nullptr;

}  // namespace

TemporaryName::TemporaryName(std::filesystem::path path) : path_(std::move(path)) {
  const std::lock_guard lock(names_mutex);
  before_ = last_name;
  if (before_ != nullptr) before_->after_ = this;
  last_name = this;
}

TemporaryName::~TemporaryName() {
  // Removed while it is still in the list: where that needs memory and there is none, the last
  // resort finds it.
  std::error_code ignored;
  if (!kept_) std::filesystem::remove_all(path_, ignored);
  const std::lock_guard lock(names_mutex);
  if (before_ != nullptr) before_->after_ = after_;
  (after_ != nullptr ? after_->before_ : last_name) = before_;
}

void TemporaryName::keep() {
  kept_ = true;
}

void remove_unfinished() {
  const std::lock_guard lock(names_mutex);
  for (const TemporaryName* name = last_name; name != nullptr; name = name->before_) {
    std::error_code ignored;
    if (!name->kept_) std::filesystem::remove_all(name->path_, ignored);
  }
}

}  // namespace lerpp
