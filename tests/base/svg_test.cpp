// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/svg.hpp>

namespace lerpp {
namespace {

TEST(EscapeMarkup, ReplacesWhatMarkupReads) {
  EXPECT_EQ(escape_markup("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
  EXPECT_EQ(escape_markup("∃z₁ für ∧"), "∃z₁ für ∧");
}

TEST(EscapeMarkup, ReplacesWhatXmlCannotHold) {
  EXPECT_EQ(escape_markup(std::string_view("a\0b", 3)),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(escape_markup("\x1B["), "\xEF\xBF\xBD[");
  // Cut short, overlong, a surrogate, beyond the last character.
  EXPECT_EQ(escape_markup("\xE2\x88"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(escape_markup("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_NE(escape_markup("\xED\xA0\x80").find("\xEF\xBF\xBD"), std::string::npos);
  EXPECT_NE(escape_markup("\xF5\x80\x80\x80").find("\xEF\xBF\xBD"), std::string::npos);
}

RC_GTEST_PROP(EscapeMarkup, LeavesNothingThatMarkupReads, (const std::string& text)) {
  const std::string escaped = escape_markup(text);
  RC_ASSERT(escaped.find_first_of("<>\"'") == std::string::npos);
  // What is escaped once more grows by its ampersands alone: it was valid.
  const auto ampersands = std::count(escaped.begin(), escaped.end(), '&');
  RC_ASSERT(escape_markup(escaped).size() ==
            escaped.size() + 4 * static_cast<std::size_t>(ampersands));
}

TEST(TextWidth, IsAboutThatOfDejaVuSansAndNotLess) {
  const std::pair<const char*, double> measured[] = {{"interacts_with", 7.03},
                                                     {"/film/film/genre", 7.66},
                                                     {"GOVERNMENT_OF_COUNTRY", 14.34},
                                                     {"mmmmmm", 5.84},
                                                     {"ДЛИННОЕ_ИМЯ_ОТНОШЕНИЯ", 15.34},
                                                     {"длинное имя отношения", 13.05},
                                                     {"…tion", 2.92},
                                                     {"μητέρα", 3.71},
                                                     {"a += {b} & c", 6.80},
                                                     {"Größe", 3.02}};
  for (const auto& [text, width] : measured) {
    EXPECT_GE(text_width(text, 1), 0.99 * width) << text;
    EXPECT_LE(text_width(text, 1), 1.35 * width) << text;
  }
}

TEST(FitText, ShortensAtTheEndAndOnlyWhereThereIsNoRoom) {
  const std::string name = "/film/film/release_date/region";
  EXPECT_EQ(fit_text(name, text_width(name)), name);
  const std::string fitted = fit_text(name, 100);
  EXPECT_TRUE(fitted.starts_with("/film/film")) << fitted;
  EXPECT_TRUE(fitted.ends_with("…")) << fitted;
  EXPECT_LE(text_width(fitted), 100);
  // One more letter would not have had room.
  const std::size_t kept = fitted.size() - std::string("…").size();
  EXPECT_GT(text_width(name.substr(0, kept + 1) + "…"), 100);
  EXPECT_EQ(fit_text(name, 3), "…");
}

RC_GTEST_PROP(FitText, NeverBreaksACharacter, (const std::string& text)) {
  const std::string umlauts = "ä∃" + escape_markup(text) + "öü";
  const std::string fitted = fit_text(umlauts, 40);
  RC_ASSERT(escape_markup(fitted).find("\xEF\xBF\xBD") == std::string::npos ||
            umlauts.find("\xEF\xBF\xBD") != std::string::npos);
}

TEST(Svg, HoldsShapesInOrderAndEscapesText) {
  Svg svg(100, 50, "a & b", "what <it> shows");
  svg.line({0, 0}, {10, 10}, {"grid"});
  svg.circle({5, 5}, 2, {"mark c1", 0, 0.5, "here & there"});
  svg.text({1, 2}, "x < y", {.anchor = Anchor::middle, .turn = -90});
  const std::string text = svg.finish();
  EXPECT_TRUE(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"")) << text;
  EXPECT_NE(text.find("<title>a &amp; b</title>"), std::string::npos);
  EXPECT_NE(text.find("aria-label=\"what &lt;it&gt; shows\""), std::string::npos);
  EXPECT_NE(text.find("<title>here &amp; there</title>"), std::string::npos);
  EXPECT_NE(text.find("x &lt; y</text>"), std::string::npos);
  EXPECT_LT(text.find("<line"), text.find("<circle"));
}

TEST(Svg, SaysColoursAsAttributesAndDarkOnesInTheStyleSheetAlone) {
  Svg svg(100, 50, "colours");
  svg.circle({5, 5}, 2, {"paper c1"});
  svg.line({0, 0}, {9, 9}, {"line dashed", 3});
  svg.polygon(std::vector<Point>{{0, 0}, {1, 0}, {0, 1}}, {"mark faint"});
  svg.text({1, 2}, "words", {.classes = "c2"});
  const std::string text = svg.finish();
  EXPECT_NE(text.find("class=\"paper c1\" fill=\"#ffffff\" stroke=\"#c44e00\""), std::string::npos)
      << text;
  EXPECT_NE(text.find("stroke=\"#1f2328\" stroke-width=\"3\""), std::string::npos) << text;
  EXPECT_NE(text.find("stroke-dasharray"), std::string::npos);
  EXPECT_NE(text.find("class=\"mark faint\" fill=\"#57606a\""), std::string::npos) << text;
  EXPECT_NE(text.find("fill=\"#00795a\""), std::string::npos) << text;
  EXPECT_EQ(text.find("var("), std::string::npos);
  const std::size_t media = text.find("@media screen and (prefers-color-scheme:dark){");
  ASSERT_NE(media, std::string::npos);
  EXPECT_EQ(media, text.find("<style>") + 7) << "nothing but the override";
  EXPECT_EQ(text.find("currentColor", text.find("</style>")), std::string::npos);
}

TEST(Svg, AHaloIsPaperBelowTheText) {
  Svg svg(100, 50, "halo");
  svg.text({50, 20}, "words", {.anchor = Anchor::middle, .classes = "halo"});
  const std::string text = svg.finish();
  const std::size_t words = text.find("<text");
  const std::size_t below = text.rfind("class=\"ground\" fill=\"#ffffff\" opacity", words);
  EXPECT_NE(below, std::string::npos) << text;
}

TEST(TextBox, StandsWhereTheAnchorSays) {
  const Box middle = text_box({50, 20}, "words", {.anchor = Anchor::middle});
  EXPECT_NEAR(middle.left + middle.right, 100, 1e-9);
  EXPECT_NEAR(text_box({50, 20}, "words").left, 50, 1e-9);
  EXPECT_NEAR(text_box({50, 20}, "words", {.anchor = Anchor::end}).right, 50, 1e-9);
  EXPECT_TRUE(middle.meets(text_box({50, 20}, "words")));
  EXPECT_FALSE(middle.meets(text_box({50, 40}, "words")));
}

}  // namespace
}  // namespace lerpp
