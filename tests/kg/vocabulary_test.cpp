// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/kg/vocabulary.hpp>

namespace lerpp {
namespace {

RC_GTEST_PROP(Vocabulary, NumbersNamesInOrderOfAppearance, ()) {
  const auto names = *rc::gen::container<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::inRange('a', 'd')));
  Vocabulary vocabulary;
  if (*rc::gen::arbitrary<bool>()) vocabulary.reserve(*rc::gen::inRange(0, 500), 10);
  std::map<std::string, Vocabulary::Id> expected;
  for (const auto& name : names) {
    const auto id = static_cast<Vocabulary::Id>(expected.size());
    const auto known = expected.try_emplace(name, id).first->second;
    RC_ASSERT(vocabulary.intern(name) == known);
  }
  RC_ASSERT(vocabulary.size() == expected.size());
  for (const auto& [name, id] : expected) {
    RC_ASSERT(vocabulary.name(id) == name);
    RC_ASSERT(vocabulary.find(name) == std::optional(id));
    const auto guess = vocabulary.candidate(Vocabulary::hash(name));
    RC_ASSERT(guess != Vocabulary::none);
  }
  RC_ASSERT(!vocabulary.find("absent").has_value());
  RC_ASSERT(vocabulary.find("absent", Vocabulary::hash("absent")) == Vocabulary::none);
}

TEST(Vocabulary, GrowsAndKeepsAllNames) {
  Vocabulary vocabulary;
  constexpr Vocabulary::Id count = 100'000;
  for (Vocabulary::Id i = 0; i < count; ++i) {
    ASSERT_EQ(vocabulary.intern("name " + std::to_string(i)), i);
  }
  for (Vocabulary::Id i = 0; i < count; ++i) {
    ASSERT_EQ(vocabulary.find("name " + std::to_string(i)), std::optional(i));
  }
  EXPECT_EQ(vocabulary.size(), count);
  EXPECT_GT(vocabulary.bytes(), count * 10U);
}

TEST(Vocabulary, HoldsTheEmptyNameAndZeros) {
  Vocabulary vocabulary;
  EXPECT_TRUE(vocabulary.empty());
  EXPECT_EQ(vocabulary.intern(""), 0U);
  EXPECT_EQ(vocabulary.intern(std::string_view("\0", 1)), 1U);
  EXPECT_EQ(vocabulary.intern(""), 0U);
  EXPECT_EQ(vocabulary.name(1).size(), 1U);
}

TEST(Vocabulary, FingerprintTellsNamesAndTheirOrder) {
  std::set<std::string> seen;
  for (const std::vector<std::string>& names : std::vector<std::vector<std::string>>{
           {}, {""}, {"anna", "ben"}, {"ben", "anna"}, {"annaben"}, {"an", "naben"}, {"anna"}}) {
    Vocabulary one;
    Vocabulary again;
    for (const std::string& name : names) {
      one.intern(name);
      again.intern(name);
    }
    EXPECT_EQ(fingerprint(one), fingerprint(again));
    EXPECT_EQ(fingerprint(one).size(), 16U);
    EXPECT_TRUE(seen.insert(fingerprint(one)).second);
  }
}

}  // namespace
}  // namespace lerpp
