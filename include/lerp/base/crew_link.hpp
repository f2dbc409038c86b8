// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>

#include <lerp/base/error.hpp>

namespace lerpp {

/// Rises with every change of the class below: a module may be older than the program.
inline constexpr int crew_link_version = 1;

/// What carries bytes between the processes of a crew: MPI, threads in tests, nothing for one
/// alone. All processes must make the same calls in the same order. Once a call has failed, the
/// link is broken: only `speaks` and `abort` may follow.
///
/// Interfaces only, so that a module can be loaded without a library of ours in it.
class CrewLink {
 public:
  virtual ~CrewLink() = default;

  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;
  /// How many of the processes run on this machine, and share its cores.
  virtual unsigned here() const = 0;

  /// A launcher that misses a process asks the others to stop and then kills them, which may be
  /// before they can return an error: one that waits for another while `stop` is wished calls
  /// `complain`.
  virtual void watch(std::stop_token stop, std::function<void(const Error&)> complain) = 0;

  /// Every process's bytes at every process, in the order of ranks. `sizes` says how many each has.
  /// Fails where not all have come within `patience`; 0 waits as long as it takes.
  virtual Result<void> gather(std::span<const std::byte> own, std::span<const std::size_t> sizes,
                              std::span<std::byte> all, std::chrono::milliseconds patience) = 0;
  /// Bytes for each process and bytes from each, both in the order of ranks.
  virtual Result<void> trade(std::span<const std::byte> given, std::span<const std::size_t> to,
                             std::span<std::byte> taken, std::span<const std::size_t> from) = 0;
  /// The bytes of `root` at every process.
  virtual Result<void> broadcast(unsigned root, std::span<std::byte> bytes) = 0;

  /// Whether this process should say why a broken link broke: one of those that still live does.
  virtual bool speaks() const = 0;
  /// Ends every process, this one too. `told`: this one has said why, and others need not.
  virtual void abort(int status, bool told) = 0;
};

}  // namespace lerpp
