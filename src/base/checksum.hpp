// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace lerpp {

/// A sum of bytes that tells accidents apart (XXH3, 128 bits). It is no protection against someone
/// who wants two files to have the same.
class Checksum {
 public:
  Checksum();

  void add(std::string_view bytes);
  /// Their number first, so that where one piece ends and the next begins is part of the sum.
  void add_piece(std::string_view bytes);
  /// 32 hexadecimal digits.
  std::string text() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace lerpp
