// SPDX-License-Identifier: Apache-2.0
#include "model/safetensors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lerp/base/json.hpp>
#include <lerp/base/version.hpp>

#include "base/checksum.hpp"

namespace lerpp::safetensors {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");
static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));

constexpr std::size_t length_bytes = 8;
/// The reference reader takes no more.
constexpr std::size_t most_header_bytes = 100'000'000;
constexpr std::string_view metadata_key = "__metadata__";
/// The sum of all that a file says, itself left out. Files of others, and older ones, have none.
constexpr std::string_view checksum_key = "checksum";
/// How it is taken. A later program may know a better way, which this one cannot check.
constexpr std::string_view checksum_start = "xxh3:";
/// Which lerp wrote a file.
constexpr std::string_view program_key = "program";

constexpr const char* foreign = "give a file that lerp wrote, such as model.safetensors of a run";
constexpr const char* damaged = "the file is damaged, copy or write it again";
constexpr const char* cut_short = "the file is cut short, copy or write it again";

struct TypeInfo {
  Type type;
  std::string_view name;
  std::size_t size;
};
constexpr std::array<TypeInfo, 3> types = {
    {{Type::f32, "F32", 4}, {Type::f64, "F64", 8}, {Type::u64, "U64", 8}}};

const TypeInfo& info(Type type) {
  return types[static_cast<std::size_t>(type)];
}

/// The bytes of a tensor, or nothing where they cannot be counted.
std::optional<std::size_t> bytes_of(Type type, std::span<const std::size_t> shape) {
  std::size_t bytes = info(type).size;
  for (const std::size_t dimension : shape) {
    if (__builtin_mul_overflow(bytes, dimension, &bytes)) return std::nullopt;
  }
  return bytes;
}

/// Of what a file says, however its header puts it: other programs sort and space it as they like.
std::string checksum_of(Metadata metadata, std::span<const Entry> entries) {
  std::sort(metadata.begin(), metadata.end());
  std::vector<const Entry*> sorted;
  sorted.reserve(entries.size());
  for (const Entry& entry : entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const Entry* a, const Entry* b) { return a->name < b->name; });
  Checksum sum;
  for (const auto& [key, value] : metadata) {
    if (key == checksum_key) continue;
    // As the header spells them: what is not UTF-8 is replaced there.
    sum.add_piece(in_quotes(key));
    sum.add_piece(in_quotes(value));
  }
  for (const Entry* entry : sorted) {
    sum.add_piece(in_quotes(entry->name));
    sum.add_piece(info(entry->type).name);
    sum.add_piece(fmt::format("{}", fmt::join(entry->shape, ",")));
    sum.add_piece(entry->bytes);
  }
  return fmt::format("{}{}", checksum_start, sum.text());
}

/// The metadata as it is written.
Metadata signed_metadata(Metadata metadata, std::span<const Entry> entries) {
  metadata.emplace_back(program_key, fmt::format("lerp {}", program_version));
  std::string sum = checksum_of(metadata, entries);
  metadata.emplace_back(checksum_key, std::move(sum));
  return metadata;
}

std::string to_json(const Metadata& metadata, std::span<const Entry> entries) {
  Json header = Json::object();
  Json& texts = header[metadata_key] = Json::object();
  for (const auto& [key, value] : metadata) texts[key] = value;
  std::size_t offset = 0;
  for (const Entry& entry : entries) {
    assert(!header.contains(entry.name));
    assert(bytes_of(entry.type, entry.shape) == entry.bytes.size());
    const std::size_t end = offset + entry.bytes.size();
    header[entry.name] = {
        {"dtype", info(entry.type).name}, {"shape", entry.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  // Replacing keeps a text that is not UTF-8, a bug of the caller's, from throwing.
  return header.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<std::string_view> header_of(std::string_view file, const std::string& where) {
  if (file.empty()) return fail("the file is empty", where, cut_short);
  std::uint64_t length = 0;
  if (file.size() < length_bytes) return fail("this is no safetensors file", where, foreign);
  std::memcpy(&length, file.data(), length_bytes);
  if (length < 2 || length > most_header_bytes) {
    return fail("this is no safetensors file", where, foreign);
  }
  file.remove_prefix(length_bytes);
  if (!file.empty() && file.front() != '{') {
    return fail("this is no safetensors file", where, foreign);
  }
  if (length > file.size()) return fail("the file ends inside its header", where, cut_short);
  return file.substr(0, length);
}

/// Not the ordered kind: that one is slow with very many keys, and offsets give the order.
Result<nlohmann::json> parse_header(std::string_view text, const std::string& where) {
  using Parsed = nlohmann::json;
  std::array<std::set<std::string>, 3> keys;
  std::optional<std::string> repeated;
  bool too_deep = false;
  // A key given twice would let two readers see two different files.
  const auto watch = [&](int depth, Parsed::parse_event_t event, Parsed& value) {
    const auto level = static_cast<std::size_t>(depth);
    // Nothing of the format lies deeper than numbers in lists; what does is not worth memory.
    if (level >= keys.size()) {
      if (event != Parsed::parse_event_t::value) too_deep = true;
      return event == Parsed::parse_event_t::value;
    }
    if (event == Parsed::parse_event_t::object_start && level + 1 < keys.size()) {
      keys[level + 1].clear();
    } else if (event == Parsed::parse_event_t::key) {
      const auto& name = value.get_ref<const std::string&>();
      if (!keys[level].insert(name).second) repeated = name;
    }
    return true;
  };
  Parsed header = Parsed::parse(text, watch, false);
  if (too_deep || !header.is_object()) {
    return fail("the header is no JSON object of tensors", where, damaged);
  }
  if (repeated) {
    return fail(fmt::format("the header has {} twice", in_quotes(*repeated)), where, damaged);
  }
  return header;
}

/// An unsigned list, or nothing.
std::optional<std::vector<std::size_t>> list_of(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return std::nullopt;
  std::vector<std::size_t> numbers;
  numbers.reserve(found->size());
  for (const auto& number : *found) {
    if (!number.is_number_unsigned()) return std::nullopt;
    numbers.push_back(number.get<std::size_t>());
  }
  return numbers;
}

Result<Entry> parse_entry(const std::string& name, const nlohmann::json& object,
                          std::string_view data, const std::string& where) {
  const auto problem = [&](std::string_view what, const char* remedy = damaged) {
    return fail(fmt::format("the tensor {} {}", in_quotes(name), what), where, remedy);
  };
  if (!object.is_object()) return problem("is not described by a JSON object");
  const auto dtype = object.find("dtype");
  if (dtype == object.end() || !dtype->is_string()) return problem("has no dtype");
  const auto& type_name = dtype->get_ref<const std::string&>();
  const auto* const type = std::find_if(types.begin(), types.end(),
                                        [&](const TypeInfo& t) { return t.name == type_name; });
  if (type == types.end()) {
    return problem(fmt::format("is of type {}, which is not F32, F64 or U64", in_quotes(type_name)),
                   foreign);
  }
  auto shape = list_of(object, "shape");
  if (!shape) return problem("has no shape");
  const auto offsets = list_of(object, "data_offsets");
  if (!offsets || offsets->size() != 2) return problem("has no data_offsets");
  const auto [begin, end] = std::pair((*offsets)[0], (*offsets)[1]);
  if (begin > end) return problem("ends before it begins");
  const auto bytes = bytes_of(type->type, *shape);
  if (!bytes) return problem("has a shape beyond all memory");
  if (*bytes != end - begin) {
    return problem(fmt::format("takes {} bytes, its shape asks for {}", end - begin, *bytes));
  }
  if (end > data.size()) {
    return problem(fmt::format("goes to byte {} of {}", end, data.size()), cut_short);
  }
  return Entry{name, type->type, std::move(*shape), data.substr(begin, end - begin)};
}

/// The tensors cover the data without holes, as the reference reader demands: nothing can hide.
Result<void> check_cover(std::span<const Entry> entries, std::string_view data,
                         const std::string& where) {
  std::size_t covered = 0;
  for (const Entry& entry : entries) {
    const auto begin = static_cast<std::size_t>(entry.bytes.data() - data.data());
    if (begin < covered) {
      return fail(fmt::format("the tensor {} overlaps another", in_quotes(entry.name)), where,
                  damaged);
    }
    if (begin > covered) {
      return fail(fmt::format("{} bytes before the tensor {} belong to none", begin - covered,
                              in_quotes(entry.name)),
                  where, damaged);
    }
    covered += entry.bytes.size();
  }
  if (covered == data.size()) return {};
  return fail(fmt::format("{} bytes after the last tensor belong to none", data.size() - covered),
              where, damaged);
}

std::string shape_text(std::span<const std::size_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace

std::string in_quotes(std::string_view name) {
  return Json(name).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<void> write(const std::filesystem::path& path, const Metadata& metadata,
                   std::span<const Entry> entries) {
  std::string header = to_json(signed_metadata(metadata, entries), entries);
  // Aligned data can be used where it is mapped. A multiple of 8 also cannot look like gzip.
  header.resize((header.size() + 7) / 8 * 8, ' ');
  if (header.size() > most_header_bytes) {
    return fail(fmt::format("the header would take {} bytes", header.size()), path.string(),
                "use fewer or shorter names, 100 MB is the most");
  }
  const std::uint64_t length = header.size();
  std::array<char, length_bytes> prefix = {};
  std::memcpy(prefix.data(), &length, length_bytes);
  LERP_TRY(file, AtomicFile::create(path));
  file.write({prefix.data(), prefix.size()});
  file.write(header);
  for (const Entry& entry : entries) file.write(entry.bytes);
  return file.commit();
}

Result<File> File::read(const std::filesystem::path& path) {
  LERP_TRY(bytes, read_file(path));
  return parse(std::move(bytes), path.string());
}

Result<File> File::parse(FileBytes bytes, std::string where) {
  LERP_TRY(text, header_of(bytes.view(), where));
  LERP_TRY(header, parse_header(text, where));
  const std::string_view data = bytes.view().substr(length_bytes + text.size());
  File file;
  for (const auto& [name, value] : header.items()) {
    if (name != metadata_key) {
      LERP_TRY(entry, parse_entry(name, value, data, where));
      file.entries_.push_back(std::move(entry));
      continue;
    }
    if (!value.is_object()) return fail("the metadata is no JSON object", where, damaged);
    for (const auto& [key, content] : value.items()) {
      if (!content.is_string()) {
        return fail(fmt::format("the metadata {} is no text", in_quotes(key)), where, damaged);
      }
      file.metadata_[key] = content.get<std::string>();
    }
  }
  // By size where the beginnings are the same: empty tensors overlap nothing.
  std::stable_sort(file.entries_.begin(), file.entries_.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.bytes.data(), a.bytes.size()) < std::pair(b.bytes.data(), b.bytes.size());
  });
  LERP_CHECK(check_cover(file.entries_, data, where));
  for (std::size_t i = 0; i < file.entries_.size(); ++i) file.places_[file.entries_[i].name] = i;
  file.where_ = std::move(where);
  file.bytes_ = std::move(bytes);
  LERP_CHECK(file.check_sum());
  return file;
}

Result<void> File::check_sum() const {
  const std::string* const sum = metadata(checksum_key);
  if (sum == nullptr || !sum->starts_with(checksum_start)) return {};
  if (*sum == checksum_of({metadata_.begin(), metadata_.end()}, entries_)) return {};
  return fail("the content does not match its checksum", where_,
              "the file is damaged, copy or write it again; whoever changed it on purpose removes "
              "the checksum from its metadata");
}

const std::string* File::metadata(std::string_view key) const {
  const auto found = metadata_.find(key);
  return found == metadata_.end() ? nullptr : &found->second;
}

const Entry* File::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &entries_[found->second];
}

Result<std::uint32_t> File::number(std::string_view key, std::uint32_t least,
                                   std::uint32_t most) const {
  const std::string* const text = metadata(key);
  if (text == nullptr)
    return fail(fmt::format("the metadata has no {}", in_quotes(key)), where_, damaged);
  std::uint32_t number = 0;
  const char* const end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc() || stop != end || number < least || number > most) {
    return fail(
        fmt::format("{} is {}, which is no number from {} on", key, in_quotes(*text), least),
        where_, damaged);
  }
  return number;
}

std::string File::writer() const {
  const std::string* const program = metadata(program_key);
  return program == nullptr ? "an early lerp" : *program;
}

Result<std::uint32_t> File::require_format(std::string_view name, std::uint32_t newest,
                                           const Error& foreign) const {
  const std::string* const format = metadata("format");
  if (format == nullptr || *format != name) return tl::unexpected<Error>(foreign);
  LERP_TRY(version, number("version", 1));
  if (version > newest) {
    return fail(fmt::format("version {} of the format, which {} wrote, is newer than this program",
                            version, writer()),
                where_, fmt::format("get a lerp newer than {}", program_version));
  }
  return version;
}

Result<const Entry*> File::require(std::string_view name, Type type,
                                   const std::vector<std::size_t>& shape) const {
  const Entry* const entry = find(name);
  if (entry == nullptr) {
    return fail(fmt::format("the tensor {} is missing", in_quotes(name)), where_, damaged);
  }
  if (entry->type != type) {
    return fail(fmt::format("the tensor {} is of type {} instead of {}", in_quotes(name),
                            info(entry->type).name, info(type).name),
                where_, fmt::format("write it as {}", info(type).name));
  }
  if (entry->shape != shape) {
    return fail(fmt::format("the tensor {} has the shape {} instead of {}", in_quotes(name),
                            shape_text(entry->shape), shape_text(shape)),
                where_, damaged);
  }
  return entry;
}

}  // namespace lerpp::safetensors
