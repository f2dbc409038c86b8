// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace lerpp {

/// Answers by their questions; those that were not asked for longest go first.
class AnswerCache {
 public:
  explicit AnswerCache(std::size_t bytes) : most_(bytes) {}

  std::shared_ptr<const std::string> find(const std::string& question);
  void keep(const std::string& question, std::shared_ptr<const std::string> answer);
  std::size_t bytes() const;

 private:
  struct Entry {
    std::string question;
    std::shared_ptr<const std::string> answer;
    std::size_t bytes() const;
  };

  mutable std::mutex mutex_;
  std::size_t most_;
  std::size_t bytes_ = 0;
  std::list<Entry> entries_;  ///< the last asked first
  std::unordered_map<std::string, std::list<Entry>::iterator> places_;
};

}  // namespace lerpp
