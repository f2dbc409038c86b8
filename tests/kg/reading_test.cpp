// SPDX-License-Identifier: Apache-2.0
#include "kg/reading.hpp"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/parallel.hpp>
#include <lerp/kg/dataset.hpp>

#include "kg/ntriples.hpp"
#include "kg/separated.hpp"
#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::names_of;

std::string any_lines(bool ntriples) {
  std::string text;
  const int lines = *rc::gen::inRange(1, 60);
  for (int i = 0; i < lines; ++i) {
    const int s = *rc::gen::inRange(0, 40);
    const int r = *rc::gen::inRange(0, 5);
    const int o = *rc::gen::inRange(0, 40);
    text += ntriples ? fmt::format("<x:e{}> <x:r{}> <x:e{}> .", s, r, o)
                     : fmt::format("e{}\tr{}\te{}", s, r, o);
    text += *rc::gen::element<std::string>("\n", "\r\n", "\n\n");
    if (ntriples && i % 3 == 0) {
      text += fmt::format("<x:e{}> <http://www.w3.org/2000/01/rdf-schema#label> \"{}\" .\n", s, i);
    }
  }
  // Sometimes a bad line somewhere: the error must be the same as well.
  if (*rc::gen::inRange(0, 4) == 0) {
    const std::size_t at = text.find('\n', *rc::gen::inRange<std::size_t>(0, text.size()));
    text.insert(at == std::string::npos ? text.size() : at + 1,
                *rc::gen::element<std::string>("bad\n", "\xFF\n", "a\tb\n"));
  }
  return text;
}

RC_GTEST_PROP(Reading, IsTheSameWithAnyNumberOfThreads, ()) {
  const bool ntriples = *rc::gen::arbitrary<bool>();
  const std::string text = any_lines(ntriples);
  const std::string more = any_lines(ntriples);
  const auto read = [&](unsigned threads, formats::Reading& reading) -> std::string {
    reading.threads = exactly(threads);
    reading.least_chunk = 1;
    for (const auto& [split, part] : {std::pair(Split::facts, &text), {Split::train, &more}}) {
      if (ntriples) {
        const auto result = formats::read_ntriples(*part, "x", reading, split);
        if (!result) return test::sentence(result);
      } else {
        const auto result = formats::read_separated(*part, "x", reading, split);
        if (!result) return test::sentence(result);
      }
    }
    return "";
  };
  formats::Reading one;
  formats::Reading many;
  const std::string error = read(1, one);
  RC_ASSERT(read(*rc::gen::inRange(2U, 9U), many) == error);
  if (!error.empty()) return;
  RC_ASSERT(names_of(one.dataset.entities) == names_of(many.dataset.entities));
  RC_ASSERT(names_of(one.dataset.relations) == names_of(many.dataset.relations));
  RC_ASSERT(one.dataset.splits == many.dataset.splits);
  RC_ASSERT(one.labels.size() == many.labels.size());
  for (std::size_t i = 0; i < one.labels.size(); ++i) {
    RC_ASSERT(one.labels[i].text == many.labels[i].text);
  }
}

RC_GTEST_PROP(RemoveRepeated, KeepsTheFirstOfEach, ()) {
  const auto id = [] { return *rc::gen::inRange(0U, 5U); };
  std::vector<Fact> facts(*rc::gen::inRange<std::size_t>(0, 100));
  for (Fact& fact : facts) fact = {id(), id(), id()};
  std::set<Fact> seen;
  std::vector<Fact> expected;
  for (const Fact& fact : facts) {
    if (seen.insert(fact).second) expected.push_back(fact);
  }
  const std::uint64_t gone = facts.size() - expected.size();
  RC_ASSERT(remove_repeated(facts, 5, 2) == gone);
  RC_ASSERT(facts == expected);
}

TEST(RemoveRepeated, WorksOnManyBuckets) {
  std::vector<Fact> facts;
  constexpr EntityId count = 100'000;
  for (EntityId i = 0; i < 3 * count; ++i) facts.push_back({i % count, i % 7, i / 2 % count});
  std::set<Fact> seen;
  std::vector<Fact> expected;
  for (const Fact& fact : facts) {
    if (seen.insert(fact).second) expected.push_back(fact);
  }
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::vector<Fact> copy = facts;
    EXPECT_EQ(remove_repeated(copy, count, threads), facts.size() - expected.size());
    EXPECT_EQ(copy, expected);
  }
}

struct Counts {
  std::string name;
  EntityId entities;
  RelationId relations;
  std::array<std::size_t, 4> facts;
  std::string format;
};

void PrintTo(const Counts& counts, std::ostream* out) {
  *out << counts.name;
}

class SharedDataset : public testing::TestWithParam<Counts> {};

TEST_P(SharedDataset, HasTheDocumentedCounts) {
  const std::filesystem::path folder =
      std::filesystem::path(LERP_SHARED) / "datasets" / GetParam().name;
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not here";
  const auto dataset = load(folder);
  ASSERT_TRUE(dataset) << test::sentence(dataset);
  EXPECT_EQ(dataset->entities.size(), GetParam().entities);
  EXPECT_EQ(dataset->relations.size(), GetParam().relations);
  EXPECT_EQ(dataset->format, GetParam().format);
  EXPECT_EQ(dataset->name, GetParam().name);
  for (const Split split : all_splits) {
    EXPECT_EQ((*dataset)[split].size(), GetParam().facts[static_cast<std::size_t>(split)]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SharedDataset,
    testing::Values(
        Counts{"family", 3007, 12, {17615, 5868, 2038, 2835}, "Neural-LP"},
        Counts{"kinship", 104, 25, {0, 3206, 2137, 5343}, "RNNLogic"},
        Counts{"umls", 135, 46, {0, 1959, 1306, 3264}, "RNNLogic"},
        Counts{"wn18", 40943, 18, {0, 141442, 5000, 5000}, "three columns, tab separated"},
        Counts{"wn18rr", 40943, 11, {0, 86835, 3034, 3134}, "three columns, tab separated"},
        Counts{"fb15k-237", 14541, 237, {0, 272115, 17535, 20466}, "three columns, tab separated"},
        Counts{"biomedical", 306, 7, {0, 1476, 0, 0}, "three columns, comma separated"}),
    [](const testing::TestParamInfo<Counts>& test) {
      std::string name = test.param.name;
      std::erase(name, '-');
      return name;
    });

}  // namespace
}  // namespace lerpp
