// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lerpp {

/// Writes a page. Text is escaped; what is opened is closed in order.
class Html {
 public:
  void open(std::string_view tag, std::string_view attributes = {});
  void close();
  /// A whole element.
  void element(std::string_view tag, std::string_view text, std::string_view attributes = {});
  void text(std::string_view text);
  /// Markup as it is.
  void raw(std::string_view markup) { out_ += markup; }

  struct Table {
    std::string caption;
    std::vector<std::string> heads;
    std::vector<std::vector<std::string>> rows;  ///< the first cell of each is its head
  };
  /// Scrolls inside its own box where it is too wide.
  void table(const Table& table);
  /// A picture that scrolls likewise.
  void figure(std::string_view svg, std::string_view caption);

  std::string take() { return std::move(out_); }

 private:
  /// A box that scrolls, and that the keyboard can reach.
  void open_scroll(std::string_view label);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace lerpp
