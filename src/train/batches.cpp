// SPDX-License-Identifier: Apache-2.0
#include "train/batches.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "train/fact_pool.hpp"
#include "train/links.hpp"

namespace lerpp {
namespace {

/// Training facts up to which all of them are kept. Of more, it is a random pool of each relation,
/// where the queries of an epoch are bounded.
constexpr std::size_t most_kept = 4'000'000;
/// A pool holds so many times what all epochs together ask about.
constexpr std::uint64_t pool_share = 2;

/// A batch hides no more than this share of a relation: of two facts that prove each other, one
/// stays to prove the other.
constexpr std::uint32_t least_batches = 10;

std::uint64_t pool_of(std::size_t facts, const TrainOptions& options) {
  if (facts <= most_kept) return 0;
  return pool_share * options.train.queries * std::max(1U, options.train.epochs);
}

}  // namespace

Batches::Batches(const Dataset& dataset, const TrainOptions& options, const Observer& observer)
    : relations_(dataset.relations.size()), options_(options) {
  const std::vector<Fact>& train = dataset[Split::train];
  FactPool pool(relations_, pool_of(train.size(), options), options.train.seed);
  const auto add = [&](const Fact& fact) { pool.add(fact); };
  if (options.train.match_links && !options.train.on_valid) {
    for_each_asked(dataset, options.train.seed, options.train.threads, observer, add);
  } else {
    std::for_each(train.begin(), train.end(), add);
  }
  if (options.train.on_valid)
    std::for_each(dataset[Split::valid].begin(), dataset[Split::valid].end(), add);
  facts_ = pool.take();
}

std::vector<std::uint64_t> Batches::costs() const {
  std::vector<std::uint64_t> counts(2 * std::size_t{relations_});
  for (const Fact& fact : facts_) {
    ++counts[fact.relation];
    ++counts[relations_ + fact.relation];
  }
  const std::uint64_t most = options_.train.queries;
  for (std::uint64_t& count : counts) count = most > 0 ? std::min(count, most) : count;
  return counts;
}

void Batches::start_epoch(std::uint32_t epoch) {
  epoch_ = epoch;
  Random random(options_.train.seed, epoch);
  of_target_.assign(2 * std::size_t{relations_}, {});
  for (std::uint32_t place = 0; place < facts_.size(); ++place) {
    of_target_[facts_[place].relation].push_back(place);
    of_target_[relations_ + facts_[place].relation].push_back(place);
  }
  order_.clear();
  for (OperatorId target = 0; target < of_target_.size(); ++target) {
    std::vector<std::uint32_t>& places = of_target_[target];
    random.shuffle(places);
    if (options_.train.queries > 0 && places.size() > options_.train.queries)
      places.resize(options_.train.queries);
    const auto count = static_cast<std::uint32_t>(places.size());
    const std::uint32_t steps = options_.train.steps;
    const std::uint32_t share = steps == 0 ? 0 : (count + steps - 1) / steps;
    const std::uint32_t size =
        std::max(share, std::clamp(count / least_batches, 1U, options_.train.batch));
    // The batches of a target are spread evenly over the epoch, so that those of large and small
    // targets lie side by side to its end.
    const double phase = random.real();
    const std::uint32_t batches = (count + size - 1) / size;
    for (std::uint32_t i = 0; i < batches; ++i) {
      order_.push_back({target, i * size, std::min(count, (i + 1) * size), (i + phase) / batches});
    }
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [](const Piece& a, const Piece& b) { return a.time < b.time; });
  cut_steps();
}

void Batches::cut_steps() {
  steps_.assign(1, 0);
  before_.assign(1, 0);
  std::vector<std::size_t> last_step(of_target_.size(), 0);  // counted from 1
  std::uint64_t queries = 0;
  for (std::size_t number = 0; number < order_.size(); ++number) {
    const Piece& piece = order_[number];
    const bool full = number - steps_.back() == options_.train.lanes;
    if (full || last_step[piece.target] == steps_.size()) {
      steps_.push_back(number);
      before_.push_back(queries);
    }
    last_step[piece.target] = steps_.size();
    queries += piece.last - piece.first;
  }
  if (order_.empty()) return;
  steps_.push_back(order_.size());
  before_.push_back(queries);
}

void Batches::fill(std::size_t step, std::vector<Batch>& out) const {
  out.resize(steps_[step + 1] - steps_[step]);
  for (std::size_t lane = 0; lane < out.size(); ++lane) fill(steps_[step] + lane, out[lane]);
}

void Batches::fill(std::size_t number, Batch& out) const {
  const Piece& piece = order_[number];
  out.target = piece.target;
  out.starts.clear();
  out.answers.clear();
  out.hidden.clear();
  std::uint64_t state = options_.train.seed + (std::uint64_t{epoch_} << 32U | number);
  out.seed = split_mix(state);
  for (std::uint32_t i = piece.first; i < piece.last; ++i) {
    const Fact& fact = facts_[of_target_[piece.target][i]];
    const bool tail = piece.target < relations_;
    out.starts.push_back(tail ? fact.subject : fact.object);
    out.answers.push_back(tail ? fact.object : fact.subject);
    out.hidden.push_back(fact);
  }
}

}  // namespace lerpp
