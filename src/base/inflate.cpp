#include <memory>

#include <fmt/format.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <lerp/base/files.hpp>

namespace lerpp {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";
constexpr std::size_t least_room = std::size_t{1} << 16;

tl::unexpected<Error> damaged(std::string_view kind, std::string_view how,
                              const std::string& where) {
  return fail(fmt::format("the {} data is {}", kind, how), where,
              "fetch or compress the file again");
}

/// Output that doubles when it is full.
struct Output {
  std::string bytes;
  std::size_t used = 0;

  void make_room() {
    if (bytes.size() - used < least_room) bytes.resize(bytes.size() * 2 + least_room);
  }
};

/// No graph of facts shrinks that far (gzip cannot, zstd could): what does is meant to fill memory.
bool is_bomb(std::size_t made, std::size_t given) {
  constexpr std::size_t most = 2000;
  constexpr std::size_t harmless = std::size_t{64} << 20;
  return made > harmless && made / most > given;
}

Result<std::string> inflate_gzip(std::string_view bytes, const std::string& where) {
  auto state = std::make_unique<inflate_state>();
  Output output;
  output.bytes.resize(bytes.size() * 3 + least_room);
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  // A gzip file may hold several members, one after the other.
  while (!bytes.empty()) {
    isal_inflate_init(state.get());
    state->crc_flag = ISAL_GZIP;
    while (state->block_state != ISAL_BLOCK_FINISH) {
      output.make_room();
      // ISA-L counts in 32 bits: hand over at most 1 GiB at a time.
      constexpr std::size_t most = std::size_t{1} << 30;
      const std::size_t given = std::min(bytes.size(), most);
      const std::size_t room = std::min(output.bytes.size() - output.used, most);
      state->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
      state->avail_in = static_cast<std::uint32_t>(given);
      state->next_out = reinterpret_cast<std::uint8_t*>(output.bytes.data() + output.used);
      state->avail_out = static_cast<std::uint32_t>(room);
      const int status = isal_inflate(state.get());
      // It may hand back bytes that it took in an earlier call.
      const char* const next = reinterpret_cast<const char*>(state->next_in);
      const std::size_t made = room - state->avail_out;
      if ((status != ISAL_DECOMP_OK && status != ISAL_END_INPUT) || next < begin || next > end) {
        return damaged("gzip", "damaged", where);
      }
      const bool stuck = next <= bytes.data() && made == 0;
      bytes = {next, static_cast<std::size_t>(end - next)};
      output.used += made;
      if (stuck && state->block_state != ISAL_BLOCK_FINISH) {
        return damaged("gzip", "cut short", where);
      }
    }
    if (!bytes.empty() && !bytes.starts_with(gzip_magic)) {
      // Padding with zeros is allowed at the end, anything else is not gzip.
      if (bytes.find_first_not_of('\0') != std::string_view::npos)
        return damaged("gzip", "followed by other bytes", where);
      break;
    }
  }
  output.bytes.resize(output.used);
  return std::move(output.bytes);
}

Result<std::string> inflate_zstd(std::string_view bytes, const std::string& where) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  Output output;
  output.bytes.resize(bytes.size() * 3 + least_room);
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::size_t left = 1;
  while (in.pos < in.size || left != 0) {
    output.make_room();
    ZSTD_outBuffer out{output.bytes.data(), output.bytes.size(), output.used};
    const std::size_t before = in.pos;
    left = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(left) != 0) return damaged("zstd", "damaged", where);
    if (in.pos == before && out.pos == output.used && left != 0)
      return damaged("zstd", "cut short", where);
    output.used = out.pos;
    if (is_bomb(output.used, bytes.size())) {
      return fail("the zstd data grows to more than 2000 times its size", where,
                  "inflate it with zstd -d if you trust it");
    }
  }
  output.bytes.resize(output.used);
  return std::move(output.bytes);
}

}  // namespace

bool is_compressed(std::string_view bytes) {
  return bytes.starts_with(gzip_magic) || bytes.starts_with(zstd_magic);
}

Result<std::string> inflate(std::string_view bytes, const std::string& where) {
  if (bytes.starts_with(gzip_magic)) return inflate_gzip(bytes, where);
  if (bytes.starts_with(zstd_magic)) return inflate_zstd(bytes, where);
  return std::string(bytes);
}

}  // namespace lerpp
