#include <cerrno>
#include <system_error>

#include <lerp/base/error.hpp>

namespace lerpp {

std::string to_string(const Error& error) {
  std::string text = error.what;
  if (!error.where.empty()) text += " (" + error.where + ")";
  if (!error.remedy.empty()) text += ": " + error.remedy;
  return text;
}

tl::unexpected<Error> fail_errno(std::string what, std::string where, std::string remedy) {
  return fail(std::move(what) + ", " + std::generic_category().message(errno), std::move(where),
              std::move(remedy));
}

}  // namespace lerpp
