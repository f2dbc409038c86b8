// SPDX-License-Identifier: Apache-2.0
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

TEST(Text, FindsTheWordThatWasMeant) {
  const std::vector<std::string> verbs = {"train", "rules", "report", "functions"};
  EXPECT_EQ(nearest_word("trian", verbs), "train");
  EXPECT_EQ(nearest_word("rule", verbs), "rules");
  EXPECT_EQ(nearest_word("func", verbs), "functions");
  EXPECT_EQ(nearest_word("frobnicate", verbs), "");
  EXPECT_EQ(nearest_word("x", verbs), "");
}

TEST(Text, MakesControlCharactersVisible) {
  EXPECT_EQ(visible("a\x1b[31m\tb\n\r\x7f\xc2\x9b"), "a\\x1B[31m\\tb\\n\\r\\x7F\\x9B");
  EXPECT_EQ(visible_lines("a\tb\nc\x07"), "a\tb\nc\\x07");
  EXPECT_EQ(visible("a\xE2\x80\xAE"
                    "b\xE2\x81\xA6\xE2\x80\x8F"),
            "a\\u202Eb\\u2066\\u200F");
  EXPECT_EQ(visible("\xE2\x80\xA6\xE2\x80\x93\xE2\x80"), "\xE2\x80\xA6\xE2\x80\x93\xE2\x80");
  EXPECT_EQ(visible("Carbostatin α, \xc2\xa0"), "Carbostatin α, \xc2\xa0");
}

TEST(Text, ReadsSizes) {
  EXPECT_EQ(parse_size("500").value(), 500U);
  EXPECT_EQ(parse_size("1.5K").value(), 1536U);
  EXPECT_EQ(parse_size("64GiB").value(), std::uint64_t{64} << 30);
  EXPECT_EQ(parse_size("2MB").value(), std::uint64_t{2} << 20);
  for (const char* wrong : {"", "M", "-1", "0", "5X", "1MM", "nan", "1e30"}) {
    EXPECT_FALSE(parse_size(wrong)) << wrong;
  }
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(size_text(std::uint64_t{100} << 20), "100 MiB");
}

}  // namespace
}  // namespace lerpp
