// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <lerp/base/error.hpp>

/// Files in and out of memory: read and inflated on the way in, whole or not at all on the way out.
namespace lerpp {

/// The bytes of a file, inflated where it is compressed. They are a copy: what happens to the file
/// later is no matter.
class FileBytes {
 public:
  FileBytes() = default;
  /// Bytes already in memory, owned from now on.
  explicit FileBytes(std::string owned);

  std::string_view view() const { return view_; }

 private:
  friend Result<FileBytes> read_file(const std::filesystem::path&, std::uint64_t);
  std::shared_ptr<const void> owner_;
  std::string_view view_;
};

/// Reads a file, inflating it where its first bytes, not its name, say that it is compressed. One
/// that holds, or inflates to, more than `most` bytes is refused; 0 is what the machine's memory
/// holds.
Result<FileBytes> read_file(const std::filesystem::path& path, std::uint64_t most = 0);

/// Inflates gzip, zstd, xz, bzip2, or a zip archive of one file; returns plain bytes unchanged.
/// `where` names them in errors.
Result<std::string> inflate(std::string_view bytes, const std::string& where,
                            std::uint64_t most = 0);
bool is_compressed(std::string_view bytes);

class TemporaryName;

/// Removes what AtomicFiles and StagedFolders of this process have not finished: the last resort of
/// a program that is about to end without their destructors.
void remove_unfinished();

/// A file that appears under its name only when committed: temporary name, fsync, rename. Pipes and
/// devices are written to as they are. What a killed process left under such a name is removed when
/// the next one writes the same file.
class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::filesystem::path& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  AtomicFile(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Buffers; a failed write is remembered and told by commit().
  void write(std::string_view text);
  Result<void> commit();

 private:
  AtomicFile(std::filesystem::path path, std::unique_ptr<TemporaryName> temporary,
             std::string buffer, int descriptor) noexcept;
  void flush();

  std::filesystem::path path_;
  std::unique_ptr<TemporaryName> temporary_;  ///< none where it is written to as it is
  std::string buffer_;
  int descriptor_ = -1;
  int error_ = 0;
};

Result<void> write_file(const std::filesystem::path& path, std::string_view content);

/// Holds a file or folder that is there against every other FileLock, in this process and in
/// others, until it goes out of scope or the process ends, however it ends. Nothing is written.
class FileLock {
 public:
  /// Fails at once where another holds it. On a file system that knows no locks, nothing is held.
  static Result<FileLock> take(const std::filesystem::path& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  FileLock(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

/// A folder that appears under its name only when committed. Refuses a name that is taken.
class StagedFolder {
 public:
  static Result<StagedFolder> create(const std::filesystem::path& path);
  StagedFolder(StagedFolder&& other) noexcept;
  StagedFolder& operator=(StagedFolder&&) = delete;
  StagedFolder(const StagedFolder&) = delete;
  ~StagedFolder();

  /// Where to put the files meanwhile.
  const std::filesystem::path& path() const;
  Result<void> commit();

 private:
  StagedFolder(std::filesystem::path path, std::unique_ptr<TemporaryName> temporary,
               int descriptor) noexcept;

  std::filesystem::path path_;
  std::unique_ptr<TemporaryName> temporary_;
  int descriptor_ = -1;  ///< holds the temporary name
};

}  // namespace lerpp
