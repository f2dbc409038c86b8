// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/crew.hpp>

#include "support/thread_crew.hpp"

namespace lerpp {
namespace {

using test::run_crew;

Crew::Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(const Crew::Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string own_word(unsigned rank) {
  return std::string(rank * 3, 'a' + static_cast<char>(rank));
}

TEST(Crew, GathersAndCollectsByRank) {
  for (const unsigned size : {1U, 2U, 5U}) {
    run_crew(size, [&](Crew& crew) {
      std::vector<Crew::Bytes> all;
      for (int again = 0; again < 3; ++again) {
        ASSERT_TRUE(crew.gather(bytes_of(own_word(crew.rank())), all));
        ASSERT_EQ(all.size(), size);
        for (unsigned r = 0; r < size; ++r) EXPECT_EQ(text_of(all[r]), own_word(r));
      }
      ASSERT_TRUE(crew.collect(bytes_of(own_word(crew.rank())), all));
      ASSERT_EQ(all.size(), crew.leads() ? size : 0);
      for (unsigned r = 0; r < all.size(); ++r) EXPECT_EQ(text_of(all[r]), own_word(r));
    });
  }
}

TEST(Crew, BroadcastsFromAnyProcess) {
  run_crew(3, [](Crew& crew) {
    for (unsigned root = 0; root < 3; ++root) {
      Crew::Bytes bytes = bytes_of(crew.rank() == root ? "from " + std::to_string(root) : "else");
      ASSERT_TRUE(crew.broadcast(root, bytes));
      EXPECT_EQ(text_of(bytes), "from " + std::to_string(root));
    }
  });
}

TEST(Crew, ExchangesBlocksOfAnyOwners) {
  const std::vector<unsigned> owners = {2, 0, 2, 1, 0};
  for (const unsigned size : {1U, 3U}) {
    run_crew(size, [&](Crew& crew) {
      std::vector<std::vector<double>> values(owners.size());
      std::vector<Crew::Block> blocks;
      for (std::size_t b = 0; b < owners.size(); ++b) {
        const unsigned owner = owners[b] % size;
        values[b].assign(b * 7, owner == crew.rank() ? static_cast<double>(b) + 0.5 : -1);
        blocks.push_back(block(owner, std::span(values[b])));
      }
      ASSERT_TRUE(crew.exchange(blocks));
      for (std::size_t b = 0; b < owners.size(); ++b) {
        EXPECT_EQ(values[b], std::vector<double>(b * 7, static_cast<double>(b) + 0.5));
      }
    });
  }
}

/// Numbers of very different sizes, so that the order of a sum is seen in its bits.
float value_of(std::size_t lane, std::size_t index) {
  const auto mixed = static_cast<std::uint32_t>((lane * 7919 + index * 104729 + 17) * 2654435761U);
  return std::ldexp(static_cast<float>(mixed % 2001) - 1000.F, static_cast<int>(mixed >> 27U) - 16);
}

RC_GTEST_PROP(Crew, SumsInTheOrderOfLanesWhateverTheProcesses, ()) {
  const auto size = *rc::gen::inRange(1U, 6U);
  const auto lanes = *rc::gen::inRange(0U, 9U);
  const auto length = *rc::gen::inRange<std::size_t>(0, 40);
  const auto owners = *rc::gen::container<std::vector<unsigned>>(lanes, rc::gen::inRange(0U, size));
  std::vector<float> expected(length);
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      expected[i] = lane == 0 ? value_of(lane, i) : expected[i] + value_of(lane, i);
    }
  }
  std::vector<std::vector<float>> totals(size, std::vector<float>(length, -1));
  run_crew(size, [&](Crew& crew) {
    std::vector<std::vector<float>> own(lanes);
    std::vector<Crew::Lane> given;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (owners[lane] == crew.rank()) {
        for (std::size_t i = 0; i < length; ++i) own[lane].push_back(value_of(lane, i));
      }
      given.push_back({owners[lane], own[lane]});
    }
    (void)crew.sum(given, totals[crew.rank()]);
  });
  for (const std::vector<float>& total : totals) RC_ASSERT(total == expected);
}

TEST(Crew, NamesTheProcessThatHasOtherData) {
  run_crew(4, [](Crew& crew) {
    const std::vector<Crew::Claim> same = {{"options", "a", ""}, {"data", "12", ""}};
    EXPECT_TRUE(crew.agree(same));
    const std::vector<Crew::Claim> claims = {
        {"options", "a", "give all the same"},
        {"data", crew.rank() == 2 ? "13" : "12", "copy the files"}};
    const Result<void> agreed = crew.agree(claims);
    ASSERT_FALSE(agreed);
    EXPECT_EQ(to_string(agreed.error()), "process 2 has other data than process 0: copy the files");
    // All know, and the leader alone speaks.
    EXPECT_FALSE(crew.finish(agreed));
    EXPECT_EQ(crew.speaks(), crew.leads());
  });
}

TEST(Crew, AFailureReachesAllWhereTheyMeetNext) {
  run_crew(3, [](Crew& crew) {
    std::vector<float> total(5);
    std::vector<Crew::Lane> lanes(3);
    const std::vector<float> own(5, 1);
    for (unsigned r = 0; r < 3; ++r) lanes[r] = {r, own};
    ASSERT_TRUE(crew.sum(lanes, total));
    if (crew.rank() == 1) {
      const Result<void> told = crew.finish(fail("the disk is full", "/run", "make room"));
      EXPECT_EQ(to_string(told.error()), "the disk is full (/run): make room");
      EXPECT_FALSE(crew.speaks());
      return;
    }
    const Result<void> met = crew.sum(lanes, total);
    ASSERT_FALSE(met);
    EXPECT_EQ(to_string(met.error()), "process 1 stopped: the disk is full (/run): make room");
    EXPECT_EQ(crew.speaks(), crew.leads());
    // Whatever a caller still tries, nobody waits.
    EXPECT_FALSE(crew.sum(lanes, total));
    EXPECT_EQ(to_string(crew.finish(met).error()), to_string(met.error()));
  });
}

TEST(Crew, AFailureOfTheLastOneReachesThoseThatAreDone) {
  run_crew(2, [](Crew& crew) {
    if (crew.leads()) {
      EXPECT_FALSE(crew.finish(fail("no metrics", "", "", ErrorKind::interrupted)));
      return;
    }
    const Result<void> over = crew.finish({});
    ASSERT_FALSE(over);
    EXPECT_EQ(over.error().what, "process 0 stopped: no metrics");
    EXPECT_EQ(over.error().kind, ErrorKind::interrupted);
  });
}

TEST(Crew, ADeadProcessIsMissed) {
  run_crew(3, [](Crew& crew) {
    if (crew.rank() == 2) return;
    std::vector<Crew::Bytes> all;
    const Result<void> met = crew.gather({}, all);
    ASSERT_FALSE(met);
    EXPECT_EQ(met.error().what, "process 2 has died");
    EXPECT_TRUE(crew.speaks());
    EXPECT_FALSE(crew.finish(met));
  });
}

TEST(Crew, AllStopAtTheSameMeeting) {
  run_crew(3, [](Crew& crew) {
    std::stop_source stop;
    crew.watch(stop.get_token());
    std::vector<Crew::Bytes> all;
    for (int step = 0; step < 6; ++step) {
      if (crew.rank() == 2 && step == 4) stop.request_stop();
      ASSERT_TRUE(crew.gather({}, all));
      EXPECT_EQ(crew.stopping(), step >= 4);
    }
    EXPECT_TRUE(crew.finish({}));
  });
}

TEST(Crew, OtherWorkIsNoticed) {
  run_crew(2, [](Crew& crew) {
    std::vector<Crew::Bytes> all;
    Crew::Bytes bytes;
    const Result<void> met = crew.leads() ? crew.gather({}, all) : crew.broadcast(0, bytes);
    ASSERT_FALSE(met);
    EXPECT_EQ(met.error().what, "process 1 does other work than process 0");
  });
}

TEST(Crew, AloneItIsNoObstacle) {
  Crew crew;
  EXPECT_TRUE(crew.alone());
  EXPECT_TRUE(crew.leads());
  std::stop_source stop;
  crew.watch(stop.get_token());
  std::vector<float> total(3);
  const std::vector<float> one = {1, 2, 3};
  const std::vector<Crew::Lane> lanes = {{0, one}, {0, one}};
  ASSERT_TRUE(crew.sum(lanes, total));
  EXPECT_EQ(total, (std::vector<float>{2, 4, 6}));
  EXPECT_FALSE(crew.stopping());
  stop.request_stop();
  ASSERT_TRUE(crew.exchange({}));
  EXPECT_TRUE(crew.stopping());
  EXPECT_TRUE(crew.finish({}));
  EXPECT_TRUE(crew.speaks());
}

}  // namespace
}  // namespace lerpp
