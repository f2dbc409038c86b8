// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace lerpp {

/// Decides the exit status of the command line: 1, 2 and 130.
enum class ErrorKind { failure, usage, interrupted };

/// A mistake of the user's or the machine's, told in one sentence. Bugs of ours are asserts
/// instead.
struct Error {
  std::string what;    ///< what is wrong: "the line has 2 columns instead of 3"
  std::string where;   ///< file and line: "train.txt, line 17"; may be empty
  std::string remedy;  ///< what to do: "separate subject, relation and object by tabs"
  ErrorKind kind = ErrorKind::failure;
};

/// "what is wrong (where): what to do"
std::string to_string(const Error& error);

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string what, std::string where, std::string remedy,
                                  ErrorKind kind = ErrorKind::failure) {
  return tl::unexpected<Error>(Error{std::move(what), std::move(where), std::move(remedy), kind});
}

/// The error of a failed result, ready to be returned from a function of another result type.
template <class T>
tl::unexpected<Error> forward_error(Result<T>& failed) {
  return tl::unexpected<Error>(std::move(failed.error()));
}

/// "stopped while ranking": what an observer's wish to stop ends with.
tl::unexpected<Error> fail_stopped(std::string_view doing, std::string where = {});

/// "there is no preset 'papers'", where a name is none of those known.
tl::unexpected<Error> fail_unknown(std::string_view kind, std::string_view name,
                                   std::string remedy);

/// What a system call left in `errno`, in words.
tl::unexpected<Error> fail_errno(std::string what, std::string where, std::string remedy);

}  // namespace lerpp

/// Declares `variable` from a Result, or returns its error from the enclosing function.
#define LERP_TRY(variable, expression)                                      \
  auto variable##_result = (expression);                                    \
  if (!variable##_result) return ::lerpp::forward_error(variable##_result); \
  auto&& variable = *variable##_result

/// Returns the error of a Result<void> from the enclosing function.
#define LERP_CHECK(expression)                             \
  if (auto checked_result = (expression); !checked_result) \
  return ::lerpp::forward_error(checked_result)
