// SPDX-License-Identifier: Apache-2.0
#include "server/message.hpp"

namespace lerpp {
namespace {

/// The stable word for a status.
std::string_view code_of(int status) {
  switch (status) {
    case 400:
      return "bad_request";
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "not_found";
    case 405:
      return "method_not_allowed";
    case 408:
      return "timeout";
    case 409:
      return "conflict";
    case 413:
      return "too_large";
    case 414:
      return "uri_too_long";
    case 415:
      return "unsupported_type";
    case 429:
      return "too_many_requests";
    case 431:
      return "headers_too_large";
    case 503:
      return "busy";
    default:
      return "failure";
  }
}

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return 400;
    case ErrorKind::interrupted:
      return 503;
    case ErrorKind::failure:
      break;
  }
  return 500;
}

}  // namespace

Refusal::Refusal(Error why) : status(status_of(why.kind)), error(std::move(why)) {}

tl::unexpected<Refusal> refuse(int status, std::string what, std::string where,
                               std::string remedy) {
  return tl::unexpected<Refusal>(
      Refusal(status, Error{std::move(what), std::move(where), std::move(remedy)}));
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

WebReply json_reply(const Json& json, int status) {
  WebReply reply;
  reply.status = status;
  reply.body = dump(json);
  return reply;
}

WebReply refusal_reply(const Refusal& refusal) {
  const Error& error = refusal.error;
  WebReply reply = json_reply({{"error",
                                {{"code", code_of(refusal.status)},
                                 {"what", error.what},
                                 {"where", error.where},
                                 {"remedy", error.remedy},
                                 {"text", to_string(error)}}}},
                              refusal.status);
  if (refusal.status == 401) reply.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (refusal.status == 429 || refusal.status == 503)
    reply.headers.emplace_back("Retry-After", "1");
  return reply;
}

}  // namespace lerpp
