// SPDX-License-Identifier: Apache-2.0
#include "model/constant_counts.hpp"

namespace lerpp {
namespace {

/// Whose edge lies at a place.
EntityId row_of(const Graph& graph, std::size_t place) {
  EntityId first = 0;
  EntityId last = graph.entities();  // the row is in [first, last)
  while (last - first > 1) {
    const EntityId middle = first + (last - first) / 2;
    (graph.start(middle) <= place ? first : last) = middle;
  }
  return first;
}

}  // namespace

ConstantCounts::ConstantCounts(std::shared_ptr<const ConstantTables> tables)
    : tables_(std::move(tables)),
      large_(tables_->is_large()),
      row_of_trait_(large_ ? 0 : tables_->traits(), none),
      base_(large_ ? 0 : tables_->graph().entities(), 1),
      fewer_(large_ ? tables_->graph().entities() : 0),
      change_of_trait_(tables_->traits(), none) {}

void ConstantCounts::begin(OperatorId target, const Mask* mask) {
  show();
  if (target != target_) take(target);
  answering_ = tables_->answering(target);
  mask_ = mask;
  if (mask != nullptr) hide(*mask);
}

std::uint32_t ConstantCounts::find_row(std::uint32_t trait) const {
  const std::span<const ConstantTables::Row> rows = tables_->rows(target_);
  const auto found = std::ranges::lower_bound(rows, trait, {}, &ConstantTables::Row::trait);
  if (found == rows.end() || found->trait != trait) return none;
  return static_cast<std::uint32_t>(found - rows.begin());
}

std::uint32_t ConstantCounts::find_base(EntityId answer) const {
  const std::span<const ConstantTables::Answer> answers = tables_->answers(target_);
  const auto found = std::ranges::lower_bound(answers, answer, {}, &ConstantTables::Answer::entity);
  return found == answers.end() || found->entity != answer ? 1 : found->count;
}

void ConstantCounts::lose(EntityId answer) {
  if (large_) {
    ++fewer_[answer];
  } else {
    --base_[answer];
  }
}

void ConstantCounts::take(OperatorId target) {
  if (large_) {
    target_ = target;
    return;
  }
  if (target_ != none) {
    for (const auto& row : tables_->rows(target_)) row_of_trait_[row.trait] = none;
    for (const auto& answer : tables_->answers(target_)) base_[answer.entity] = 1;
  }
  target_ = target;
  std::uint32_t number = 0;
  for (const auto& row : tables_->rows(target)) row_of_trait_[row.trait] = number++;
  for (const auto& answer : tables_->answers(target)) base_[answer.entity] = answer.count;
}

/// Undoes hide().
void ConstantCounts::show() {
  change_of_trait_.forget(changed_);
  changed_.clear();
  changes_.clear();
  for (const Lost& lost : lost_) {
    if (!large_ && tables_->is_example(lost.entity)) ++base_[lost.answer];
  }
  if (large_) fewer_.forget(lost_, &Lost::answer);
  lost_.clear();
}

void ConstantCounts::hide(const Mask& mask) {
  const Graph& graph = tables_->graph();
  const std::span<const std::size_t> places = mask.places();
  for (std::size_t at = 0; at < places.size();) {
    const EntityId entity = row_of(graph, places[at]);
    const std::size_t end = graph.start(entity + 1);
    const std::size_t first = at;
    const std::size_t lost_first = lost_.size();
    for (; at < places.size() && places[at] < end; ++at) {
      const Edge& edge = graph.edges()[places[at]];
      if (edge.op == target_) lost_.push_back({entity, edge.target});
    }
    if (!tables_->is_example(entity)) continue;
    for (std::size_t hidden = first; hidden < at; ++hidden) link(entity, places[hidden], true);
    const std::size_t lost = lost_.size() - lost_first;
    if (lost == 0) continue;
    for (std::size_t i = lost_first; i < lost_.size(); ++i) lose(lost_[i].answer);
    if (lost == graph.edges(entity, target_).size()) --answering_;
    std::size_t hidden = first;
    for (std::size_t place = graph.start(entity); place < end; ++place) {
      if (hidden < at && places[hidden] == place) {
        ++hidden;
      } else {
        link(entity, place, false);
      }
    }
  }
}

void ConstantCounts::link(EntityId entity, std::size_t place, bool trait) {
  const std::uint32_t number = tables_->trait(place);
  if (row_number(number) == none) return;
  std::uint32_t& first = change_of_trait_[number];
  if (first == none) changed_.push_back(number);
  changes_.push_back({entity, trait, first});
  first = static_cast<std::uint32_t>(changes_.size() - 1);
}

/// Takes the changes of a trait off what the reader sees, or puts them back with a step of -1.
/// Returns how many others have lost the trait.
std::uint32_t ConstantCounts::apply(Reader& reader, EntityId start, std::uint32_t trait,
                                    std::uint32_t step) const {
  std::uint32_t gone = 0;
  for (std::uint32_t at = change_of_trait_.get(trait); at != none; at = changes_[at].next) {
    const Change& change = changes_[at];
    if (change.entity == start) continue;
    if (change.trait) {
      ++gone;
      for (const Edge& answer : tables_->graph().edges(change.entity, target_))
        reader.less_[answer.target].count += step;
      continue;
    }
    auto lost = std::lower_bound(lost_.begin(), lost_.end(), Lost{change.entity, 0});
    for (; lost != lost_.end() && lost->entity == change.entity; ++lost)
      reader.less_[lost->answer].count += step;
  }
  return gone;
}

void ConstantCounts::leave_out(Reader& reader, EntityId start) const {
  reader.answering_ = answering_;
  if (!tables_->is_example(start)) return;
  bool answers = false;
  for (const Edge& edge : tables_->graph().edges(start, target_)) {
    // base_ is without the hidden facts already.
    const bool lost = std::binary_search(lost_.begin(), lost_.end(), Lost{start, edge.target});
    reader.less_[edge.target] = {1, lost ? 0U : 1U};
    answers = answers || !lost;
  }
  if (answers) --reader.answering_;
}

}  // namespace lerpp
