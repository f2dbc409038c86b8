#include "train/batches.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "train/links.hpp"

namespace lerpp {

Batches::Batches(const Dataset& dataset, const TrainOptions& options)
    : facts_(options.train.match_links && !options.train.on_valid
                 ? asked_like_validation(dataset, options.train.seed)
                 : dataset[Split::train]),
      relations_(dataset.relations.size()),
      options_(options) {
  if (options.train.on_valid) {
    facts_.insert(facts_.end(), dataset[Split::valid].begin(), dataset[Split::valid].end());
  }
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
    const std::uint32_t size = std::max(options_.train.batch, share);
    for (std::uint32_t first = 0; first < count; first += size) {
      order_.push_back({target, first, std::min(count, first + size)});
    }
  }
  random.shuffle(order_);
  before_.assign(1, 0);
  for (const Piece& piece : order_) before_.push_back(before_.back() + piece.last - piece.first);
}

void Batches::fill(std::size_t batch, Batch& out) const {
  const Piece& piece = order_[batch];
  out.target = piece.target;
  out.starts.clear();
  out.answers.clear();
  out.hidden.clear();
  std::uint64_t state = options_.train.seed + (std::uint64_t{epoch_} << 32U | batch);
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
