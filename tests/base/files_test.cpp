// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <lerp/base/files.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::sentence;
using test::slurp;
using test::TemporaryFolder;

std::size_t entries(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                std::filesystem::directory_iterator()));
}

TEST(ReadFile, GivesTheBytes) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_file(folder.put("a", "hello"))->view(), "hello");
  EXPECT_EQ(read_file(folder.put("empty", ""))->view(), "");
  FileBytes moved = std::move(*read_file(folder.put("b", std::string(1 << 20, 'x'))));
  EXPECT_EQ(moved.view().size(), std::size_t{1} << 20U);
}

TEST(ReadFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_EQ(sentence(read_file(folder / "none"), folder.path().string()),
            "the file cannot be opened, No such file or directory (none): check the path and its "
            "permissions");
  folder.put("sub/x", "");
  EXPECT_EQ(sentence(read_file(folder / "sub"), folder.path().string()),
            "this is a folder, not a file (sub): name a file inside it");
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  {
    auto file = AtomicFile::create(folder / "deep/er/a.txt");
    ASSERT_TRUE(file);
    file->write("half");
    EXPECT_FALSE(std::filesystem::exists(folder / "deep/er/a.txt"));
  }
  EXPECT_EQ(entries(folder / "deep/er"), 0U);
  ASSERT_TRUE(write_file(folder / "deep/er/a.txt", "old"));
  {
    auto file = AtomicFile::create(folder / "deep/er/a.txt");
    ASSERT_TRUE(file);
    file->write("new ");
    file->write(std::string(3 << 20, 'x'));
    AtomicFile moved = std::move(*file);
    EXPECT_EQ(slurp(folder / "deep/er/a.txt"), "old");
    ASSERT_TRUE(moved.commit());
  }
  EXPECT_EQ(slurp(folder / "deep/er/a.txt"), "new " + std::string(3 << 20, 'x'));
  EXPECT_EQ(entries(folder / "deep/er"), 1U);
}

TEST(AtomicFile, WritesToADeviceWithoutReplacingIt) {
  ASSERT_TRUE(write_file("/dev/null", "x"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const auto full = write_file("/dev/full", "x");
  ASSERT_FALSE(full);
  EXPECT_NE(to_string(full.error()).find("No space left on device"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(ReadFile, RefusesWhatIsTooLarge) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_file(folder.put("a", "hello"), 5)->view(), "hello");
  EXPECT_EQ(sentence(read_file(folder / "a", 4), folder.path().string()),
            "the file holds more than 4 B (a): split it, or allow more with --max-input");
}

TEST(ReadFile, IsACopy) {
  const TemporaryFolder folder;
  const auto bytes = read_file(folder.put("a", std::string(1 << 16, 'x')));
  std::filesystem::resize_file(folder / "a", 0);  // a mapped file would end the program
  EXPECT_EQ(bytes->view(), std::string(1 << 16, 'x'));
}

TEST(AtomicFile, RemovesWhatAKilledProcessLeft) {
  const TemporaryFolder folder;
  folder.put("a.txt.0123456789abcdef.part", "half");
  folder.put("a.txt.12345.part", "no temporary name");
  folder.put("b.txt.0123456789abcdef.part", "of another");
  folder.put("a.txt.mine.part", "no temporary name");
  auto live = AtomicFile::create(folder / "a.txt");
  ASSERT_TRUE(live);
  live->write("first");
  ASSERT_TRUE(write_file(folder / "a.txt", "second"));  // and not what is being written
  ASSERT_TRUE(live->commit());
  EXPECT_EQ(slurp(folder / "a.txt"), "first");
  EXPECT_EQ(entries(folder.path()), 4U);
}

TEST(AtomicFile, HasANameThatNobodyCanForesee) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("victim", folder / fmt::format("a.{}.part", ::getpid()));
  auto file = AtomicFile::create(folder / "a");
  ASSERT_TRUE(file);
  file->write("x");
  ASSERT_TRUE(file->commit());
  EXPECT_FALSE(std::filesystem::exists(folder / "victim"));
}

TEST(AtomicFile, FollowsALink) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "real", "old"));
  std::filesystem::create_symlink("real", folder / "link");
  ASSERT_TRUE(write_file(folder / "link", "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(slurp(folder / "real"), "new");
}

TEST(AtomicFile, RefusesAPlaceThatIsNone) {
  const TemporaryFolder folder;
  folder.put("file", "");
  EXPECT_EQ(sentence(write_file(folder / "file/x", "y"), folder.path().string()),
            "the folder cannot be made, Not a directory (file): choose a place that can be written "
            "to");
}

TEST(AtomicFile, LeavesNothingWhereItFails) {
  const TemporaryFolder folder;
  folder.put("taken/x", "");
  EXPECT_EQ(
      sentence(write_file(folder / "taken", "y"), folder.path().string()),
      "the file cannot be written, Is a directory (taken): choose a place that can be written "
      "to");
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(FileLock, IsHeldByOneAtATime) {
  const TemporaryFolder folder;
  for (const std::filesystem::path& path : {folder.path(), folder.put("file", "x")}) {
    {
      Result<FileLock> lock = FileLock::take(path);
      ASSERT_TRUE(lock) << to_string(lock.error());
      const FileLock moved = std::move(*lock);
      EXPECT_EQ(sentence(FileLock::take(path)), "another process is at work here (" +
                                                    path.string() +
                                                    "): wait until it ends, or stop it");
    }
    EXPECT_TRUE(FileLock::take(path));
  }
  EXPECT_EQ(sentence(FileLock::take(folder / "none"), folder.path().string()),
            "this cannot be opened, No such file or directory (none): check the path and its "
            "permissions");
}

TEST(StagedFolder, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  {
    auto staged = StagedFolder::create(folder / "out");
    ASSERT_TRUE(staged);
    ASSERT_TRUE(write_file(staged->path() / "a", "x"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  }
  EXPECT_EQ(entries(folder.path()), 0U);
  auto staged = StagedFolder::create(folder / "out/");
  ASSERT_TRUE(staged);
  StagedFolder moved = std::move(*staged);
  ASSERT_TRUE(write_file(moved.path() / "a", "x"));
  ASSERT_TRUE(moved.commit());
  EXPECT_EQ(slurp(folder / "out/a"), "x");
  EXPECT_EQ(entries(folder.path()), 1U);
  EXPECT_EQ(sentence(StagedFolder::create(folder / "out"), folder.path().string()),
            "the name is taken (out): remove it or choose another name");
}

TEST(StagedFolder, RemovesWhatAKilledProcessLeft) {
  const TemporaryFolder folder;
  folder.put("out.0123456789abcdef.part/a", "half");
  auto live = StagedFolder::create(folder / "out");
  ASSERT_TRUE(live);
  EXPECT_EQ(entries(folder.path()), 1U);
  ASSERT_TRUE(StagedFolder::create(folder / "out"));
  EXPECT_TRUE(std::filesystem::exists(live->path()));
}

TEST(StagedFolder, MayReplaceAnEmptyFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "out");
  auto staged = StagedFolder::create(folder / "out");
  ASSERT_TRUE(staged);
  ASSERT_TRUE(write_file(staged->path() / "a", "x"));
  ASSERT_TRUE(staged->commit());
  EXPECT_EQ(slurp(folder / "out/a"), "x");
}

}  // namespace
}  // namespace lerpp
