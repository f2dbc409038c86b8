// SPDX-License-Identifier: Apache-2.0
// What run_crew.py starts under mpirun: one case of processes that work together, or fail to.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include <lerp/base/crew.hpp>

namespace lerpp {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t lanes = 8;

float value_of(std::size_t step, std::size_t lane, std::size_t index) {
  const auto mixed =
      static_cast<std::uint32_t>((step * 31 + lane * 7919 + index * 104729) * 2654435761U);
  return std::ldexp(static_cast<float>(mixed % 2001) - 1000.F, static_cast<int>(mixed >> 27U) - 16);
}

/// A step as a trainer makes it: the lanes' gradients are summed, their losses exchanged.
class Steps {
 public:
  explicit Steps(Crew& crew, std::size_t length = 1000) : crew_(crew), total_(length) {
    for (std::size_t lane = 0; lane < lanes; ++lane) own_[lane].resize(length);
  }

  Result<void> step() {
    std::vector<Crew::Lane> given;
    std::vector<Crew::Block> blocks;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const auto owner = static_cast<unsigned>(lane * 5 % crew_.size());
      const bool mine = owner == crew_.rank();
      for (std::size_t i = 0; mine && i < own_[lane].size(); ++i) {
        own_[lane][i] = value_of(step_, lane, i);
      }
      losses_[lane] = mine ? std::sqrt(static_cast<double>(step_ + lane)) : -1;
      given.push_back(
          {owner, mine ? std::span<const float>(own_[lane]) : std::span<const float>()});
      blocks.push_back(block(owner, std::span(&losses_[lane], 1)));
    }
    LERP_CHECK(crew_.sum(given, total_));
    LERP_CHECK(crew_.exchange(blocks));
    for (const float value : total_) add(&value, sizeof(value));
    for (const double loss : losses_) add(&loss, sizeof(loss));
    ++step_;
    return {};
  }
  std::size_t done() const { return step_; }
  std::uint64_t digest() const { return digest_; }

 private:
  void add(const void* bytes, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, size);
    digest_ = (digest_ ^ word) * 0x100000001b3U;
  }

  Crew& crew_;
  std::vector<float> own_[lanes];
  double losses_[lanes] = {};
  std::vector<float> total_;
  std::size_t step_ = 0;
  std::uint64_t digest_ = 0xcbf29ce484222325U;
};

void say(const Crew& crew, const std::string& text) {
  if (!crew.leads()) return;
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

/// The same number whatever the processes, or there is a mistake.
Result<void> work(Crew& crew) {
  Steps steps(crew);
  for (int step = 0; step < 200; ++step) LERP_CHECK(steps.step());
  // More than goes through shared memory at once, of different sizes.
  std::vector<Crew::Bytes> all;
  const Crew::Bytes own((5U << 20U) + crew.rank(), static_cast<std::byte>(crew.rank() + 1));
  for (const bool everywhere : {true, false}) {
    LERP_CHECK(everywhere ? crew.gather(own, all) : crew.collect(own, all));
    for (unsigned r = 0; r < all.size(); ++r) {
      const auto right = [&](std::byte value) { return value == static_cast<std::byte>(r + 1); };
      if (all[r].size() != (5U << 20U) + r || !std::ranges::all_of(all[r], right)) {
        return fail("wrong bytes arrived", "", "");
      }
    }
  }
  const unsigned last = crew.size() - 1;
  Crew::Bytes told(crew.rank() == last ? 3U << 20U : 0, std::byte{7});
  LERP_CHECK(crew.broadcast(last, told));
  if (told != Crew::Bytes(3U << 20U, std::byte{7})) return fail("wrong bytes were told", "", "");
  say(crew, fmt::format("digest {:016x} here {}", steps.digest(), crew.here() == crew.size()));
  return {};
}

Result<void> disagree(Crew& crew) {
  const bool other = crew.rank() + 1 == crew.size();
  const std::vector<Crew::Claim> claims = {{"options", "same", ""},
                                           {"data", other ? "0123" : "4567", "copy the files"}};
  LERP_CHECK(crew.agree(claims));
  return work(crew);
}

/// The process of that rank fails, or dies, after five steps.
Result<void> fail_at(Crew& crew, unsigned rank, bool dies) {
  Steps steps(crew);
  for (;;) {
    LERP_CHECK(steps.step());
    if (steps.done() < 5 || crew.rank() != rank) continue;
    if (dies) ::raise(SIGKILL);
    return fail("the disk is full", "/run", "make room");
  }
}

/// One fails while another is busy and does not come; the rest wait.
Result<void> fail_among_busy(Crew& crew) {
  if (crew.rank() == crew.size() - 1) return fail("the disk is full", "/run", "make room");
  if (crew.rank() == 0) std::this_thread::sleep_for(1000s);
  return work(crew);
}

/// Goes on until a signal comes, and says after which step all stopped.
Result<void> until_stopped(Crew& crew) {
  Steps steps(crew);
  say(crew, "ready");
  while (!crew.stopping()) LERP_CHECK(steps.step());
  const std::size_t done = steps.done();
  std::vector<Crew::Bytes> all;
  LERP_CHECK(crew.collect(std::as_bytes(std::span(&done, 1)), all));
  const bool same = std::ranges::all_of(all, [&](const auto& other) { return other == all[0]; });
  say(crew, fmt::format("stopped together {}", same));
  return fail("stopped", "", "", ErrorKind::interrupted);
}

/// Microseconds of a step of so many floats.
Result<void> measure(Crew& crew, std::size_t length) {
  std::vector<float> own(length, 1);
  std::vector<float> total(length);
  std::vector<Crew::Lane> given;
  for (unsigned lane = 0; lane < crew.size(); ++lane) given.push_back({lane, own});
  const int rounds = length > 100'000 ? 100 : 1000;
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round) LERP_CHECK(crew.sum(given, total));
  const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - start;
  say(crew, fmt::format("{} floats: {:.0f} us a sum", length, passed.count() / rounds));
  return {};
}

Result<void> run_case(Crew& crew, std::string_view name) {
  if (name == "work") return work(crew);
  if (name == "disagree") return disagree(crew);
  if (name == "fail-first") return fail_at(crew, 0, false);
  if (name == "fail-last") return fail_at(crew, crew.size() - 1, false);
  if (name == "die-first") return fail_at(crew, 0, true);
  if (name == "die-last") return fail_at(crew, crew.size() - 1, true);
  if (name == "busy") return fail_among_busy(crew);
  if (name == "stop") return until_stopped(crew);
  for (const std::size_t length : {100, 10'000, 100'000, 1'000'000}) {
    LERP_CHECK(measure(crew, length));
  }
  return {};
}

}  // namespace
}  // namespace lerpp

int main(int /*count*/, char** words) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::stop_source stop;
  std::thread([&signals, &stop] {
    int signal = 0;
    sigwait(&signals, &signal);
    stop.request_stop();
  }).detach();
  lerpp::Result<lerpp::Crew> crew = lerpp::join_crew();
  if (!crew) return 3;
  const auto complain = [](const lerpp::Error& error) {
    fmt::print(stderr, "probe: {}\n", to_string(error));
    std::fflush(stderr);
  };
  crew->watch(stop.get_token(), complain);
  const auto result = crew->finish(lerpp::run_case(*crew, words[1]));
  if (result) return 0;
  if (crew->speaks()) complain(result.error());
  crew->leave(1);
  return 1;
}
