// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>

#include <lerp/base/crew.hpp>
#include <lerp/base/parallel.hpp>

namespace lerpp {
namespace {

using namespace std::chrono_literals;

/// How long a process that failed waits for the others to come and hear why.
constexpr std::chrono::milliseconds patience = 3s;

std::size_t total_of(std::span<const std::size_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

std::string name_of(unsigned process) {
  return "process " + std::to_string(process);
}

std::string packed(const Error& error) {
  std::string text(1, static_cast<char>(error.kind));
  for (const std::string* part : {&error.what, &error.where, &error.remedy}) {
    text += part->c_str();
    text += '\0';
  }
  return text;
}

Error unpacked(std::string_view text) {
  const auto part = [&] {
    const std::string_view taken = text.substr(0, text.find('\0'));
    text.remove_prefix(taken.size() + 1);
    return std::string(taken);
  };
  Error error;
  error.kind = static_cast<ErrorKind>(text.front());
  text.remove_prefix(1);
  error.what = part();
  error.where = part();
  error.remedy = part();
  return error;
}

}  // namespace

/// What every process tells the others before anything else.
struct Crew::Notice {
  enum Flags : std::uint32_t { stop = 1, failed = 2 };
  Task task = {};
  std::uint32_t flags = 0;
  std::uint64_t bytes = 0;  ///< that it gives now: of its data, or of its error
};

Crew::Crew() = default;
Crew::Crew(Crew&&) noexcept = default;
Crew::~Crew() = default;

Crew::Crew(std::unique_ptr<CrewLink> link)
    : link_(std::move(link)), rank_(link_->rank()), size_(link_->size()), notices_(size_) {}

unsigned Crew::here() const {
  return link_ ? link_->here() : 1;
}

void Crew::watch(std::stop_token stop, const std::function<void(const Error&)>& complain) {
  if (link_) link_->watch(stop, complain);
  stop_ = std::move(stop);
}

Result<void> Crew::guard(Result<void> carried) {
  if (!carried) {
    broken_ = true;
    over_ = carried.error();
  }
  return carried;
}

Result<void> Crew::meet(Task task, std::size_t bytes) {
  return meet(task, bytes, {});
}

Result<void> Crew::meet(Task task, std::size_t bytes, const std::string& failure) {
  if (over_) return tl::unexpected<Error>(*over_);
  if (alone()) {
    stopping_ = stop_.stop_requested();
    return {};
  }
  Notice own{task, stop_.stop_requested() ? Notice::stop : 0U, bytes};
  if (!failure.empty()) own = {task, own.flags | Notice::failed, failure.size()};
  const std::vector<std::size_t> sizes(size_, sizeof(Notice));
  LERP_CHECK(guard(link_->gather(std::as_bytes(std::span(&own, 1)), sizes,
                                 std::as_writable_bytes(std::span(notices_)),
                                 failure.empty() ? 0ms : patience)));
  stopping_ = std::ranges::any_of(notices_, [](const Notice& n) { return n.flags & Notice::stop; });
  const auto failed =
      std::ranges::find_if(notices_, [](const Notice& n) { return n.flags & Notice::failed; });
  if (failed != notices_.end()) {
    return read_failure(static_cast<unsigned>(failed - notices_.begin()), failure);
  }
  for (unsigned process = 0; process < size_; ++process) {
    if (notices_[process].task == notices_[0].task) continue;
    over_ = {name_of(process) + " does other work than process 0", "",
             "please report this as a bug"};
    return tl::unexpected<Error>(*over_);
  }
  return {};
}

Result<void> Crew::read_failure(unsigned process, const std::string& own) {
  std::vector<std::size_t> sizes(size_);
  for (unsigned r = 0; r < size_; ++r) {
    sizes[r] = notices_[r].flags & Notice::failed ? notices_[r].bytes : 0;
  }
  std::string all(total_of(sizes), '\0');
  LERP_CHECK(guard(link_->gather(std::as_bytes(std::span(own)), sizes,
                                 std::as_writable_bytes(std::span(all)), patience)));
  Error error = unpacked(std::string_view(all).substr(0, sizes[process]));
  error.what = name_of(process) + " stopped: " + error.what;
  over_ = std::move(error);
  return tl::unexpected<Error>(*over_);
}

Result<void> Crew::gather(std::span<const std::byte> own, std::vector<Bytes>& all) {
  LERP_CHECK(meet(Task::gather, own.size()));
  all.resize(size_);
  if (alone()) {
    all[0].assign(own.begin(), own.end());
    return {};
  }
  std::vector<std::size_t> sizes(size_);
  std::ranges::transform(notices_, sizes.begin(), &Notice::bytes);
  taken_.resize(total_of(sizes));
  LERP_CHECK(guard(link_->gather(own, sizes, taken_, 0ms)));
  auto from = taken_.begin();
  for (unsigned r = 0; r < size_; ++r) {
    all[r].assign(from, from + static_cast<std::ptrdiff_t>(sizes[r]));
    from += static_cast<std::ptrdiff_t>(sizes[r]);
  }
  return {};
}

Result<void> Crew::collect(std::span<const std::byte> own, std::vector<Bytes>& all) {
  LERP_CHECK(meet(Task::collect, own.size()));
  all.clear();
  if (alone()) {
    all.emplace_back(own.begin(), own.end());
    return {};
  }
  std::vector<std::size_t> to(size_);
  std::vector<std::size_t> from(size_);
  to[0] = own.size();
  if (leads()) std::ranges::transform(notices_, from.begin(), &Notice::bytes);
  taken_.resize(total_of(from));
  LERP_CHECK(guard(link_->trade(own, to, taken_, from)));
  if (!leads()) return {};
  const std::byte* part = taken_.data();
  for (const std::size_t size : from) {
    all.emplace_back(part, part + size);
    part += size;
  }
  return {};
}

Result<void> Crew::broadcast(unsigned root, Bytes& bytes) {
  LERP_CHECK(meet(Task::broadcast, bytes.size()));
  if (alone()) return {};
  bytes.resize(notices_[root].bytes);
  return guard(link_->broadcast(root, bytes));
}

Result<void> Crew::expect(std::span<const std::size_t> sizes) {
  for (unsigned r = 0; r < size_; ++r) {
    if (notices_[r].bytes == sizes[r]) continue;
    // Another may not see it, and go on without this one.
    unheard_ = true;
    return guard(fail(name_of(r) + " gives other amounts than " + name_of(rank_) + " expects", "",
                      "please report this as a bug"));
  }
  return {};
}

Result<void> Crew::exchange(std::span<const Block> blocks) {
  std::vector<std::size_t> sizes(size_);
  for (const Block& block : blocks) sizes[block.owner] += block.bytes.size();
  LERP_CHECK(meet(Task::exchange, sizes[rank_]));
  if (alone()) return {};
  LERP_CHECK(expect(sizes));
  given_.clear();
  for (const Block& block : blocks) {
    if (block.owner == rank_) given_.insert(given_.end(), block.bytes.begin(), block.bytes.end());
  }
  taken_.resize(total_of(sizes));
  LERP_CHECK(guard(link_->gather(given_, sizes, taken_, 0ms)));
  std::vector<std::size_t> next(size_);
  std::exclusive_scan(sizes.begin(), sizes.end(), next.begin(), std::size_t{0});
  for (const Block& block : blocks) {
    if (block.owner != rank_)
      std::copy_n(taken_.data() + next[block.owner], block.bytes.size(), block.bytes.data());
    next[block.owner] += block.bytes.size();
  }
  return {};
}

Result<void> Crew::sum(std::span<const Lane> lanes, std::span<float> total) {
  std::vector<std::size_t> sizes(size_);
  std::vector<std::size_t> counts(size_);
  for (const Lane& lane : lanes) {
    sizes[lane.owner] += total.size_bytes();
    ++counts[lane.owner];
  }
  LERP_CHECK(meet(Task::sum, sizes[rank_]));
  if (lanes.empty()) std::ranges::fill(total, 0.F);
  const auto add = [&](std::span<float> sums, std::span<const float> values, bool first) {
    if (first) std::ranges::copy(values, sums.begin());
    for (std::size_t i = 0; !first && i < sums.size(); ++i) sums[i] += values[i];
  };
  if (alone() || lanes.empty()) {
    for (const Lane& lane : lanes) add(total, lane.values, &lane == lanes.data());
    return {};
  }
  LERP_CHECK(expect(sizes));
  std::vector<std::size_t> parts(size_);  // of the total, by who sums it
  for (unsigned r = 0; r < size_; ++r) {
    const auto [first, last] = slice(total.size(), r, size_);
    parts[r] = last - first;
  }
  LERP_CHECK(trade_parts(lanes, parts));

  // Where each process's next lane is.
  std::vector<const float*> next(size_);
  const auto* lane_values = reinterpret_cast<const float*>(taken_.data());
  for (unsigned r = 0; r < size_; ++r) {
    next[r] = lane_values;
    lane_values += counts[r] * parts[rank_];
  }
  const auto [begin, end] = slice(total.size(), rank_, size_);
  const std::span<float> sums = total.subspan(begin, end - begin);
  for (const Lane& lane : lanes) {
    add(sums, {next[lane.owner], sums.size()}, &lane == lanes.data());
    next[lane.owner] += sums.size();
  }
  given_.assign(std::as_bytes(sums).begin(), std::as_bytes(sums).end());
  for (std::size_t& part : parts) part *= sizeof(float);
  return guard(link_->gather(given_, parts, std::as_writable_bytes(total), 0ms));
}

Result<void> Crew::trade_parts(std::span<const Lane> lanes, std::span<const std::size_t> parts) {
  given_.clear();
  std::vector<std::size_t> to(size_);
  std::vector<std::size_t> from(size_);
  std::size_t first = 0;
  for (unsigned r = 0; r < size_; ++r) {
    for (const Lane& lane : lanes) {
      if (lane.owner != rank_) continue;
      const auto bytes = std::as_bytes(lane.values.subspan(first, parts[r]));
      given_.insert(given_.end(), bytes.begin(), bytes.end());
      to[r] += bytes.size();
    }
    first += parts[r];
  }
  for (const Lane& lane : lanes) from[lane.owner] += parts[rank_] * sizeof(float);
  taken_.resize(total_of(from));
  return guard(link_->trade(given_, to, taken_, from));
}

Result<void> Crew::agree(std::span<const Claim> claims) {
  std::string own;
  for (const Claim& claim : claims) own += claim.value + '\0';
  std::vector<Bytes> all;
  LERP_CHECK(gather(std::as_bytes(std::span(own)), all));
  const auto values_of = [&](unsigned process) {
    const auto* text = reinterpret_cast<const char*>(all[process].data());
    return std::string_view(text, all[process].size());
  };
  for (unsigned process = 1; process < size_; ++process) {
    std::string_view here = values_of(process);
    std::string_view there = values_of(0);
    for (const Claim& claim : claims) {
      const std::string_view value = here.substr(0, here.find('\0'));
      if (value != there.substr(0, there.find('\0'))) {
        return fail(name_of(process) + " has other " + claim.what + " than process 0", "",
                    claim.remedy);
      }
      here.remove_prefix(std::min(here.size(), value.size() + 1));
      there.remove_prefix(std::min(there.size(), value.size() + 1));
    }
  }
  return {};
}

Result<void> Crew::finish(Result<void> own) {
  if (alone()) return own;
  if (over_) return own ? Result<void>(tl::unexpected<Error>(*over_)) : own;
  if (own) return meet(Task::finish, 0);
  const Result<void> met = meet(Task::finish, 0, packed(own.error()));
  if (broken_) {
    unheard_ = true;
    if (!leads()) own.error().what = name_of(rank_) + " stopped: " + own.error().what;
  }
  return own;
}

bool Crew::speaks() {
  spoke_ = broken_ ? unheard_ || link_->speaks() : leads();
  return spoke_;
}

void Crew::leave(int status) {
  if (broken_) link_->abort(status, spoke_);
}

}  // namespace lerpp
