// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <lerp/server/server.hpp>

#include "server/message.hpp"

namespace lerpp {

/// Whether an address is one of the machine's own.
bool is_loopback(const std::string& host);
/// In a time that does not depend on where they differ.
bool same_secret(const std::string& left, const std::string& right);

/// Who may ask: those with the token where there is one, and of pages only our own and the one that
/// is allowed.
class Guard {
 public:
  explicit Guard(const ServeOptions& options);

  /// What is answered in place of an answer; none where the request may go on.
  std::optional<WebReply> stop(const WebRequest& request) const;
  /// Headers of every answer to this request, by what kind of thing the answer is.
  void seal(const WebRequest& request, WebReply& reply) const;

 private:
  bool knows_token(const WebRequest& request) const;
  bool is_allowed_origin(const WebRequest& request) const;

  std::string host_;
  std::string token_;
  std::string allow_origin_;
  bool loopback_;
};

}  // namespace lerpp
