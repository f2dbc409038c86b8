#include <gtest/gtest.h>

#include <lerp/base/files.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::sentence;

const std::string plain = "a\tr\tb\nhello hello hello hello\n";
const std::string gzip(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xe4\x2c\xe2\x4c\xe2\xca\x48\xcd\xc9\xc9\x57\xc0"
    "\x20\xb9\x00\x80\x26\xec\xad\x1e\x00\x00\x00",
    34);
const std::string zstd(
    "\x28\xb5\x2f\xfd\x00\x58\x9d\x00\x00\x68\x61\x09\x72\x09\x62\x0a\x68\x65\x6c\x6c\x6f\x20\x0a"
    "\x01\x00\x99\x4b\x12",
    28);

TEST(Inflate, TellsTheKindByTheFirstBytes) {
  EXPECT_EQ(inflate(gzip, "x").value_or(""), plain);
  EXPECT_EQ(inflate(zstd, "x").value_or(""), plain);
  EXPECT_EQ(inflate(plain, "x").value_or(""), plain);
  EXPECT_EQ(inflate("", "x").value_or("?"), "");
  EXPECT_TRUE(is_compressed(gzip));
  EXPECT_TRUE(is_compressed(zstd));
  EXPECT_FALSE(is_compressed(plain));
}

TEST(Inflate, ReadsSeveralMembersAndPadding) {
  EXPECT_EQ(inflate(gzip + gzip, "x").value_or(""), plain + plain);
  EXPECT_EQ(inflate(gzip + std::string(512, '\0'), "x").value_or(""), plain);
  EXPECT_EQ(inflate(zstd + zstd, "x").value_or(""), plain + plain);
  EXPECT_EQ(sentence(inflate(gzip + "junk", "x")),
            "the gzip data is followed by other bytes (x): fetch or compress the file again");
}

TEST(Inflate, NeverGivesPartOfTheBytes) {
  for (std::size_t size = 2; size < gzip.size(); ++size) {
    EXPECT_FALSE(inflate(gzip.substr(0, size), "x")) << size;
  }
  for (std::size_t size = 4; size < zstd.size(); ++size) {
    EXPECT_FALSE(inflate(zstd.substr(0, size), "x")) << size;
  }
  std::string broken = gzip;
  broken[28] = static_cast<char>(broken[28] ^ 1);
  EXPECT_EQ(sentence(inflate(broken, "x")),
            "the gzip data is damaged (x): fetch or compress the file again");
}

TEST(Inflate, SurvivesBytesThatTheLibraryHandsBack) {
  const std::string odd(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\xe4\xff\xff\xff\xff\xff\xff\x28\xb5\x2f\xfd"
      "\xff\xff\xff\xff\xff\xff\xff\xfd\x18\x18\x00\x00",
      34);
  EXPECT_EQ(sentence(inflate(odd, "x")),
            "the gzip data is damaged (x): fetch or compress the file again");
}

TEST(Inflate, RefusesWhatIsMeantToFillMemory) {
  // Frames of repeated bytes: 128 KiB of each 4 bytes.
  std::string bomb("\x28\xb5\x2f\xfd\x00\x58", 6);
  for (int i = 0; i < 1000; ++i) bomb += std::string("\x02\x00\x10\x00", 4);
  bomb += std::string("\x03\x00\x10\x00", 4);
  EXPECT_EQ(sentence(inflate(bomb, "x")),
            "the zstd data grows to more than 2000 times its size (x): inflate it with zstd -d if "
            "you trust it");
}

TEST(ReadFile, Inflates) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(read_file(folder.put("a.txt", gzip))->view(), plain);
  EXPECT_EQ(read_file(folder.put("b", zstd))->view(), plain);
}

}  // namespace
}  // namespace lerpp
