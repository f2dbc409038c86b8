// SPDX-License-Identifier: Apache-2.0
#include "base/inflate.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <lerp/base/files.hpp>
#include <lerp/base/memory.hpp>
#include <lerp/base/text.hpp>

namespace lerpp {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";
constexpr std::size_t least_room = std::size_t{1} << 16;

/// No graph of facts shrinks that far (gzip cannot, the others could): what does is meant to fill
/// memory.
bool is_bomb(std::size_t made, std::size_t given) {
  constexpr std::size_t most = 2000;
  constexpr std::size_t harmless = std::size_t{64} << 20;
  return made > harmless && made / most > given;
}

Result<std::string> inflate_gzip(std::string_view bytes, const std::string& where,
                                 std::uint64_t most) {
  auto state = std::make_unique<inflate_state>();
  Inflated output("gzip", bytes.size(), where, most);
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  // A gzip file may hold several members, one after the other.
  while (!bytes.empty()) {
    isal_inflate_init(state.get());
    state->crc_flag = ISAL_GZIP;
    while (state->block_state != ISAL_BLOCK_FINISH) {
      LERP_CHECK(output.make_room());
      // ISA-L counts in 32 bits: hand over at most 1 GiB at a time.
      constexpr std::size_t at_once = std::size_t{1} << 30;
      const std::size_t given = std::min(bytes.size(), at_once);
      const std::size_t room = std::min(output.room_size(), at_once);
      state->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
      state->avail_in = static_cast<std::uint32_t>(given);
      state->next_out = reinterpret_cast<std::uint8_t*>(output.room());
      state->avail_out = static_cast<std::uint32_t>(room);
      const int status = isal_inflate(state.get());
      // It may hand back bytes that it took in an earlier call.
      const char* const next = reinterpret_cast<const char*>(state->next_in);
      const std::size_t made = room - state->avail_out;
      if ((status != ISAL_DECOMP_OK && status != ISAL_END_INPUT) || next < begin || next > end) {
        return output.damaged("damaged");
      }
      const bool stuck = next <= bytes.data() && made == 0;
      bytes = {next, static_cast<std::size_t>(end - next)};
      output.use(made);
      if (stuck && state->block_state != ISAL_BLOCK_FINISH) return output.damaged("cut short");
    }
    if (!bytes.empty() && !bytes.starts_with(gzip_magic)) {
      // Padding with zeros is allowed at the end, anything else is not gzip.
      if (bytes.find_first_not_of('\0') != std::string_view::npos) {
        return output.damaged("followed by other bytes");
      }
      break;
    }
  }
  return output.take();
}

Result<std::string> inflate_zstd(std::string_view bytes, const std::string& where,
                                 std::uint64_t most) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  Inflated output("zstd", bytes.size(), where, most);
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::size_t left = 1;
  while (in.pos < in.size || left != 0) {
    LERP_CHECK(output.make_room());
    ZSTD_outBuffer out{output.room(), output.room_size(), 0};
    const std::size_t before = in.pos;
    left = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(left) != 0) return output.damaged("damaged");
    if (in.pos == before && out.pos == 0 && left != 0) return output.damaged("cut short");
    output.use(out.pos);
  }
  return output.take();
}

using Inflate = Result<std::string> (*)(std::string_view, const std::string&, std::uint64_t);

struct Kind {
  std::string_view magic;
  Inflate inflate;
};

constexpr std::array kinds = {Kind{gzip_magic, &inflate_gzip}, Kind{zstd_magic, &inflate_zstd},
                              Kind{xz_magic, &inflate_xz}, Kind{bzip2_magic, &inflate_bzip2},
                              Kind{zip_magic, &inflate_zip}};

/// What the bytes are; none where they are plain.
Inflate kind_of(std::string_view bytes) {
  const auto* const found = std::find_if(
      kinds.begin(), kinds.end(), [&](const Kind& kind) { return bytes.starts_with(kind.magic); });
  if (found == kinds.end()) return nullptr;
  // "BZh" may start a name: a digit and the mark of a block follow it in bzip2.
  constexpr std::string_view block = "1AY&SY";
  if (found->magic == bzip2_magic && bytes.size() > 4 && !bytes.substr(4).starts_with(block))
    return nullptr;
  return found->inflate;
}

}  // namespace

Inflated::Inflated(std::string_view kind, std::size_t given, const std::string& where,
                   std::uint64_t most)
    : kind_(kind),
      given_(given),
      where_(where),
      most_(most == 0 ? machine_memory() : most),
      asked_for_(most != 0) {
  bytes_.resize(std::min<std::uint64_t>(given * 3 + least_room, most_ + 1));
}

Result<void> Inflated::check() const {
  if (used_ > most_) {
    return fail(fmt::format("the {} data inflates to more than {}", kind_, size_text(most_)),
                where_,
                asked_for_ ? "allow more with --max-input if you trust it"
                           : "inflate it by hand if you trust it, on a machine with more memory");
  }
  if (is_bomb(used_, given_)) {
    return fail(fmt::format("the {} data grows to more than 2000 times its size", kind_), where_,
                "inflate it by hand if you trust it");
  }
  return {};
}

Result<void> Inflated::make_room() {
  LERP_CHECK(check());
  if (room_size() >= least_room) return {};
  // One byte more than is allowed tells that it is too much.
  const std::uint64_t wish = std::uint64_t{bytes_.size()} * 2 + least_room;
  const std::uint64_t size = std::min<std::uint64_t>(wish, most_ + 1);
  if (size > bytes_.size()) bytes_.resize(size);
  return {};
}

Result<std::string> Inflated::take() {
  LERP_CHECK(check());
  bytes_.resize(used_);
  return std::move(bytes_);
}

tl::unexpected<Error> Inflated::damaged(std::string_view how) const {
  return fail(fmt::format("the {} data is {}", kind_, how), where_,
              "fetch or compress the file again");
}

bool is_compressed(std::string_view bytes) {
  return kind_of(bytes) != nullptr;
}

Result<std::string> inflate(std::string_view bytes, const std::string& where, std::uint64_t most) {
  const Inflate kind = kind_of(bytes);
  if (kind == nullptr) return std::string(bytes);
  return kind(bytes, where, most);
}

}  // namespace lerpp
