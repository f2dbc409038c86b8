// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "model/safetensors.hpp"

/// Checkpoints: the numbers and values of a state by name, which come back digit for digit. One
/// function that names them serves both ways.
namespace lerpp {

class StateWriter {
 public:
  StateWriter();

  template <class Number>
  void number(const char* name, const Number& value) {
    metadata_.emplace_back(name, fmt::format("{}", value));
  }
  /// The values must outlive the writer.
  template <class Value>
  void values(std::string name, std::span<const Value> values) {
    entries_.push_back(safetensors::entry<Value>(std::move(name), {values.size()}, values));
  }

  void add(const safetensors::Entry& entry) { entries_.push_back(entry); }

  Result<void> write(const std::filesystem::path& path) const;

 private:
  safetensors::Metadata metadata_;
  std::vector<safetensors::Entry> entries_;
};

/// The first thing that is wrong is remembered, and told by finish().
class StateReader {
 public:
  /// For a file that is damaged.
  static constexpr const char* remedy = "remove the checkpoint folder to start this run anew";

  static Result<StateReader> open(const std::filesystem::path& path);

  const safetensors::File& file() const { return file_; }
  bool has(const char* name) const { return file_.metadata(name) != nullptr; }

  template <class Number>
  void number(const char* name, Number& value) {
    const std::string* const text = file_.metadata(name);
    if (text == nullptr) return lack_number();
    const char* const end = text->data() + text->size();
    const auto [stop, code] = std::from_chars(text->data(), end, value);
    if (code != std::errc() || stop != end) lack_number();
  }
  /// The values have the size that is expected.
  template <class Value>
  void values(const std::string& name, std::span<Value> values) {
    if (!outcome_) return;
    auto entry = file_.require(name, safetensors::type_of<Value>, {values.size()});
    if (entry) {
      safetensors::copy(**entry, values);
    } else {
      outcome_ = forward_error(entry);
    }
  }

  Result<void> finish() { return std::move(outcome_); }

 private:
  explicit StateReader(safetensors::File file) : file_(std::move(file)) {}
  void lack_number();

  safetensors::File file_;
  Result<void> outcome_;
};

}  // namespace lerpp
