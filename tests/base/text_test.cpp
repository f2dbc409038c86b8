#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lerp/base/text.hpp>

namespace lerpp {
namespace {

TEST(Text, NamesAlternatives) {
  const std::vector<std::string> words = {"anna", "anne", "hanna"};
  const std::span<const std::string> all = words;
  EXPECT_EQ(alternatives(all), "anna, anne or hanna");
  EXPECT_EQ(alternatives(all.first(2)), "anna or anne");
  EXPECT_EQ(alternatives(all.first(1)), "anna");
  EXPECT_EQ(with_article("aunt"), "an aunt");
  EXPECT_EQ(with_article("mother"), "a mother");
  EXPECT_EQ(alternatives(all.first(0)), "");
}

TEST(Text, CountsTheLettersThatDiffer) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("aunt", "aunt"), 0U);
  EXPECT_EQ(edit_distance("ant", "aunt"), 1U);
  EXPECT_EQ(edit_distance("aunt", "uncle"), 4U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "aunt"), 4U);
}

}  // namespace
}  // namespace lerpp
