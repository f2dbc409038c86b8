// SPDX-License-Identifier: Apache-2.0
#include "server/guard.hpp"

#include <array>
#include <random>

#include <arpa/inet.h>

namespace lerpp {
namespace {

constexpr const char* cookie_name = "lerp_token=";

/// "[::1]:8977" as "::1", "localhost:8977" as "localhost".
std::string host_of(std::string text) {
  if (text.starts_with('[')) return text.substr(1, text.find(']') - 1);
  text.resize(std::min(text.find(':'), text.size()));
  return text;
}

}  // namespace

bool is_loopback(const std::string& host) {
  if (host == "localhost" || host == "::1") return true;
  in_addr address = {};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 && (ntohl(address.s_addr) >> 24U) == 127;
}

bool same_secret(const std::string& left, const std::string& right) {
  unsigned different = left.size() == right.size() ? 0 : 1;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const char other = right.empty() ? '\0' : right[i % right.size()];
    different |= static_cast<unsigned>(static_cast<unsigned char>(left[i] ^ other));
  }
  return different == 0;
}

std::string new_token() {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr std::size_t size = 32;
  std::random_device random;
  std::uniform_int_distribution<std::size_t> place(0, letters.size() - 1);
  std::string token;
  while (token.size() < size) token += letters[place(random)];
  return token;
}

Guard::Guard(const ServeOptions& options)
    : host_(options.host),
      token_(options.token),
      allow_origin_(options.allow_origin),
      loopback_(is_loopback(options.host)) {}

bool Guard::knows_token(const WebRequest& request) const {
  constexpr std::string_view bearer = "Bearer ";
  if (const std::string given = request.header("authorization"); given.starts_with(bearer))
    return same_secret(given.substr(bearer.size()), token_);
  const std::string cookies = request.header("cookie");
  std::size_t at = 0;
  while (at < cookies.size()) {
    const std::size_t end = std::min(cookies.find(';', at), cookies.size());
    std::string_view one = std::string_view(cookies).substr(at, end - at);
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.starts_with(cookie_name))
      return same_secret(std::string(one.substr(std::string_view(cookie_name).size())), token_);
    at = end + 1;
  }
  return false;
}

bool Guard::is_allowed_origin(const WebRequest& request) const {
  const std::string origin = request.header("origin");
  return !origin.empty() && !allow_origin_.empty() && origin == allow_origin_;
}

std::optional<WebReply> Guard::stop(const WebRequest& request) const {
  const std::string host = request.header("host");
  // A page elsewhere whose name was made to lead here would ask in its own name.
  if (loopback_ && !is_loopback(host_of(host)) && host_of(host) != host_) {
    return refusal_reply(
        {403, {"the Host is not this machine", "", "use the address that lerp serve prints"}});
  }
  const std::string origin = request.header("origin");
  const bool own = origin.empty() || origin == "http://" + host || origin == "https://" + host;
  if (!own && !is_allowed_origin(request))
    return refusal_reply({403, {"another origin asks", "", "start with --allow-origin"}});
  if (request.method == "OPTIONS" && is_allowed_origin(request)) {
    WebReply reply;
    reply.status = 204;
    reply.headers = {{"Access-Control-Allow-Methods", "GET, POST"},
                     {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
                     {"Access-Control-Max-Age", "600"}};
    return reply;
  }
  if (token_.empty()) return {};
  if (request.path == "/" && request.method == "GET") {
    const auto given = request.query.find("token");
    if (given != request.query.end() && same_secret(given->second, token_)) {
      WebReply reply;
      reply.status = 303;
      reply.type = "text/plain";
      reply.headers = {{"Location", "/"},
                       {"Set-Cookie",
                        std::string(cookie_name) + token_ + "; Path=/; HttpOnly; SameSite=Strict"}};
      return reply;
    }
  }
  if (knows_token(request)) return {};
  return refusal_reply({401,
                        {"a token is needed", "",
                         "open the link that lerp serve prints, or send Authorization: Bearer"}});
}

void Guard::seal(const WebRequest& request, WebReply& reply) const {
  const bool picture = reply.type == "image/svg+xml";
  reply.headers.emplace_back(
      "Content-Security-Policy",
      picture ? "default-src 'none'; style-src 'unsafe-inline'; sandbox"
              : "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: "
                "blob:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; "
                "frame-ancestors 'none'");
  reply.headers.emplace_back("X-Content-Type-Options", "nosniff");
  reply.headers.emplace_back("Referrer-Policy", "no-referrer");
  reply.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  if (is_allowed_origin(request)) {
    reply.headers.emplace_back("Access-Control-Allow-Origin", allow_origin_);
    if (!token_.empty()) reply.headers.emplace_back("Access-Control-Allow-Credentials", "true");
    reply.headers.emplace_back("Vary", "Origin");
  } else {
    reply.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  }
}

}  // namespace lerpp
