// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/base/files.hpp>

/// The safetensors format: 8 bytes with the length of the header, the header in JSON, then the
/// tensors as they lie in memory, little-endian and row-major.
namespace lerpp::safetensors {

enum class Type : std::uint8_t { f32, f64, u64 };

template <class Value>
inline constexpr Type type_of = Value::unsupported;
template <>
inline constexpr Type type_of<float> = Type::f32;
template <>
inline constexpr Type type_of<double> = Type::f64;
template <>
inline constexpr Type type_of<std::uint64_t> = Type::u64;

/// A tensor whose bytes lie elsewhere. Files of others need not align them: read by copy().
struct Entry {
  std::string name;
  Type type = Type::f32;
  std::vector<std::size_t> shape;
  std::string_view bytes;
};

template <class Value>
Entry entry(std::string name, std::vector<std::size_t> shape, std::span<const Value> values) {
  return {std::move(name),
          type_of<Value>,
          std::move(shape),
          {reinterpret_cast<const char*>(values.data()), values.size_bytes()}};
}

template <class Value>
void copy(const Entry& from, std::span<Value> to) {
  assert(from.type == type_of<Value> && from.bytes.size() == to.size_bytes());
  if (!to.empty()) std::memcpy(to.data(), from.bytes.data(), to.size_bytes());
}

using Metadata = std::vector<std::pair<std::string, std::string>>;

/// Texts are UTF-8, names of tensors are distinct. The same input gives the same bytes. The
/// metadata gets the program that wrote the file and a checksum of all that it says.
Result<void> write(const std::filesystem::path& path, const Metadata& metadata,
                   std::span<const Entry> entries);

/// A file whose header was found consistent with its bytes, which it keeps in memory; so was its
/// checksum, where it has one.
class File {
 public:
  static Result<File> read(const std::filesystem::path& path);
  /// `where` names the bytes in errors.
  static Result<File> parse(FileBytes bytes, std::string where);

  const std::string& where() const { return where_; }
  /// Null where there is no such key.
  const std::string* metadata(std::string_view key) const;
  /// A whole number of the metadata.
  Result<std::uint32_t> number(
      std::string_view key, std::uint32_t least = 0,
      std::uint32_t most = std::numeric_limits<std::uint32_t>::max()) const;
  /// The version of the format that the file must be in, which is no newer than `newest`. `foreign`
  /// is told of a file in another format.
  Result<std::uint32_t> require_format(std::string_view name, std::uint32_t newest,
                                       const Error& foreign) const;
  /// Which program wrote it, "lerp 0.1.0".
  std::string writer() const;
  /// In the order of the bytes.
  const std::vector<Entry>& entries() const { return entries_; }
  /// Null where there is no such tensor.
  const Entry* find(std::string_view name) const;
  /// A tensor that must be there, and be so.
  Result<const Entry*> require(std::string_view name, Type type,
                               const std::vector<std::size_t>& shape) const;

 private:
  Result<void> check_sum() const;

  std::string where_;
  FileBytes bytes_;
  std::map<std::string, std::string, std::less<>> metadata_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

/// A name as errors show it: in quotation marks, with control characters escaped.
std::string in_quotes(std::string_view name);

}  // namespace lerpp::safetensors
