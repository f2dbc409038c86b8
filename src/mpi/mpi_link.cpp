// SPDX-License-Identifier: Apache-2.0
// The module that talks MPI, loaded by join_crew where a launcher has started several processes.

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lerp/base/crew_link.hpp>

namespace lerpp {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// MPI counts in int.
constexpr std::size_t largest_message = std::size_t{1} << 30U;
/// Steps follow each other quickly: look a while before sleeping. Other processes may need the
/// core.
constexpr auto looking = 200us;
constexpr auto nap = 50us;
/// How often a waiting process looks whether the others still live.
constexpr auto round = 100ms;
/// How many rounds it waits after a wish to stop before it names the one that it waits for.
constexpr int rounds_of_grace = 5;

constexpr const char* go_on = "lerp resume goes on from the last checkpoint";

enum Tag : int { data, last_words };

/// Where a process is: those of one machine can see each other.
struct Place {
  char machine[64] = {};
  ino_t processes = 0;  ///< its namespace of process numbers
  pid_t process = 0;

  static Place own() {
    Place place;
    ::gethostname(place.machine, sizeof(place.machine) - 1);
    struct stat space {};
    if (::stat("/proc/self/ns/pid", &space) == 0) place.processes = space.st_ino;
    place.process = ::getpid();
    return place;
  }
  bool sees(const Place& other) const {
    return std::strcmp(machine, other.machine) == 0 && processes == other.processes;
  }
  bool lives() const { return ::kill(process, 0) == 0 || errno != ESRCH; }
};

class MpiLink final : public CrewLink {
 public:
  MpiLink() {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    places_.resize(size());
    const Place own = Place::own();
    MPI_Allgather(&own, sizeof(Place), MPI_BYTE, places_.data(), sizeof(Place), MPI_BYTE,
                  MPI_COMM_WORLD);
  }
  // All have met in Crew::finish: none is missing here.
  ~MpiLink() override { MPI_Finalize(); }
  MpiLink(const MpiLink&) = delete;
  MpiLink& operator=(const MpiLink&) = delete;

  unsigned rank() const override { return static_cast<unsigned>(rank_); }
  unsigned size() const override { return static_cast<unsigned>(size_); }
  unsigned here() const override {
    return static_cast<unsigned>(
        std::ranges::count_if(places_, [this](const Place& p) { return places_[rank()].sees(p); }));
  }

  void watch(std::stop_token stop, std::function<void(const Error&)> complain) override {
    stop_ = std::move(stop);
    complain_ = std::move(complain);
  }

  Result<void> gather(std::span<const std::byte> own, std::span<const std::size_t> sizes,
                      std::span<std::byte> all, std::chrono::milliseconds patience) override {
    for (unsigned r = 0; r < size(); ++r) {
      post(r, own, all.first(sizes[r]));
      all = all.subspan(sizes[r]);
    }
    return await(patience);
  }

  Result<void> trade(std::span<const std::byte> given, std::span<const std::size_t> to,
                     std::span<std::byte> taken, std::span<const std::size_t> from) override {
    for (unsigned r = 0; r < size(); ++r) {
      post(r, given.first(to[r]), taken.first(from[r]));
      given = given.subspan(to[r]);
      taken = taken.subspan(from[r]);
    }
    return await(0ms);
  }

  Result<void> broadcast(unsigned root, std::span<std::byte> bytes) override {
    while (!bytes.empty()) {
      const std::size_t count = std::min(bytes.size(), largest_message);
      MPI_Ibcast(bytes.data(), static_cast<int>(count), MPI_BYTE, static_cast<int>(root),
                 MPI_COMM_WORLD, &requests_.emplace_back());
      LERP_CHECK(await(0ms));
      bytes = bytes.subspan(count);
    }
    return {};
  }

  bool speaks() const override {
    if (told_) return false;
    for (unsigned r = 0; r < rank(); ++r) {
      if (places_[rank()].sees(places_[r]) && places_[r].lives()) return false;
    }
    return true;
  }

  void abort(int status, bool told) override {
    // Whoever tells of a death needs time to find it, before there are more.
    if (!told) std::this_thread::sleep_for(3 * round);
    // The others need not tell of this one's. What they do not get at once, they do not get.
    std::vector<MPI_Request> sent;
    for (unsigned r = 0; told && r < size(); ++r) {
      if (r == rank() || dead(r)) continue;
      MPI_Isend(nullptr, 0, MPI_BYTE, static_cast<int>(r), last_words, MPI_COMM_WORLD,
                &sent.emplace_back());
    }
    for (int look = 0, done = 0; done == 0 && look < 1000; ++look) {
      MPI_Testall(static_cast<int>(sent.size()), sent.data(), &done, MPI_STATUSES_IGNORE);
      std::this_thread::sleep_for(nap);
    }
    MPI_Abort(MPI_COMM_WORLD, status);
  }

 private:
  /// Sends to and receives from one process, in pieces that MPI can count.
  void post(unsigned process, std::span<const std::byte> out, std::span<std::byte> in) {
    const int other = static_cast<int>(process);
    if (other == rank_) {
      std::ranges::copy(out, in.begin());
      return;
    }
    for (std::size_t from = 0; from < in.size(); from += largest_message) {
      const auto count = static_cast<int>(std::min(in.size() - from, largest_message));
      waited_.emplace_back(process, requests_.size());
      MPI_Irecv(&in[from], count, MPI_BYTE, other, data, MPI_COMM_WORLD, &requests_.emplace_back());
    }
    for (std::size_t from = 0; from < out.size(); from += largest_message) {
      const auto count = static_cast<int>(std::min(out.size() - from, largest_message));
      MPI_Isend(&out[from], count, MPI_BYTE, other, data, MPI_COMM_WORLD,
                &requests_.emplace_back());
    }
  }

  /// Waits for all that was posted. MPI itself would wait forever, and keep a core busy with it.
  Result<void> await(std::chrono::milliseconds patience) {
    const Clock::time_point start = Clock::now();
    Clock::time_point next_round = start + round;
    for (;;) {
      int done = 0;
      if (MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                      MPI_STATUSES_IGNORE) != MPI_SUCCESS) {
        return fail("the connection to another process is lost", "",
                    "see whether its machine is up");
      }
      if (done != 0) break;
      const Clock::time_point now = Clock::now();
      if (now - start < looking) {
        std::this_thread::yield();
        continue;
      }
      std::this_thread::sleep_for(nap);
      if (now < next_round) continue;
      next_round = now + round;
      LERP_CHECK(see_others());
      if (patience > 0ms && now - start > patience) return fail("the others are busy", "", "");
    }
    requests_.clear();
    waited_.clear();
    return {};
  }

  bool dead(unsigned process) const {
    return places_[rank()].sees(places_[process]) && !places_[process].lives();
  }

  Result<void> see_others() {
    int heard = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, last_words, MPI_COMM_WORLD, &heard, MPI_STATUS_IGNORE);
    told_ = told_ || heard != 0;
    for (unsigned r = 0; r < size(); ++r) {
      if (!dead(r)) continue;
      return fail("process " + std::to_string(r) + " has died", places_[r].machine, go_on);
    }
    rounds_stopping_ = stop_.stop_requested() ? rounds_stopping_ + 1 : 0;
    if (rounds_stopping_ == rounds_of_grace) name_missing();
    return {};
  }

  /// The first process that has come tells of the first that has not.
  void name_missing() {
    std::vector<bool> missing(size());
    for (const auto& [process, request] : waited_) {
      int done = 0;
      MPI_Request_get_status(requests_[request], &done, MPI_STATUS_IGNORE);
      if (done == 0) missing[process] = true;
    }
    const auto own = missing.begin() + rank_;
    const auto first = std::find(missing.begin(), missing.end(), true);
    if (told_ || !complain_ || first == missing.end() ||
        std::find(missing.begin(), own, false) != own) {
      return;
    }
    const auto process = static_cast<unsigned>(first - missing.begin());
    told_ = true;
    complain_({"process " + std::to_string(process) + " does not answer", places_[process].machine,
               std::string("if it has died, ") + go_on});
  }

  int rank_ = 0;
  int size_ = 1;
  std::vector<Place> places_;  ///< by rank
  std::vector<MPI_Request> requests_;
  std::vector<std::pair<unsigned, std::size_t>> waited_;  ///< from whom, and which request
  std::stop_token stop_;
  std::function<void(const Error&)> complain_;
  int rounds_stopping_ = 0;
  bool told_ = false;  ///< whether someone has said what is wrong
};

}  // namespace
}  // namespace lerpp

/// None where the program was built for another version of the link.
extern "C" lerpp::CrewLink* lerp_make_link(int version) {
  return version == lerpp::crew_link_version ? new lerpp::MpiLink : nullptr;
}
