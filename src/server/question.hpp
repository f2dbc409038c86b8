// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "server/message.hpp"

namespace lerpp {

/// Letters of a text, which are more bytes where it is not ASCII.
std::size_t letters(std::string_view text);

/// The fields of a body or of a query, taken one by one, each with its limits. What is wrong with
/// the first wrong one, or that there are others, is told by check().
class Question {
 public:
  /// A JSON object; refused where it is none.
  static Answered<Question> of_body(const WebRequest& request);
  /// The parameters of the address.
  static Question of_query(const WebRequest& request);

  bool has(const std::string& name);
  std::string text(const std::string& name, std::size_t least = 0, std::size_t most = 4096,
                   const std::optional<std::string>& otherwise = std::string());
  /// One that must be given.
  std::string need(const std::string& name, std::size_t most = 4096) {
    return text(name, 1, most, std::nullopt);
  }
  std::string choice(const std::string& name, std::span<const std::string_view> choices,
                     std::optional<std::string_view> otherwise);
  std::uint64_t whole(const std::string& name, std::uint64_t least, std::uint64_t most,
                      std::optional<std::uint64_t> otherwise);
  std::uint32_t small(const std::string& name, std::uint32_t least, std::uint32_t most,
                      std::uint32_t otherwise) {
    return static_cast<std::uint32_t>(whole(name, least, most, otherwise));
  }
  double number(const std::string& name, double least, double most, double otherwise);
  bool flag(const std::string& name, bool otherwise = false);
  /// A list of texts of 1 to so many letters each.
  std::vector<std::string> texts(const std::string& name, std::size_t least, std::size_t most,
                                 std::size_t longest = 4096);
  struct Names {
    std::string head;
    std::string relation;
    std::string tail;
  };
  std::vector<Names> facts(const std::string& name, std::size_t least, std::size_t most);

  Answered<void> check();
  /// The same text for the same fields in whatever order.
  std::string canonical() const;

 private:
  Json* find(const std::string& name);
  void complain(const std::string& name, const std::string& what, const std::string& remedy);

  Json json_ = Json::object();
  bool texts_ = false;  ///< values are texts, of an address
  std::set<std::string> taken_;
  std::optional<Error> error_;
};

}  // namespace lerpp
