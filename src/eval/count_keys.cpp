// SPDX-License-Identifier: Apache-2.0
#include "eval/count_keys.hpp"

#include <algorithm>
#include <cassert>

// Highway compiles this file once for each instruction set and chooses among them at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "eval/count_keys.cpp"  // NOLINT(bugprone-suspicious-include)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#pragma GCC diagnostic pop

HWY_BEFORE_NAMESPACE();
namespace lerpp::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void make_keys_vector(const float* scores, ScoreKey* keys, std::size_t count) {
  const hn::ScalableTag<std::int32_t> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto sign = hn::Set(tag, no_candidate);
  const auto magnitude = hn::Set(tag, magnitude_bits);
  const auto infinity = hn::Set(tag, infinity_bits);
  const auto nan = hn::Set(tag, not_a_number);
  const hn::RebindToFloat<decltype(tag)> tag_float;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto bits = hn::BitCast(tag, hn::LoadU(tag_float, scores + i));
    // A negative number has the bits sign + magnitude, and sign - bits is its -magnitude.
    const auto key = hn::IfNegativeThenElse(bits, hn::Sub(sign, bits), bits);
    const auto is_nan = hn::Gt(hn::And(bits, magnitude), infinity);
    hn::StoreU(hn::IfThenElse(is_nan, nan, key), tag, keys + i);
  }
  for (; i < count; ++i) keys[i] = key_of(scores[i]);
}

/// Counts for `width` answers at once: a key is loaded once for all of them, and their counters
/// stay in registers.
template <std::size_t width>
void count_some(std::span<const ScoreKey> keys, const ScoreKey* answers, Rank* ranks) {
  const hn::ScalableTag<std::int32_t> tag;
  using Vector = hn::Vec<decltype(tag)>;
  static_assert(width == 1 || width == 4);
  const std::size_t lanes = hn::Lanes(tag);
  const Vector zero = hn::Zero(tag);
  const auto answer = [&](std::size_t at) { return hn::Set(tag, answers[width == 1 ? 0 : at]); };
  const Vector a0 = answer(0);
  const Vector a1 = answer(1);
  const Vector a2 = answer(2);
  const Vector a3 = answer(3);
  // Named one by one: vectors of unknown size cannot be elements of an array.
  Vector g0 = zero, g1 = zero, g2 = zero, g3 = zero;
  Vector e0 = zero, e1 = zero, e2 = zero, e3 = zero;
  std::size_t i = 0;
  for (; i + lanes <= keys.size(); i += lanes) {
    const Vector key = hn::LoadU(tag, keys.data() + i);
    // A true lane is -1.
    g0 = hn::Sub(g0, hn::VecFromMask(tag, hn::Gt(key, a0)));
    e0 = hn::Sub(e0, hn::VecFromMask(tag, hn::Eq(key, a0)));
    if constexpr (width == 4) {
      g1 = hn::Sub(g1, hn::VecFromMask(tag, hn::Gt(key, a1)));
      e1 = hn::Sub(e1, hn::VecFromMask(tag, hn::Eq(key, a1)));
      g2 = hn::Sub(g2, hn::VecFromMask(tag, hn::Gt(key, a2)));
      e2 = hn::Sub(e2, hn::VecFromMask(tag, hn::Eq(key, a2)));
      g3 = hn::Sub(g3, hn::VecFromMask(tag, hn::Gt(key, a3)));
      e3 = hn::Sub(e3, hn::VecFromMask(tag, hn::Eq(key, a3)));
    }
  }
  const auto finish = [&](std::size_t at, Vector greater, Vector equal) {
    std::int32_t more = hn::GetLane(hn::SumOfLanes(tag, greater));
    std::int32_t same = hn::GetLane(hn::SumOfLanes(tag, equal));
    for (std::size_t rest = i; rest < keys.size(); ++rest) {
      more += static_cast<std::int32_t>(keys[rest] > answers[at]);
      same += static_cast<std::int32_t>(keys[rest] == answers[at]);
    }
    ranks[at].greater += static_cast<std::uint64_t>(more);
    ranks[at].equal += static_cast<std::uint64_t>(same);
  };
  finish(0, g0, e0);
  if constexpr (width == 4) {
    finish(1, g1, e1);
    finish(2, g2, e2);
    finish(3, g3, e3);
  }
}

void count_keys_vector(std::span<const ScoreKey> keys, std::span<const ScoreKey> answers,
                       Rank* ranks) {
  std::size_t at = 0;
  for (; at + 4 <= answers.size(); at += 4) {
    count_some<4>(keys, answers.data() + at, ranks + at);
  }
  for (; at < answers.size(); ++at) count_some<1>(keys, answers.data() + at, ranks + at);
}

}  // namespace lerpp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lerpp {

HWY_EXPORT(make_keys_vector);
HWY_EXPORT(count_keys_vector);

void make_keys(std::span<const float> scores, std::span<ScoreKey> keys) {
  assert(scores.size() == keys.size());
  HWY_DYNAMIC_DISPATCH(make_keys_vector)(scores.data(), keys.data(), scores.size());
}

void count_keys(std::span<const ScoreKey> keys, std::span<const ScoreKey> answers,
                std::span<Rank> ranks) {
  assert(answers.size() == ranks.size());
  // In pieces that stay in the first cache while many answers read them, and whose counts fit a
  // lane.
  constexpr std::size_t piece = 4096;
  for (std::size_t first = 0; first < keys.size(); first += piece) {
    HWY_DYNAMIC_DISPATCH(count_keys_vector)
    (keys.subspan(first, std::min(piece, keys.size() - first)), answers, ranks.data());
  }
}

}  // namespace lerpp
#endif
