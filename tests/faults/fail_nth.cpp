// SPDX-License-Identifier: Apache-2.0
// Preloaded into the program under test: counts what it asks of the system, and lets the n-th of a
// kind fail.
//
//     FAULT_KIND=write FAULT_AT=3 FAULT_ERROR=28 LD_PRELOAD=libfail_nth.so lerp …
//
// FAULT_STAYS=1 lets all that come after fail too, as a disk stays full. FAULT_COUNT names a file
// that is told how many there were. FAULT_TRACE=1 writes to standard error who made the call that
// failed. Only what happens between the beginning and the end of main() counts: the C library asks
// for more.

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// What the C library calls its own allocator by, whoever replaces it.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<bool> armed = false;
std::atomic<long> counted = 0;
long fails_at = 0;
int error_number = 0;
bool stays = false;
bool traced = false;
const char* kind = "";
const char* count_file = nullptr;

/// Whether this call is the one that fails; `errno` is set then.
bool fails(const char* what) {
  if (!armed.load(std::memory_order_relaxed) || std::strcmp(kind, what) != 0) return false;
  const long number = ++counted;
  if (fails_at == 0 || (stays ? number < fails_at : number != fails_at)) return false;
  if (traced) {
    void* callers[48];
    ::backtrace_symbols_fd(callers, ::backtrace(callers, 48), STDERR_FILENO);
  }
  errno = error_number;
  return true;
}

long number_of(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? 0 : std::atol(text);
}

void tell_count() {
  if (count_file == nullptr) return;
  char text[24];
  const int size = std::snprintf(text, sizeof text, "%ld", counted.load());
  const long file = ::syscall(SYS_openat, AT_FDCWD, count_file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ::syscall(SYS_write, file, text, static_cast<std::size_t>(size));
  ::syscall(SYS_close, file);
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int watched_main(int count, char** words, char** environment) {
  const char* const wanted = std::getenv("FAULT_KIND");
  kind = wanted == nullptr ? "" : wanted;
  count_file = std::getenv("FAULT_COUNT");
  fails_at = number_of("FAULT_AT");
  error_number = static_cast<int>(number_of("FAULT_ERROR"));
  stays = number_of("FAULT_STAYS") != 0;
  traced = number_of("FAULT_TRACE") != 0;
  void* nobody = nullptr;
  ::backtrace(&nobody, 1);  // the first call asks for memory itself
  armed = true;
  const int status = real_main(count, words, environment);
  armed = false;
  tell_count();
  return status;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

int open_at(int folder, const char* path, int flags, unsigned mode) {
  if (fails("open")) return -1;
  return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

unsigned mode_of(int flags, va_list rest) {
  return (flags & O_CREAT) != 0 ? va_arg(rest, unsigned) : 0;
}

}  // namespace

extern "C" {

int __libc_start_main(Main main, int count, char** words, void (*begin)(), void (*end)(),
                      void (*last)(), void* stack) {
  real_main = main;
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(watched_main, count, words, begin, end, last, stack);
}

void* malloc(std::size_t size) {
  return fails("memory") ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  return fails("memory") ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  return fails("memory") ? nullptr : __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails("memory") ? nullptr : __libc_memalign(alignment, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return fails("memory") ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (fails("memory")) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}

void* mmap(void* address, std::size_t size, int access, int flags, int file, off_t offset) {
  if (fails("mmap")) return MAP_FAILED;
  return reinterpret_cast<void*>(::syscall(SYS_mmap, address, size, access, flags, file, offset));
}
void* mmap64(void* address, std::size_t size, int access, int flags, int file, off_t offset) {
  return mmap(address, size, access, flags, file, offset);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = mode_of(flags, rest);
  va_end(rest);
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = mode_of(flags, rest);
  va_end(rest);
  return open_at(AT_FDCWD, path, flags, mode);
}
int mkdir(const char* path, mode_t mode) {
  if (fails("open")) return -1;
  return static_cast<int>(::syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

ssize_t read(int file, void* room, std::size_t size) {
  return fails("read") ? -1 : ::syscall(SYS_read, file, room, size);
}
ssize_t write(int file, const void* bytes, std::size_t size) {
  return fails("write") ? -1 : ::syscall(SYS_write, file, bytes, size);
}
// As SQLite reads and writes.
ssize_t pread(int file, void* room, std::size_t size, off_t at) {
  return fails("read") ? -1 : ::syscall(SYS_pread64, file, room, size, at);
}
ssize_t pread64(int file, void* room, std::size_t size, off_t at) {
  return pread(file, room, size, at);
}
ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  return fails("write") ? -1 : ::syscall(SYS_pwrite64, file, bytes, size, at);
}
ssize_t pwrite64(int file, const void* bytes, std::size_t size, off_t at) {
  return pwrite(file, bytes, size, at);
}
int fsync(int file) {
  return fails("fsync") ? -1 : static_cast<int>(::syscall(SYS_fsync, file));
}
int fdatasync(int file) {
  return fails("fsync") ? -1 : static_cast<int>(::syscall(SYS_fdatasync, file));
}
int socket(int domain, int type, int protocol) noexcept {
  if (fails("socket")) return -1;
  return static_cast<int>(::syscall(SYS_socket, domain, type, protocol));
}
int accept(int socket, sockaddr* address, socklen_t* size) {
  if (fails("socket")) return -1;
  return static_cast<int>(::syscall(SYS_accept4, socket, address, size, 0));
}
int accept4(int socket, sockaddr* address, socklen_t* size, int flags) {
  if (fails("socket")) return -1;
  return static_cast<int>(::syscall(SYS_accept4, socket, address, size, flags));
}
ssize_t recv(int socket, void* room, std::size_t size, int flags) {
  if (fails("socket")) return -1;
  return ::syscall(SYS_recvfrom, socket, room, size, flags, nullptr, nullptr);
}
ssize_t send(int socket, const void* bytes, std::size_t size, int flags) {
  if (fails("socket")) return -1;
  return ::syscall(SYS_sendto, socket, bytes, size, flags, nullptr, 0);
}
int rename(const char* from, const char* to) noexcept {
  if (fails("rename")) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  if (fails("thread")) return EAGAIN;
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = next<Create>("pthread_create");
  return create(thread, attributes, start, argument);
}

}  // extern "C"
