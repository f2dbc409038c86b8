// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <lerp/base/crew_link.hpp>

namespace lerpp {

/// Processes that learn one model together, or one that is alone, which costs nothing. They run the
/// same program on the same data and meet in the calls below, in the same order.
///
/// A process that fails need not do anything: its error goes up to `finish`, which tells the others
/// where they meet next, and their call fails with "process 2 stopped: ...".
///
/// Only the thread that made it may use it.
class Crew {
 public:
  /// Some bytes that one process knows and all need. Size and owner are known to all.
  struct Block {
    unsigned owner = 0;
    std::span<std::byte> bytes;  ///< read at the owner, written elsewhere
  };
  /// A lane's values, all lanes as long. Only the owner's are read.
  struct Lane {
    unsigned owner = 0;
    std::span<const float> values;  ///< may be empty elsewhere
  };
  /// Something that must be the same everywhere: {"data", fingerprint, "give every process ..."}.
  struct Claim {
    std::string what, value, remedy;
  };
  using Bytes = std::vector<std::byte>;

  /// One process alone.
  Crew();
  explicit Crew(std::unique_ptr<CrewLink> link);
  Crew(Crew&&) noexcept;
  ~Crew();

  unsigned rank() const { return rank_; }
  unsigned size() const { return size_; }
  bool alone() const { return size_ == 1; }
  /// Whether this process writes files and talks to the person.
  bool leads() const { return rank_ == 0; }
  /// How many of the processes share this machine's cores.
  unsigned here() const;

  /// Every process's bytes, by rank.
  Result<void> gather(std::span<const std::byte> own, std::vector<Bytes>& all);
  /// The same at the leader alone; elsewhere `all` is left empty.
  Result<void> collect(std::span<const std::byte> own, std::vector<Bytes>& all);
  Result<void> broadcast(unsigned root, Bytes& bytes);
  /// Fills in the blocks of the others.
  Result<void> exchange(std::span<const Block> blocks);
  /// The sum over all lanes, taken in the order of lanes for each value: the same bits whatever the
  /// number of processes. Each process sums a part, so the network carries about three times
  /// `total` for each process, however many lanes there are.
  Result<void> sum(std::span<const Lane> lanes, std::span<float> total);
  /// Fails, at all alike, where a process claims something else than the leader.
  Result<void> agree(std::span<const Claim> claims);

  /// Whose wish to stop is passed on at every meeting, and what is told of a process that does not
  /// come to one in spite of it.
  void watch(std::stop_token stop, const std::function<void(const Error&)>& complain = {});
  /// Whether any process wished to stop when all last met: the same at all.
  bool stopping() const { return stopping_; }

  /// Ends the work: waits until all have done theirs, and tells them if this one failed. Returns
  /// what this process has to say: its own error, or another's.
  Result<void> finish(Result<void> own);
  /// Whether this process is the one to say the error.
  bool speaks();
  /// After that: ends the others where they cannot be reached, and this one with them.
  void leave(int status);

 private:
  enum class Task : std::uint32_t { gather = 1, collect, broadcast, exchange, sum, finish };
  struct Notice;

  Result<void> meet(Task task, std::size_t bytes);
  Result<void> meet(Task task, std::size_t bytes, const std::string& failure);
  Result<void> read_failure(unsigned process, const std::string& own);
  Result<void> guard(Result<void> carried);
  Result<void> expect(std::span<const std::size_t> sizes);
  Result<void> trade_parts(std::span<const Lane> lanes, std::span<const std::size_t> parts);

  std::unique_ptr<CrewLink> link_;
  unsigned rank_ = 0;
  unsigned size_ = 1;
  std::stop_token stop_;
  bool stopping_ = false;
  bool broken_ = false;   ///< the others cannot be reached any more
  bool unheard_ = false;  ///< only this process knows why it stopped
  bool spoke_ = false;
  std::optional<Error> over_;    ///< why the work ended early
  std::vector<Notice> notices_;  ///< by rank, of the last meeting
  Bytes given_, taken_;          ///< kept, since a step should not allocate
};

/// A block of plain values.
template <class T>
Crew::Block block(unsigned owner, std::span<T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {owner, std::as_writable_bytes(values)};
}

/// The crew that this process was started in: by mpirun, srun and their like, or alone. The module
/// that talks MPI is loaded only where there are others.
Result<Crew> join_crew();
/// The number that the launcher gave this process, for those that cannot join; 0 without one.
unsigned launched_rank();

}  // namespace lerpp
