// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lerp/base/files.hpp>
#include <lerp/base/memory.hpp>
#include <lerp/base/text.hpp>

#include "base/temporary_name.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

/// Closes a descriptor when it goes out of scope.
struct Descriptor {
  int value;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
};

constexpr std::string_view temporary_ending = ".part";

/// What a file's temporary names start with. Short enough for the rest to fit.
std::string temporary_start(const fs::path& path) {
  constexpr std::size_t longest = 200;
  return path.filename().string().substr(0, longest) + ".";
}

/// A name beside the final one, so that the rename stays within one file system, that nobody can
/// foresee.
Result<fs::path> temporary_name(const fs::path& path) {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) {
    return fail_errno("no random number is to be had", path.string(), "try again");
  }
  return path.parent_path() /
         fmt::format("{}{:016x}{}", temporary_start(path), number, temporary_ending);
}

bool is_temporary_of(const std::string& start, const std::string& name) {
  constexpr std::size_t digits = 16;
  if (name.size() != start.size() + digits + temporary_ending.size() || !name.starts_with(start) ||
      !name.ends_with(temporary_ending)) {
    return false;
  }
  const std::string_view number(name.data() + start.size(), digits);
  return number.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Whoever writes under a temporary name holds its lock until the rename.
bool hold(int descriptor) {
  int status = 0;
  do {
    status = ::flock(descriptor, LOCK_EX | LOCK_NB);
  } while (status != 0 && errno == EINTR);
  return status == 0;
}

/// Whether a temporary name is still there after it was locked: another process may have taken it
/// for one that was left behind.
bool is_linked(int descriptor) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

fs::path parent_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Makes a rename durable. Not every file system lets a folder be synced: that is no error.
void sync_folder(const fs::path& folder) {
  Descriptor descriptor{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (descriptor.value >= 0) ::fsync(descriptor.value);
}

/// Removes what killed processes left under temporary names of a path: what nobody holds.
void remove_left_behind(const fs::path& path) {
  const std::string start = temporary_start(path);
  std::error_code code;
  for (fs::directory_iterator entry(parent_of(path), code), end; !code && entry != end;
       entry.increment(code)) {
    if (!is_temporary_of(start, entry->path().filename().string())) continue;
    const Descriptor left{
        ::open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
    std::error_code ignored;
    if (left.value >= 0 && hold(left.value)) fs::remove_all(entry->path(), ignored);
  }
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (!code) return {};
  return fail("the folder cannot be made, " + code.message(), folder.string(),
              "choose a place that can be written to");
}

std::uint64_t limit_of(std::uint64_t most) {
  return most == 0 ? machine_memory() : most;
}

/// Only who gave a limit can give another.
tl::unexpected<Error> too_large(std::uint64_t most, const std::string& where) {
  return fail(fmt::format("the file holds more than {}", size_text(limit_of(most))), where,
              most == 0 ? "split it, or use a machine with more memory"
                        : "split it, or allow more with --max-input");
}

Result<std::string> read_stream(int descriptor, const std::string& where, std::uint64_t most) {
  std::string bytes;
  for (;;) {
    const std::size_t size = bytes.size();
    if (size > limit_of(most)) return too_large(most, where);
    bytes.resize(size + buffer_bytes);
    const ssize_t got = ::read(descriptor, bytes.data() + size, buffer_bytes);
    if (got < 0 && errno == EINTR) {
      bytes.resize(size);
      continue;
    }
    bytes.resize(size + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got < 0) return fail_errno("the file cannot be read", where, "check the disk");
    if (got == 0) return bytes;
  }
}

/// Room for a file. Large pages, where the system has them, cost fewer faults.
std::shared_ptr<char> make_room(std::size_t size) {
  void* const address =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  ::madvise(address, size, MADV_HUGEPAGE);
  return {static_cast<char*>(address), [size](char* start) { ::munmap(start, size); }};
}

/// A regular file of a known size. It is read rather than mapped: a mapped file that another
/// process cuts short ends the program.
Result<void> read_regular(int descriptor, const std::string& where, char* room, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::read(descriptor, room + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno("the file cannot be read", where, "check the disk");
    if (got == 0) {
      return fail("the file became shorter while it was read", where,
                  "try again when nobody writes to it");
    }
    done += static_cast<std::size_t>(got);
  }
  return {};
}

}  // namespace

FileBytes::FileBytes(std::string owned) {
  auto held = std::make_shared<const std::string>(std::move(owned));
  view_ = *held;
  owner_ = std::move(held);
}

Result<FileBytes> read_file(const fs::path& path, std::uint64_t most) {
  const std::string where = path.string();
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.value < 0) {
    return fail_errno("the file cannot be opened", where, "check the path and its permissions");
  }
  struct stat status = {};
  if (::fstat(file.value, &status) != 0) {
    return fail_errno("the file cannot be read", where, "check its permissions");
  }
  if (S_ISDIR(status.st_mode)) {
    return fail("this is a folder, not a file", where, "name a file inside it");
  }
  FileBytes result;
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size > limit_of(most)) return too_large(most, where);
    std::shared_ptr<char> room = make_room(size);
    if (!room) return fail_errno("there is no room for the file", where, "check free memory");
    LERP_CHECK(read_regular(file.value, where, room.get(), size));
    result.view_ = {room.get(), size};
    result.owner_ = std::move(room);
  } else {
    // A pipe, or a file that does not know its size.
    LERP_TRY(bytes, read_stream(file.value, where, most));
    result = FileBytes(std::move(bytes));
  }
  if (is_compressed(result.view_)) {
    LERP_TRY(plain, inflate(result.view_, where, most));
    result = FileBytes(std::move(plain));
  }
  return result;
}

AtomicFile::AtomicFile(fs::path path, std::unique_ptr<TemporaryName> temporary, std::string buffer,
                       int descriptor) noexcept
    : path_(std::move(path)),
      temporary_(std::move(temporary)),
      buffer_(std::move(buffer)),
      descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      buffer_(std::move(other.buffer_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      error_(other.error_) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<AtomicFile> AtomicFile::create(const fs::path& given) {
  LERP_CHECK(make_folder(parent_of(given)));
  // A link stays a link: what it leads to is replaced.
  std::error_code code;
  const fs::path resolved = fs::canonical(given, code);
  if (code == std::errc::too_many_symbolic_link_levels) {
    errno = ELOOP;
    return fail_errno("the file cannot be written", given.string(),
                      "remove the links that lead to each other");
  }
  fs::path path = code ? given : resolved;
  std::string buffer;
  buffer.reserve(buffer_bytes);
  // A terminal, a pipe or a device is no file that could be replaced: it is written to as it is.
  const bool direct = fs::exists(path, code) && !fs::is_regular_file(path, code);
  const auto refuse = [&] {
    return fail_errno("the file cannot be written", path.string(),
                      "choose a place that can be written to");
  };
  if (direct) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return refuse();
    return AtomicFile(std::move(path), nullptr, std::move(buffer), descriptor);
  }
  remove_left_behind(path);
  for (;;) {
    LERP_TRY(name, temporary_name(path));
    auto temporary = std::make_unique<TemporaryName>(std::move(name));
    const int descriptor = ::open(temporary->path().c_str(),
                                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (descriptor < 0) {
      temporary->keep();  // it is not ours
      if (errno == EEXIST) continue;
      return refuse();
    }
    hold(descriptor);
    if (is_linked(descriptor)) {
      return AtomicFile(std::move(path), std::move(temporary), std::move(buffer), descriptor);
    }
    ::close(descriptor);
  }
}

void AtomicFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && error_ == 0) {
    const ssize_t wrote = ::write(descriptor_, rest.data(), rest.size());
    if (wrote >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(wrote));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  buffer_.clear();
}

void AtomicFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_bytes) flush();
}

Result<void> AtomicFile::commit() {
  flush();
  if (error_ == 0 && ::fsync(descriptor_) != 0 && errno != EINVAL) error_ = errno;
  // The name is held until it is gone.
  if (error_ == 0 && temporary_) {
    if (::rename(temporary_->path().c_str(), path_.c_str()) == 0) {
      temporary_->keep();
    } else {
      error_ = errno;
    }
  }
  // What is synced and in place is written, whatever closing says.
  const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
  if (error_ == 0 && !closed && !temporary_) error_ = errno;
  temporary_.reset();
  if (error_ != 0) {
    errno = error_;
    return fail_errno("the file cannot be written", path_.string(),
                      "free some space or choose another place; nothing was changed");
  }
  sync_folder(parent_of(path_));
  return {};
}

Result<void> write_file(const fs::path& path, std::string_view content) {
  LERP_TRY(file, AtomicFile::create(path));
  file.write(content);
  return file.commit();
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<FileLock> FileLock::take(const fs::path& path) {
  FileLock lock(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (lock.descriptor_ < 0) {
    return fail_errno("this cannot be opened", path.string(), "check the path and its permissions");
  }
  if (!hold(lock.descriptor_) && errno == EWOULDBLOCK) {
    return fail("another process is at work here", path.string(), "wait until it ends, or stop it");
  }
  return lock;
}

StagedFolder::StagedFolder(fs::path path, std::unique_ptr<TemporaryName> temporary,
                           int descriptor) noexcept
    : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

StagedFolder::StagedFolder(StagedFolder&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

StagedFolder::~StagedFolder() {
  temporary_.reset();  // removed while it is held
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<StagedFolder> StagedFolder::create(const fs::path& given) {
  std::error_code code;
  if (fs::exists(given, code) && !(fs::is_directory(given, code) && fs::is_empty(given, code))) {
    return fail("the name is taken", given.string(), "remove it or choose another name");
  }
  fs::path path = given.filename().empty() ? given.parent_path() : given;
  LERP_CHECK(make_folder(parent_of(path)));
  remove_left_behind(path);
  for (;;) {
    LERP_TRY(name, temporary_name(path));
    auto temporary = std::make_unique<TemporaryName>(std::move(name));
    if (::mkdir(temporary->path().c_str(), 0755) != 0) {
      temporary->keep();  // it is not ours
      if (errno == EEXIST) continue;
      return fail_errno("the folder cannot be made", given.string(),
                        "choose a place that can be written to");
    }
    const int descriptor = ::open(temporary->path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) hold(descriptor);
    if (descriptor < 0 || is_linked(descriptor)) {
      return StagedFolder(std::move(path), std::move(temporary), descriptor);
    }
    ::close(descriptor);
  }
}

Result<void> StagedFolder::commit() {
  if (::rename(temporary_->path().c_str(), path_.c_str()) != 0) {
    return fail_errno("the folder cannot be put in place", path_.string(),
                      "choose a place that can be written to");
  }
  temporary_->keep();
  sync_folder(parent_of(path_));
  return {};
}

const fs::path& StagedFolder::path() const {
  return temporary_->path();
}

}  // namespace lerpp
