// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/observer.hpp>

namespace lerpp {

/// A request, read whole, whatever carried it.
struct WebRequest {
  std::string method;
  std::string path;  ///< decoded
  std::multimap<std::string, std::string> query = {};
  std::map<std::string, std::string> headers = {};  ///< names in small letters
  std::string body = {};
  /// Whether whoever asked has gone.
  std::function<bool()> gone = {};

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

/// An answer.
struct WebReply {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  bool gzip = false;  ///< the body is compressed
  std::vector<std::pair<std::string, std::string>> headers = {};
  /// Of a stream of events: the next piece, which may be empty, or false at the end. Waits a second
  /// at most.
  std::function<bool(std::string&)> events = {};
};

/// What is answered in place of what was asked for.
struct Refusal {
  int status = 500;
  Error error;

  Refusal(int code, Error why) : status(code), error(std::move(why)) {}
  /// What a user did wrong is a bad request; all else is the server's.
  Refusal(Error why);  // NOLINT(google-explicit-constructor): LERP_TRY turns errors into these
};

template <class T>
using Answered = tl::expected<T, Refusal>;

/// So that LERP_TRY takes these as well.
template <class T>
tl::unexpected<Refusal> forward_error(Answered<T>& failed) {
  return tl::unexpected<Refusal>(std::move(failed.error()));
}

tl::unexpected<Refusal> refuse(int status, std::string what, std::string where = {},
                               std::string remedy = {});
/// The same error, answered with another status.
template <class T>
Answered<T> with_status(int status, Result<T> result) {
  if (!result) return tl::unexpected<Refusal>(Refusal(status, std::move(result.error())));
  return std::move(*result);
}

std::string dump(const Json& json);
WebReply json_reply(const Json& json, int status = 200);
WebReply refusal_reply(const Refusal& refusal);

}  // namespace lerpp
