// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <lerp/base/crew.hpp>

namespace lerpp::test {

/// Where threads that stand for processes meet.
class ThreadRoom {
 public:
  explicit ThreadRoom(unsigned size) : offers_(size) {}

  struct Offer {
    std::span<const std::byte> bytes;
    std::span<const std::size_t> to;  ///< how much of it is for each
  };
  unsigned size() const { return static_cast<unsigned>(offers_.size()); }

  /// Lays down an offer, waits for those of all, and calls `take` while they lie there.
  template <class Take>
  Result<void> meet(unsigned rank, Offer offer, std::chrono::milliseconds patience, Take&& take) {
    {
      const std::scoped_lock lock(mutex_);
      offers_[rank] = offer;
    }
    LERP_CHECK(await_all(patience));
    take(offers_);
    return await_all({});
  }

  /// A thread that goes away is a process that dies.
  void depart(unsigned rank) {
    const std::scoped_lock lock(mutex_);
    if (gone_ < 0) gone_ = static_cast<int>(rank);
    changed_.notify_all();
  }

 private:
  Result<void> await_all(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    const unsigned round = round_;
    if (++arrived_ == size()) {
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
      return {};
    }
    const auto over = [&] { return round_ != round || gone_ >= 0; };
    if (patience.count() == 0) {
      changed_.wait(lock, over);
    } else if (!changed_.wait_for(lock, patience, over)) {
      return fail("the others are busy", "", "");
    }
    if (round_ != round) return {};
    return fail("process " + std::to_string(gone_) + " has died", "", "");
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Offer> offers_;
  unsigned arrived_ = 0;
  unsigned round_ = 0;
  int gone_ = -1;
};

class ThreadLink final : public CrewLink {
 public:
  ThreadLink(std::shared_ptr<ThreadRoom> room, unsigned rank)
      : room_(std::move(room)), rank_(rank) {}
  ~ThreadLink() override { room_->depart(rank_); }
  ThreadLink(const ThreadLink&) = delete;
  ThreadLink& operator=(const ThreadLink&) = delete;

  unsigned rank() const override { return rank_; }
  unsigned size() const override { return room_->size(); }
  unsigned here() const override { return room_->size(); }
  void watch(std::stop_token /*stop*/, std::function<void(const Error&)> /*complain*/) override {}

  Result<void> gather(std::span<const std::byte> own, std::span<const std::size_t> /*sizes*/,
                      std::span<std::byte> all, std::chrono::milliseconds patience) override {
    return room_->meet(rank_, {own, {}}, patience, [&](const auto& offers) {
      for (const auto& offer : offers) all = put(offer.bytes, all);
    });
  }

  Result<void> trade(std::span<const std::byte> given, std::span<const std::size_t> to,
                     std::span<std::byte> taken, std::span<const std::size_t> /*from*/) override {
    return room_->meet(rank_, {given, to}, {}, [&](const auto& offers) {
      for (const auto& offer : offers) {
        std::size_t first = 0;
        for (unsigned r = 0; r < rank_; ++r) first += offer.to[r];
        taken = put(offer.bytes.subspan(first, offer.to[rank_]), taken);
      }
    });
  }

  Result<void> broadcast(unsigned root, std::span<std::byte> bytes) override {
    return room_->meet(rank_, {bytes, {}}, {}, [&](const auto& offers) {
      if (root != rank_) put(offers[root].bytes, bytes);
    });
  }

  bool speaks() const override { return true; }
  void abort(int /*status*/, bool /*told*/) override { room_->depart(rank_); }

 private:
  static std::span<std::byte> put(std::span<const std::byte> from, std::span<std::byte> into) {
    std::ranges::copy(from, into.begin());
    return into.subspan(from.size());
  }

  std::shared_ptr<ThreadRoom> room_;
  unsigned rank_;
};

/// Does the work as each of `size` processes, which are threads here, and waits for all.
inline void run_crew(unsigned size, const std::function<void(Crew&)>& work) {
  const auto room = std::make_shared<ThreadRoom>(size);
  std::vector<std::jthread> processes;
  for (unsigned rank = 0; rank < size; ++rank) {
    processes.emplace_back([&work, room, rank] {
      Crew crew(std::make_unique<ThreadLink>(room, rank));
      work(crew);
    });
  }
}

}  // namespace lerpp::test
