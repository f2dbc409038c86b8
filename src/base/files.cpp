#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lerp/base/files.hpp>

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

/// A name beside the final one, so that the rename stays within one file system.
fs::path temporary_name(const fs::path& path) {
  fs::path name = path;
  if (name.filename().empty()) name = name.parent_path();
  name += fmt::format(".{}.part", ::getpid());
  return name;
}

fs::path parent_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Makes a rename durable. Not every file system lets a folder be synced: that is no error.
void sync_folder(const fs::path& folder) {
  Descriptor descriptor{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (descriptor.value >= 0) ::fsync(descriptor.value);
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (!code) return {};
  return fail("the folder cannot be made, " + code.message(), folder.string(),
              "choose a place that can be written to");
}

Result<std::string> read_stream(int descriptor, const std::string& where) {
  std::string bytes;
  for (;;) {
    const std::size_t size = bytes.size();
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

}  // namespace

FileBytes::FileBytes(std::string owned) {
  auto held = std::make_shared<const std::string>(std::move(owned));
  view_ = *held;
  owner_ = std::move(held);
}

Result<FileBytes> read_file(const fs::path& path) {
  const std::string where = path.string();
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
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
    void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value, 0);
    if (address == MAP_FAILED) {
      return fail_errno("the file cannot be mapped", where, "check free memory");
    }
    ::madvise(address, size, MADV_WILLNEED);
    result.owner_ = std::shared_ptr<const void>(
        address, [size](const void* start) { ::munmap(const_cast<void*>(start), size); });
    result.view_ = {static_cast<const char*>(address), size};
  } else if (!S_ISREG(status.st_mode)) {
    LERP_TRY(bytes, read_stream(file.value, where));
    result = FileBytes(std::move(bytes));
  }
  if (is_compressed(result.view_)) {
    LERP_TRY(plain, inflate(result.view_, where));
    result = FileBytes(std::move(plain));
  }
  return result;
}

AtomicFile::AtomicFile(fs::path path, fs::path temporary, int descriptor)
    : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {
  buffer_.reserve(buffer_bytes);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      buffer_(std::move(other.buffer_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      error_(other.error_) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<AtomicFile> AtomicFile::create(const fs::path& given) {
  LERP_CHECK(make_folder(parent_of(given)));
  // A link stays a link: what it leads to is replaced.
  std::error_code code;
  const fs::path resolved = fs::canonical(given, code);
  const fs::path path = code ? given : resolved;
  // A terminal, a pipe or a device is no file that could be replaced: it is written to as it is.
  const bool direct = fs::exists(path, code) && !fs::is_regular_file(path, code);
  fs::path temporary = direct ? path : temporary_name(path);
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    return fail_errno("the file cannot be written", path.string(),
                      "choose a place that can be written to");
  }
  if (direct) temporary.clear();
  return AtomicFile(path, std::move(temporary), descriptor);
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
  const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
  if (error_ == 0 && !closed) error_ = errno;
  if (error_ == 0 && !temporary_.empty() && ::rename(temporary_.c_str(), path_.c_str()) != 0) {
    error_ = errno;
  }
  if (error_ != 0) {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
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
  int status = 0;
  do {
    status = ::flock(lock.descriptor_, LOCK_EX | LOCK_NB);
  } while (status != 0 && errno == EINTR);
  if (status != 0 && errno == EWOULDBLOCK) {
    return fail("another process is at work here", path.string(), "wait until it ends, or stop it");
  }
  return lock;
}

StagedFolder::StagedFolder(fs::path path, fs::path temporary)
    : path_(std::move(path)), temporary_(std::move(temporary)) {}

StagedFolder::StagedFolder(StagedFolder&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}

StagedFolder::~StagedFolder() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

Result<StagedFolder> StagedFolder::create(const fs::path& path) {
  std::error_code code;
  if (fs::exists(path, code) && !(fs::is_directory(path, code) && fs::is_empty(path, code))) {
    return fail("the name is taken", path.string(), "remove it or choose another name");
  }
  fs::path temporary = temporary_name(path);
  LERP_CHECK(make_folder(temporary));
  return StagedFolder(path, std::move(temporary));
}

Result<void> StagedFolder::commit() {
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return fail_errno("the folder cannot be put in place", path_.string(),
                      "choose a place that can be written to");
  }
  temporary_.clear();
  sync_folder(parent_of(path_));
  return {};
}

}  // namespace lerpp
