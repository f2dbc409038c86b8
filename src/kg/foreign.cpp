// SPDX-License-Identifier: Apache-2.0
#include "kg/foreign.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kg/lines.hpp"

namespace lerpp::formats {
namespace {

/// A kind of file that is told by its bytes at a place.
struct Kind {
  std::size_t place;
  std::string_view magic;
  std::string_view what;
  std::string_view remedy;
  bool letters = false;  ///< a name might start so: other bytes than those of a text must follow
};

using namespace std::string_view_literals;

constexpr std::string_view table_remedy =
    "save the table as CSV, with the columns subject, relation and object";
constexpr std::string_view unpack_remedy = "unpack it and give the folder or a file";
constexpr std::string_view facts_remedy = "give a file of facts, such as a CSV";

constexpr std::array kinds = {
    Kind{0, "%PDF-"sv, "a PDF document", facts_remedy},
    Kind{0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an old Excel or Word file", table_remedy},
    Kind{0, "PAR1"sv, "a Parquet file",
         "write it as CSV, for example with DuckDB: COPY (FROM 'x.parquet') TO 'x.csv'", true},
    Kind{0, "SQLite format 3\0"sv, "an SQLite database",
         "write the table as CSV: sqlite3 -header -csv x.db 'SELECT …' > x.csv"},
    Kind{0, "ARROW1"sv, "an Arrow file", "write it as CSV", true},
    Kind{0, "Obj\x01"sv, "an Avro file", "write it as CSV"},
    Kind{0, "ORC"sv, "an ORC file", "write it as CSV", true},
    Kind{0, "\x89HDF\r\n\x1A\n"sv, "an HDF5 file", "write the table as CSV"},
    Kind{0, "\x93NUMPY"sv, "a NumPy array", "write it as CSV"},
    Kind{0, "\x80\x02"sv, "a Python pickle", "write the facts as CSV"},
    Kind{0, "\x80\x03"sv, "a Python pickle", "write the facts as CSV"},
    Kind{0, "\x80\x04"sv, "a Python pickle", "write the facts as CSV"},
    Kind{0, "\x80\x05"sv, "a Python pickle", "write the facts as CSV"},
    Kind{0, "$HDT"sv, "an HDT file", "write it as N-Triples with hdt2rdf", true},
    Kind{0, "BRDF"sv, "a binary RDF file", "write it as N-Triples", true},
    Kind{0, "7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive", unpack_remedy},
    Kind{0, "Rar!\x1A\x07"sv, "a RAR archive", unpack_remedy},
    Kind{257, "ustar"sv, "a tar archive", unpack_remedy},
    Kind{0, "\x04\x22\x4D\x18"sv, "an LZ4 file", "unpack it with lz4 -d"},
    Kind{0, "\x89PNG\r\n\x1A\n"sv, "a picture", facts_remedy},
    Kind{0, "\xFF\xD8\xFF"sv, "a picture", facts_remedy},
    Kind{0, "GIF8"sv, "a picture", facts_remedy, true},
    Kind{0,
         "\x7F"
         "ELF"sv,
         "a program", facts_remedy},
    Kind{0, "{\\rtf"sv, "a rich text document", table_remedy},
    Kind{0, "\xFF\xFE"sv, "a text in UTF-16", "save it as UTF-8"},
    Kind{0, "\xFE\xFF"sv, "a text in UTF-16", "save it as UTF-8"}};

/// The beginning of a text in small letters, without blanks before it.
std::string beginning(std::string_view text, std::size_t length) {
  text = without_bom(text);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  std::string result(text.substr(0, length));
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

/// Whether there are bytes that no text has.
bool is_binary(std::string_view bytes) {
  constexpr std::size_t enough = 512;
  bytes = bytes.substr(0, enough);
  return std::any_of(bytes.begin(), bytes.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
}

tl::unexpected<Error> refuse(std::string_view what, const std::string& where,
                             std::string_view remedy) {
  return fail(fmt::format("this is {}", what), where, std::string(remedy));
}

constexpr std::size_t looked_at = 4096;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// Documents that go over lines.
Result<void> refuse_document(std::string_view text, const std::string& where) {
  const std::string start = beginning(text, looked_at);
  if (start.starts_with("<!doctype html") || start.starts_with("<html")) {
    return refuse("an HTML page", where, "fetch the file itself, not the page that shows it");
  }
  if (start.starts_with("version https://git-lfs")) {
    return refuse("a pointer of Git LFS, not the file", where, "fetch it with git lfs pull");
  }
  const bool xml = start.starts_with("<?xml");
  if (xml && has(start, "<graphml")) {
    return refuse("GraphML", where, "write its edges as CSV: source, relation, target");
  }
  if (xml && !looks_like_rdf_xml(text)) {
    return refuse("an XML file", where, "write its facts as CSV or N-Triples");
  }
  const std::string line = start.substr(0, start.find('\n'));
  const std::string_view word(line.data(), line.find_last_not_of(" \t\r") + 1);
  if (start.starts_with('{') && has(start, "\"@context\"")) {
    return refuse("JSON-LD", where, "write it as N-Triples, for example with riot --output=nt");
  }
  if (word == "{" || word == "[" || word == "[{") {
    return refuse("one JSON document", where,
                  "write one fact a line, as {\"subject\": …, \"relation\": …, \"object\": …}");
  }
  return {};
}

}  // namespace

bool looks_like_rdf_xml(std::string_view text) {
  const std::string start = beginning(text, looked_at);
  return start.starts_with("<rdf:rdf") ||
         (start.starts_with("<?xml") && has(start, "22-rdf-syntax-ns#") && has(start, ":rdf"));
}

Result<void> refuse_foreign(std::string_view bytes, const std::string& where) {
  for (const Kind& kind : kinds) {
    if (bytes.size() >= kind.place && bytes.substr(kind.place).starts_with(kind.magic) &&
        (!kind.letters || is_binary(bytes))) {
      return refuse(kind.what, where, kind.remedy);
    }
  }
  return refuse_document(bytes, where);
}

}  // namespace lerpp::formats
