// SPDX-License-Identifier: Apache-2.0
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

tl::unexpected<Error> fail_stopped(std::string_view doing, std::string where) {
  return fail("stopped while " + std::string(doing), std::move(where), "start again",
              ErrorKind::interrupted);
}

tl::unexpected<Error> fail_unknown(std::string_view kind, std::string_view name,
                                   std::string remedy) {
  return fail("there is no " + std::string(kind) + " '" + std::string(name) + "'", "",
              std::move(remedy), ErrorKind::usage);
}

tl::unexpected<Error> fail_errno(std::string what, std::string where, std::string remedy) {
  return fail(std::move(what) + ", " + std::generic_category().message(errno), std::move(where),
              std::move(remedy));
}

}  // namespace lerpp
