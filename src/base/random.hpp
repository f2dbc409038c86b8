// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lerpp {

/// One step of SplitMix64: turns related seeds into unrelated ones.
inline std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// Random numbers that are the same on every machine: xoshiro256** with draws of our own, since
/// the distributions of the standard library differ from one library to the next.
class Random {
 public:
  /// Streams of one seed are unrelated, so that work can be dealt out in any order.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t state = seed;
    state = split_mix(state) ^ (stream * 0xd1342543de82ef95U);
    for (std::uint64_t& word : words_) word = split_mix(state);
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(words_[1] * 5, 7) * 9;
    const std::uint64_t shifted = words_[1] << 17U;
    words_[2] ^= words_[0];
    words_[3] ^= words_[1];
    words_[1] ^= words_[2];
    words_[0] ^= words_[3];
    words_[2] ^= shifted;
    words_[3] = std::rotl(words_[3], 45);
    return result;
  }

  /// A number in [0, bound), every one equally likely.
  std::uint64_t below(std::uint64_t bound) {
    // Lemire's method: the high half of a product, redrawn where the low half would be unfair.
    std::uint64_t low = 0;
    std::uint64_t high = multiply(next(), bound, low);
    if (low < bound) {
      const std::uint64_t unfair = (0 - bound) % bound;
      while (low < unfair) high = multiply(next(), bound, low);
    }
    return high;
  }

  /// A number in [0, 1), a multiple of 2^-53.
  double real() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
  bool chance(double probability) { return real() < probability; }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t left = items.size(); left > 1; --left) {
      std::swap(items[left - 1], items[below(left)]);
    }
  }

 private:
  static std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t& low) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    low = static_cast<std::uint64_t>(product);
    return static_cast<std::uint64_t>(product >> 64U);
  }

  std::uint64_t words_[4];
};

}  // namespace lerpp
