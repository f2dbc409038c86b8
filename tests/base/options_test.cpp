// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/options.hpp>
#include <lerp/base/options_json.hpp>

#include "support/describe.hpp"

namespace lerpp {
namespace {

struct Toy {
  int length = 3;
  bool loud = false;
  double rate = 0.5;
  std::string report = "short";
  std::string free = "anything";

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"length", "hops of a rule", 1, 16}, self.length);
    visit(Field{"loud", "whether to speak"}, self.loud);
    visit(basic(Field{"rate", "of learning", 0, 1}), self.rate);
    visit(Field{"report", "what to print", {"short", "long"}}, self.report);
    visit(Field{"free", "any text"}, self.free);
  }
};

TEST(Options, AreCheckedAgainstTheirFields) {
  EXPECT_TRUE(check_options(Toy{}));
  Toy toy;
  toy.length = 17;
  EXPECT_EQ(test::sentence(check_options(toy)), "length is 17: give a value from 1 to 16");
  EXPECT_EQ(check_options(toy).error().kind, ErrorKind::usage);
  toy = {};
  toy.report = "loud";
  EXPECT_EQ(test::sentence(check_options(toy)), "report is 'loud': give one of short|long");
  toy.report = "";
  EXPECT_FALSE(check_options(toy));
  toy = {};
  toy.rate = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(check_options(toy));
}

TEST(Options, BecomeJsonInTheirOrder) {
  EXPECT_EQ(options_to_json(Toy{}).dump(),
            R"({"length":3,"loud":false,"rate":0.5,"report":"short","free":"anything"})");
}

TEST(Options, BecomeTextWithTheBasicOnesFirst) {
  EXPECT_EQ(options_to_text(Toy{}),
            "basic\n"
            "  rate                      0.5       of learning\n"
            "\nexpert\n"
            "  length                    3         hops of a rule\n"
            "  loud                      false     whether to speak\n"
            "  report                    short     what to print\n"
            "  free                      anything  any text\n");
}

TEST(Field, SaysWhatIsAllowed) {
  EXPECT_EQ(Field("a", "b", 0, 1).allowed(), "0 to 1");
  EXPECT_EQ(Field("a", "b", {"x", "y", "z"}).allowed(), "x|y|z");
  EXPECT_EQ(Field("a", "b").allowed(), "");
}

}  // namespace
}  // namespace lerpp
