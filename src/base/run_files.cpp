#include "base/run_files.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace lerpp {

Result<void> make_folder(const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (!code) return {};
  return fail("the run folder cannot be made, " + code.message(), path.string(),
              "choose a place that can be written to");
}

Result<FileLock> claim_run_folder(const std::filesystem::path& folder) {
  LERP_CHECK(make_folder(folder));
  // The folder is locked before its config is looked for: of two that start at once, one fails.
  Result<FileLock> lock = FileLock::take(folder);
  std::error_code ignored;
  if (lock && std::filesystem::exists(folder / config_file, ignored)) {
    return fail("there is a run of this name", folder.string(),
                "resume it, remove it or choose another name");
  }
  return lock;
}

tl::unexpected<Error> no_run_folder(const std::filesystem::path& folder) {
  return fail("this is no run folder", folder.string(), "start one with lerp train");
}

Result<void> append_line(const std::filesystem::path& path, const std::string& line) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    return fail_errno("the file cannot be written", path.string(), "make the run folder writable");
  }
  const std::string text = line + "\n";
  const bool written =
      ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fsync(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  if (written) return {};
  errno = error;
  return fail_errno("the file cannot be written", path.string(),
                    "free some space; the last checkpoint is intact, lerp resume goes on from it");
}

}  // namespace lerpp
