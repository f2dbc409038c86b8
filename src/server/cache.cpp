// SPDX-License-Identifier: Apache-2.0
#include "server/cache.hpp"

namespace lerpp {

std::size_t AnswerCache::Entry::bytes() const {
  constexpr std::size_t around = 200;  // the nodes of both containers
  return 2 * question.size() + answer->size() + around;
}

std::shared_ptr<const std::string> AnswerCache::find(const std::string& question) {
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(question);
  if (found == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->answer;
}

void AnswerCache::keep(const std::string& question, std::shared_ptr<const std::string> answer) {
  Entry entry{question, std::move(answer)};
  const std::size_t size = entry.bytes();
  // One large answer does not drive out all others.
  if (size > most_ / 4) return;
  const std::lock_guard lock(mutex_);
  if (places_.contains(question)) return;
  entries_.push_front(std::move(entry));
  places_[question] = entries_.begin();
  bytes_ += size;
  while (bytes_ > most_) {
    bytes_ -= entries_.back().bytes();
    places_.erase(entries_.back().question);
    entries_.pop_back();
  }
}

std::size_t AnswerCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace lerpp
