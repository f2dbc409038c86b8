// SPDX-License-Identifier: Apache-2.0
#include "model/safetensors.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lerp/base/version.hpp>

#include "model/model_files.hpp"

namespace lerpp {
namespace {

using safetensors::Entry;
using safetensors::File;
using safetensors::Type;

Result<File> parse(std::string bytes) {
  return File::parse(FileBytes(std::move(bytes)), "some.safetensors");
}

std::string error_of(std::string bytes) {
  const Result<File> file = parse(std::move(bytes));
  return file ? "no error" : to_string(file.error());
}

/// What a header with these tensors and this many bytes of data is blamed for.
std::string blame(std::string_view tensors, std::size_t bytes) {
  return error_of(raw_file(tensors, std::string(bytes, '\0')));
}

TEST(Safetensors, ReadsAFileBuiltByHand) {
  using namespace std::string_literals;
  // The length 63 = 0x3F, the header with its padding, the numbers 1 and -2.
  const std::string bytes =
      "\x3F\0\0\0\0\0\0\0"s
      R"({"x":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}       )"s
      "\x00\x00\x80\x3F\x00\x00\x00\xC0"s;
  const Result<File> file = parse(bytes);
  ASSERT_TRUE(file) << to_string(file.error());
  ASSERT_EQ(file->entries().size(), 1U);
  const auto x = file->require("x", Type::f32, {1, 2});
  ASSERT_TRUE(x) << to_string(x.error());
  std::array<float, 2> values = {};
  safetensors::copy(**x, std::span<float>(values));
  EXPECT_EQ(values, (std::array<float, 2>{1, -2}));
  EXPECT_EQ(file->metadata("format"), nullptr);
  EXPECT_EQ(file->find("y"), nullptr);
}

TEST(Safetensors, WritesTheseBytes) {
  const ScratchFolder folder;
  const std::array<float, 1> one = {1};
  const std::array<double, 1> two = {2};
  const std::array<std::uint64_t, 2> many = {3, ~std::uint64_t{0}};
  const std::vector<Entry> entries = {
      safetensors::entry("many", {2}, std::span<const std::uint64_t>(many)),
      safetensors::entry("two", {}, std::span<const double>(two)),
      safetensors::entry("none", {0, 7}, std::span<const float>()),
      safetensors::entry("one", {1, 1}, std::span<const float>(one))};
  const safetensors::Metadata metadata = {{"z", "first"}, {"a", "\"\n\xC3\xA9"}};
  for (const char* name : {"a", "b"}) {
    ASSERT_TRUE(safetensors::write(folder / name, metadata, entries));
    const std::string bytes = slurp(folder / name);
    const Result<File> written = File::read(folder / name);
    ASSERT_TRUE(written) << to_string(written.error());
    const std::string signature = fmt::format(R"(,"program":"lerp {}","checksum":"{}")",
                                              program_version, *written->metadata("checksum"));
    std::string header = R"({"__metadata__":{"z":"first","a":"\"\n)"
                         "\xC3\xA9"
                         R"(")" +
                         signature +
                         R"(},"many":{"dtype":"U64","shape":[2],"data_offsets":[0,16]},)"
                         R"("two":{"dtype":"F64","shape":[],"data_offsets":[16,24]},)"
                         R"("none":{"dtype":"F32","shape":[0,7],"data_offsets":[24,24]},)"
                         R"("one":{"dtype":"F32","shape":[1,1],"data_offsets":[24,28]}})";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    using namespace std::string_literals;
    EXPECT_EQ(bytes, raw_file(header,
                              "\3\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"
                              "\0\0\0\0\0\0\0\x40\0\0\x80\x3F"s));
  }
  const Result<File> file = File::read(folder / "a");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(*file->metadata("a"), "\"\n\xC3\xA9");
  std::array<std::uint64_t, 2> back = {};
  safetensors::copy(*file->find("many"), std::span<std::uint64_t>(back));
  EXPECT_EQ(back, many);
}

/// A small file with a text, a name and two numbers.
std::string summed_file() {
  const ScratchFolder folder;
  const std::array<float, 2> numbers = {1, 2};
  const std::vector<Entry> entries = {
      safetensors::entry("x", {2}, std::span<const float>(numbers))};
  EXPECT_TRUE(safetensors::write(folder / "file", {{"text", "said"}}, entries));
  return slurp(folder / "file");
}

TEST(Safetensors, TellsEveryChangedBit) {
  const std::string good = summed_file();
  ASSERT_TRUE(parse(good));
  const std::size_t sum = good.find("\"checksum\"");
  const std::size_t header_end = 8 + header_of(good).size();
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string changed = good;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    const bool sum_is_gone =
        bit / 8 >= sum && bit / 8 < sum + std::string("\"checksum\":\"xxh3:").size();
    const bool padding = bit / 8 < header_end && good[bit / 8] == ' ' &&
                         good.find_first_not_of(' ', bit / 8) >= header_end;
    if (sum_is_gone || padding) continue;
    EXPECT_FALSE(parse(changed)) << bit;
  }
  std::string number = good;
  number.back() = '\x41';
  EXPECT_EQ(
      error_of(number),
      "the content does not match its checksum (some.safetensors): the file is damaged, copy "
      "or write it again; whoever changed it on purpose removes the checksum from its metadata");
}

TEST(Safetensors, TheSumIsOfWhatIsSaidNotOfHow) {
  const std::string good = summed_file();
  // Another program puts keys and spaces as it likes.
  const nlohmann::json sorted = nlohmann::json::parse(header_of(good));
  EXPECT_TRUE(parse(raw_file(sorted.dump(3), data_of(good))));
}

TEST(Safetensors, FilesWithoutASumOrWithAnUnknownOneAreRead) {
  const std::string good = summed_file();
  EXPECT_TRUE(parse(raw_file(without_signature(header_of(good)), data_of(good))));
  EXPECT_TRUE(parse(raw_file(replaced(header_of(good), "xxh3:", "sha9:"), data_of(good))));
}

TEST(Safetensors, TakesTensorsInAnyOrderAndUnaligned) {
  const std::string header = R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
                             R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"extra":1}} )";
  const Result<File> file = parse(raw_file(header, std::string("\0\0\x80\x3F\0\0\0\x40", 8)));
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->entries().front().name, "a");
  float b = 0;
  safetensors::copy(*file->find("b"), std::span<float>(&b, 1));
  EXPECT_EQ(b, 2);
}

TEST(Safetensors, TellsForeignFiles) {
  const std::string sentence =
      "this is no safetensors file (some.safetensors): give a file that lerp wrote, such as "
      "model.safetensors of a run";
  EXPECT_EQ(error_of("short"), sentence);
  EXPECT_EQ(error_of("anna\taunt\tben\n"), sentence);
  EXPECT_EQ(error_of(raw_file("[]", "")), sentence);
  EXPECT_EQ(error_of(std::string(64, '\0')), sentence);
  EXPECT_EQ(error_of(std::string(64, '\xFF')), sentence);
  EXPECT_NE(blame(R"({"x":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}})", 2)
                .find("the tensor \"x\" is of type \"BF16\""),
            std::string::npos);
}

TEST(Safetensors, TellsTruncatedFiles) {
  EXPECT_EQ(error_of(""),
            "the file is empty (some.safetensors): the file is cut short, copy or write it again");
  const std::string header = R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  const std::string whole = raw_file(header, std::string(8, '\0'));
  EXPECT_NE(error_of(whole.substr(0, 40)).find("the file ends inside its header"),
            std::string::npos);
  EXPECT_NE(error_of(whole.substr(0, 8)).find("the file ends inside its header"),
            std::string::npos);
  EXPECT_EQ(blame(header, 7),
            "the tensor \"x\" goes to byte 8 of 7 (some.safetensors): the file is cut short, copy "
            "or write it again");
  EXPECT_EQ(blame(header, 9),
            "1 bytes after the last tensor belong to none (some.safetensors): the file is damaged, "
            "copy or write it again");
  EXPECT_EQ(blame(header, 8), "no error");
}

TEST(Safetensors, TellsDamagedHeaders) {
  struct Case {
    const char* header;
    const char* sentence;
  };
  const std::vector<Case> cases = {
      {"{]", "the header is no JSON object of tensors"},
      {"{\"\xFF\":1}", "the header is no JSON object of tensors"},
      {R"({} {})", "the header is no JSON object of tensors"},
      {R"({"x":{"dtype":"F32","shape":[[2],2],"data_offsets":[0,8]}})",
       "the header is no JSON object of tensors"},
      {R"({"x":1})", "the tensor \"x\" is not described by a JSON object"},
      {R"({"x":{"shape":[2],"data_offsets":[0,8]}})", "the tensor \"x\" has no dtype"},
      {R"({"x":{"dtype":1,"shape":[2],"data_offsets":[0,8]}})", "the tensor \"x\" has no dtype"},
      {R"({"x":{"dtype":"F32","data_offsets":[0,8]}})", "the tensor \"x\" has no shape"},
      {R"({"x":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", "has no shape"},
      {R"({"x":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", "has no shape"},
      {R"({"x":{"dtype":"F32","shape":[2]}})", "the tensor \"x\" has no data_offsets"},
      {R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[8]}})", "has no data_offsets"},
      {R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", "ends before it begins"},
      {R"({"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
       "the tensor \"x\" takes 8 bytes, its shape asks for 12"},
      {R"({"x":{"dtype":"F32","shape":[4294967296,4294967296,2],"data_offsets":[0,8]}})",
       "the tensor \"x\" has a shape beyond all memory"},
      {R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
       R"("y":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
       "the tensor \"y\" overlaps another"},
      {R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
       "4 bytes before the tensor \"x\" belong to none"},
      {R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
       R"("x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
       "the header has \"x\" twice"},
      {R"({"__metadata__":{"a":"1","a":"2"}})", "the header has \"a\" twice"},
      {R"({"__metadata__":[]})", "the metadata is no JSON object"},
      {R"({"__metadata__":{"a":1}})", "the metadata \"a\" is no text"},
      {R"({})", "8 bytes after the last tensor belong to none"},
      {R"({"a\nb":1})", R"(the tensor "a\nb" is not described)"},
  };
  for (const auto& [header, sentence] : cases) {
    const std::string error = blame(header, 8);
    EXPECT_NE(error.find(sentence), std::string::npos) << header << "\n" << error;
    EXPECT_NE(error.find("(some.safetensors): "), std::string::npos) << error;
  }
}

TEST(Safetensors, SurvivesDeepNesting) {
  EXPECT_NE(blame(R"({"x":)" + std::string(1'000'000, '['), 0).find("no JSON object"),
            std::string::npos);
}

TEST(Safetensors, AsksForTensorsAsTheyMustBe) {
  const Result<File> file = parse(raw_file(
      R"({"x":{"dtype":"F64","shape":[1,2],"data_offsets":[0,16]}})", std::string(16, '\0')));
  ASSERT_TRUE(file) << to_string(file.error());
  const auto error = [&](const char* name, Type type, const std::vector<std::size_t>& shape) {
    const auto entry = file->require(name, type, shape);
    return entry ? "no error" : entry.error().what;
  };
  EXPECT_EQ(error("x", Type::f64, {1, 2}), "no error");
  EXPECT_EQ(error("y", Type::f64, {1, 2}), "the tensor \"y\" is missing");
  EXPECT_EQ(error("x", Type::f32, {1, 2}), "the tensor \"x\" is of type F64 instead of F32");
  EXPECT_EQ(error("x", Type::f64, {2, 1}),
            "the tensor \"x\" has the shape [1, 2] instead of [2, 1]");
}

TEST(Safetensors, NamesAMissingFile) {
  const ScratchFolder folder;
  const Result<File> file = File::read(folder / "absent");
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().where.find("absent"), std::string::npos);
}

}  // namespace
}  // namespace lerpp
