// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include <bzlib.h>
#include <fmt/format.h>
#include <lzma.h>
#include <zip.h>

#include "base/inflate.hpp"

namespace lerpp {
namespace {

using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using ArchiveFile = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

/// A file that is a zip archive only within.
struct Document {
  std::string_view part;  ///< that its archive holds
  std::string_view what;
  std::string_view remedy;
};
constexpr std::array documents = {
    Document{"xl/workbook.xml", "an Excel workbook", "save it as CSV"},
    Document{"word/document.xml", "a Word document", "save its table as CSV"},
    Document{"ppt/presentation.xml", "a PowerPoint presentation", "save its table as CSV"},
    Document{"mimetype", "an OpenDocument or EPUB file", "save its table as CSV"},
    Document{"META-INF/MANIFEST.MF", "a Java archive", "give a file of facts"}};

/// The archive over bytes in memory, which must outlive it.
Archive open_archive(std::string_view bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  Archive archive(source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error),
                  &zip_discard);
  if (!archive && source != nullptr) zip_source_free(source);
  zip_error_fini(&error);
  return archive;
}

/// Folders, and what macOS adds, are no files of their own.
bool is_file(std::string_view name) {
  return !name.ends_with('/') && !name.starts_with("__MACOSX/") && !name.ends_with(".DS_Store");
}

/// The only file of an archive.
Result<zip_uint64_t> only_file(zip_t* archive, const std::string& where) {
  zip_uint64_t files = 0;
  zip_uint64_t found = 0;
  const zip_int64_t entries = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < entries; ++i) {
    const char* const name = zip_get_name(archive, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW);
    if (name == nullptr || !is_file(name)) continue;
    const auto* const document =
        std::find_if(documents.begin(), documents.end(),
                     [&](const Document& some) { return some.part == name; });
    if (document != documents.end()) {
      return fail(fmt::format("this is {}", document->what), where, std::string(document->remedy));
    }
    ++files;
    found = static_cast<zip_uint64_t>(i);
  }
  if (files == 1) return found;
  return fail(files == 0 ? std::string("the zip archive holds no file")
                         : fmt::format("the zip archive holds {} files", files),
              where, files == 0 ? "put a file into it" : "unpack it and give the folder or a file");
}

}  // namespace

Result<std::string> inflate_xz(std::string_view bytes, const std::string& where,
                               std::uint64_t most) {
  Inflated output("xz", bytes.size(), where, most);
  lzma_stream stream = LZMA_STREAM_INIT;
  constexpr std::uint64_t memory = std::uint64_t{2} << 30;  // more than any preset takes
  if (lzma_stream_decoder(&stream, memory, LZMA_CONCATENATED) != LZMA_OK) {
    return fail("there is not enough memory for xz", where, "free some memory");
  }
  const std::unique_ptr<lzma_stream, decltype(&lzma_end)> owner(&stream, &lzma_end);
  stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  stream.avail_in = bytes.size();
  for (;;) {
    LERP_CHECK(output.make_room());
    stream.next_out = reinterpret_cast<std::uint8_t*>(output.room());
    stream.avail_out = output.room_size();
    const lzma_ret status = lzma_code(&stream, LZMA_FINISH);
    output.use(output.room_size() - stream.avail_out);
    if (status == LZMA_STREAM_END) return output.take();
    if (status == LZMA_BUF_ERROR) return output.damaged("cut short");
    if (status != LZMA_OK) return output.damaged("damaged");
  }
}

Result<std::string> inflate_bzip2(std::string_view bytes, const std::string& where,
                                  std::uint64_t most) {
  Inflated output("bzip2", bytes.size(), where, most);
  // A file may hold several streams, one after the other.
  while (!bytes.empty()) {
    if (!bytes.starts_with(bzip2_magic)) return output.damaged("followed by other bytes");
    bz_stream stream = {};
    if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) {
      return fail("there is not enough memory for bzip2", where, "free some memory");
    }
    const std::unique_ptr<bz_stream, decltype(&BZ2_bzDecompressEnd)> owner(&stream,
                                                                           &BZ2_bzDecompressEnd);
    for (int status = BZ_OK; status != BZ_STREAM_END;) {
      LERP_CHECK(output.make_room());
      constexpr std::size_t at_once = std::size_t{1} << 30;  // it counts in 32 bits
      const std::size_t given = std::min(bytes.size(), at_once);
      const std::size_t room = std::min(output.room_size(), at_once);
      stream.next_in = const_cast<char*>(bytes.data());
      stream.avail_in = static_cast<unsigned>(given);
      stream.next_out = output.room();
      stream.avail_out = static_cast<unsigned>(room);
      status = BZ2_bzDecompress(&stream);
      if (status != BZ_OK && status != BZ_STREAM_END) return output.damaged("damaged");
      const std::size_t taken = given - stream.avail_in;
      const std::size_t made = room - stream.avail_out;
      bytes.remove_prefix(taken);
      output.use(made);
      if (status == BZ_OK && taken == 0 && made == 0) return output.damaged("cut short");
    }
  }
  return output.take();
}

Result<std::string> inflate_zip(std::string_view bytes, const std::string& where,
                                std::uint64_t most) {
  Inflated output("zip", bytes.size(), where, most);
  const Archive archive = open_archive(bytes);
  if (!archive) return output.damaged("damaged or cut short");
  LERP_TRY(place, only_file(archive.get(), where));
  zip_stat_t status;
  if (zip_stat_index(archive.get(), place, 0, &status) == 0 &&
      (status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method != ZIP_EM_NONE) {
    return fail("the zip archive is locked by a password", where, "unpack it first");
  }
  const ArchiveFile file(zip_fopen_index(archive.get(), place, 0), &zip_fclose);
  if (!file) return output.damaged("damaged");
  for (;;) {
    LERP_CHECK(output.make_room());
    const zip_int64_t made = zip_fread(file.get(), output.room(), output.room_size());
    if (made < 0) return output.damaged("damaged");
    if (made == 0) return output.take();
    output.use(static_cast<std::size_t>(made));
  }
}

}  // namespace lerpp
