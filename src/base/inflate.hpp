// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <lerp/base/error.hpp>

/// What the readers of compressed bytes share.
namespace lerpp {

/// Bytes that grow while they are inflated, up to a limit; 0 is what the machine's memory holds.
class Inflated {
 public:
  Inflated(std::string_view kind, std::size_t given, const std::string& where, std::uint64_t most);

  /// Makes room for more; fails where the limit is passed.
  Result<void> make_room();
  char* room() { return bytes_.data() + used_; }
  std::size_t room_size() const { return bytes_.size() - used_; }
  void use(std::size_t made) { used_ += made; }

  /// All bytes; fails where they pass the limit.
  Result<std::string> take();

  /// "the gzip data is damaged"
  tl::unexpected<Error> damaged(std::string_view how) const;

 private:
  Result<void> check() const;

  std::string bytes_;
  std::size_t used_ = 0;
  std::string_view kind_;
  std::size_t given_;
  const std::string& where_;
  std::uint64_t most_;
  bool asked_for_;  ///< who gave the limit can give another
};

inline constexpr std::string_view xz_magic{
    "\xFD"
    "7zXZ\0",
    6};
inline constexpr std::string_view bzip2_magic = "BZh";
inline constexpr std::string_view zip_magic = "PK\x03\x04";

Result<std::string> inflate_xz(std::string_view bytes, const std::string& where,
                               std::uint64_t most);
Result<std::string> inflate_bzip2(std::string_view bytes, const std::string& where,
                                  std::uint64_t most);
/// The one file of an archive.
Result<std::string> inflate_zip(std::string_view bytes, const std::string& where,
                                std::uint64_t most);

}  // namespace lerpp
