// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <lerp/kg/import.hpp>

namespace lerpp {
namespace {

/// "subject relation object" of every fact.
std::set<std::string> facts_of(const Dataset& dataset) {
  std::set<std::string> facts;
  for (const Fact& fact : dataset[Split::train]) {
    std::string text(dataset.entities.name(fact.subject));
    text += " ";
    text += dataset.relations.name(fact.relation);
    text += " ";
    text += dataset.entities.name(fact.object);
    facts.insert(std::move(text));
  }
  return facts;
}

std::set<std::string> read(std::string_view dump) {
  const Result<Dataset> dataset = read_debian(dump, "dump");
  EXPECT_TRUE(dataset) << to_string(dataset.error());
  return dataset ? facts_of(*dataset) : std::set<std::string>();
}

std::string error_of(std::string_view dump) {
  const Result<Dataset> dataset = read_debian(dump, "dump");
  return dataset ? "" : to_string(dataset.error());
}

TEST(Debian, ReadsEveryKindOfField) {
  const Result<Dataset> dataset = read_debian(
      "Package: vim\n"
      "Version: 2:9.0\n"
      "Maintainer: Debian Vim Maintainers <vim@tracker.debian.org>\n"
      "Architecture: amd64\n"
      "Depends: vim-common (= 2:9.0), libc6 (>= 2.36),\n"
      " libacl1:any (>= 2.2.23) | libacl <!nocheck>, libsel [amd64 i386]\n"
      "Provides: editor, vim-api (= 9)\n"
      "Section: editors\n"
      "Priority: optional\n"
      "Multi-Arch: foreign\n"
      "Built-Using: glibc (= 2.36-9)\n"
      "Tag: role::program, implemented-in::c,\n"
      " devel::lang:c, game::TODO, nonsense\n"
      "Description: Vi IMproved - enhanced vi editor\n"
      " Vim is an almost compatible version\n"
      " .\n"
      " Depends: nothing, this is text\n"
      "Description-md5: 00\n"
      "\n"
      "Package: vim-doc\n"
      "Source: vim (2:9.0)\n"
      "Lua-Versions: 5.1 5.2\n",
      "dump");
  ASSERT_TRUE(dataset) << to_string(dataset.error());
  EXPECT_EQ(facts_of(*dataset),
            (std::set<std::string>{"vim maintainer maintainer/Debian Vim Maintainers",
                                   "vim architecture architecture/amd64",
                                   "vim depends vim-common",
                                   "vim depends libc6",
                                   "vim depends libacl1",
                                   "vim depends libacl",
                                   "vim depends libsel",
                                   "vim provides editor",
                                   "vim provides vim-api",
                                   "vim section section/editors",
                                   "vim priority priority/optional",
                                   "vim multi-arch multi-arch/foreign",
                                   "vim built-using source/glibc",
                                   "vim role role/program",
                                   "vim implemented-in implemented-in/c",
                                   "vim devel devel/lang:c",
                                   "vim source source/vim",
                                   "vim-doc source source/vim",
                                   "vim-doc lua-versions lua/5.1",
                                   "vim-doc lua-versions lua/5.2"}));
  EXPECT_EQ(dataset->entity_texts.size(), 1U);
  EXPECT_EQ(dataset->entity_label(*dataset->entities.find("vim")),
            "Vi IMproved - enhanced vi editor");
  EXPECT_EQ(dataset->name, "debian");
}

TEST(Debian, KeepsSectionsAndPackagesApart) {
  EXPECT_EQ(
      read("Package: python\nSection: python\n"),
      (std::set<std::string>{"python section section/python", "python source source/python"}));
}

TEST(Debian, JoinsTheVersionsOfAPackage) {
  const auto dataset = read_debian(
      "Package: a\nDepends: b (>= 1), b (<< 2)\nDescription: first\n\n\n"
      "Package: a\nDepends: b, c\nDescription: second\n",
      "dump");
  ASSERT_TRUE(dataset);
  EXPECT_EQ((*dataset)[Split::train].size(), 3U);
  EXPECT_EQ(dataset->entity_label(*dataset->entities.find("a")), "first");
}

TEST(Debian, TakesFieldsInAnyCaseAndForeignLineEnds) {
  EXPECT_EQ(read("PACKAGE: a\r\ndepends: b\r\n\r\nPackage:c\r\n"),
            (std::set<std::string>{"a depends b", "a source source/a", "c source source/c"}));
}

TEST(Debian, TakesEmptyFields) {
  EXPECT_EQ(read("Package: a\nDepends:\nSection: \nMaintainer:\nTag: ,,\nSuggests: , |\nTask: ::"),
            (std::set<std::string>{"a source source/a", "a task task/::"}));
}

TEST(Debian, NamesPeopleWithoutTheirAddress) {
  EXPECT_EQ(read("Package: a\nMaintainer: <root@localhost>\n"),
            (std::set<std::string>{"a maintainer maintainer/root@localhost", "a source source/a"}));
}

TEST(Debian, RepairsBytesThatAreNotUtf8) {
  const auto facts = read("Package: a\nMaintainer: J\xF6rg\tM\xC3\xBCller <j@debian.org>\n");
  EXPECT_TRUE(facts.contains("a maintainer maintainer/J\xEF\xBF\xBDrg M\xC3\xBCller"));
}

TEST(Debian, NamesTheLineOfAMistake) {
  EXPECT_EQ(
      error_of("Package: a\nDepends: b\nnonsense\n"),
      "the line is no \"Field: value\" (dump, line 3): give the text that apt-cache dumpavail "
      "prints");
  EXPECT_NE(error_of("\n continued\n").find("(dump, line 2)"), std::string::npos);
  EXPECT_NE(error_of("Package: a\n\nVersion: 1\n").find("names no package (dump, line 3)"),
            std::string::npos);
  EXPECT_NE(error_of("Package: a\nDepends: b\nPackage: c\n").find("(dump, line 3)"),
            std::string::npos);
  EXPECT_NE(error_of("Package:\n").find("names no package (dump, line 1)"), std::string::npos);
}

TEST(Debian, ADumpWithoutPackagesSaysWhatToRun) {
  for (const char* dump : {"", "\n\n", " \n"}) {
    EXPECT_NE(error_of(dump).find("apt-get update"), std::string::npos) << dump;
  }
}

TEST(SlowDebian, ReadsThisMachine) {
  if (std::system("test \"$(apt-cache dumpavail 2>/dev/null | head -c 1)\"") != 0) {
    GTEST_SKIP() << "apt-cache lists no packages here";
  }
  const Result<Dataset> dataset = import_debian();
  ASSERT_TRUE(dataset) << to_string(dataset.error());
  EXPECT_TRUE(dataset->relations.find("depends"));
  EXPECT_TRUE(dataset->entities.find("dpkg"));
  EXPECT_GE((*dataset)[Split::train].size(), dataset->entity_texts.size());
}

TEST(Debian, SaysWhereAptCacheIsMissing) {
  const char* path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  setenv("PATH", "/nowhere", 1);
  const Result<Dataset> dataset = import_debian();
  setenv("PATH", before.c_str(), 1);
  ASSERT_FALSE(dataset);
  EXPECT_NE(to_string(dataset.error()).find("no apt-cache"), std::string::npos)
      << to_string(dataset.error());
}

}  // namespace
}  // namespace lerpp
