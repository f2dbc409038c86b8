// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lerp/kg/lookup.hpp>

#include "explain/predictor_state.hpp"
#include "model/renumber.hpp"

namespace lerpp {

Predictor::State::State(std::shared_ptr<const Model> given, KnownGraph known_graph,
                        unsigned thread_count)
    : known(std::move(known_graph)),
      shared_model(knows_entities(*given, dataset())
                       ? std::move(given)
                       : std::make_shared<const Model>(without_embedding(*given))),
      model(*shared_model),
      threads(thread_count),
      graph(known.graph()),
      full(dataset().full_graph(threads)),
      masked(model, known, threads),
      judge(model, known, threads) {
  assert(same_relations(model, dataset()));
  for (std::size_t split = 0; split < all_splits.size(); ++split) {
    sorted[split] = dataset().splits[split];
    std::sort(sorted[split].begin(), sorted[split].end());
  }
}

Predictor::State::Lease::~Lease() {
  const std::lock_guard lock(state_.leasing_);
  state_.idle_.push_back(std::move(asked_));
}

Predictor::State::Lease Predictor::State::lease() {
  std::unique_ptr<MaskedModel> asked;
  {
    const std::lock_guard lock(leasing_);
    if (!idle_.empty()) {
      asked = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!asked) asked = std::make_unique<MaskedModel>(masked);
  return {*this, std::move(asked)};
}

// The maps keep what they hold where it is, so that references outlive the lock.
const std::vector<std::optional<SoftConstraint>>& Predictor::State::constraints(OperatorId target) {
  const std::lock_guard lock(reading_);
  const auto found = constraints_.find(target);
  if (found != constraints_.end()) return found->second;
  if (!reader_) reader_.emplace(model, graph, threads);
  return constraints_.emplace(target, reader_->read(target)).first->second;
}

const std::vector<TargetBody>& Predictor::State::bodies(OperatorId target) {
  const std::lock_guard lock(reading_);
  const auto found = bodies_.find(target);
  if (found != bodies_.end()) return found->second;
  const Lease asked = lease();
  return bodies_.emplace(target, target_bodies(*asked, target)).first->second;
}

Predictor::Predictor(std::shared_ptr<const Model> model, KnownGraph known, unsigned threads)
    : state_(std::make_unique<State>(std::move(model), std::move(known), threads)) {}

Predictor::Predictor(Model model, KnownGraph known, unsigned threads)
    : Predictor(std::make_shared<const Model>(std::move(model)), std::move(known), threads) {}

Predictor::Predictor(Predictor&& other) noexcept = default;
Predictor& Predictor::operator=(Predictor&& other) noexcept = default;
Predictor::~Predictor() = default;

const Model& Predictor::model() const {
  return state_->model;
}
const Dataset& Predictor::dataset() const {
  return state_->dataset();
}
const KnownGraph& Predictor::known() const {
  return state_->known;
}

std::optional<Split> Predictor::split_of(const Fact& fact) const {
  for (const Split split : all_splits) {
    const std::vector<Fact>& facts = state_->sorted[static_cast<std::size_t>(split)];
    if (std::binary_search(facts.begin(), facts.end(), fact)) return split;
  }
  return std::nullopt;
}

Result<Fact> Predictor::fact(std::string_view head, std::string_view relation,
                             std::string_view tail) const {
  if (head == "?" || tail == "?") {
    return fail("'?' asks a question, but lerp explain needs a complete fact", "",
                "give both ends; lerp predict finds answers", ErrorKind::usage);
  }
  LERP_TRY(subject, find_entity(dataset(), head));
  LERP_TRY(number, find_relation(dataset(), relation));
  LERP_TRY(object, find_entity(dataset(), tail));
  return Fact{subject, number, object};
}

Result<Query> Predictor::question(std::string_view head, std::string_view relation,
                                  std::string_view tail) const {
  const bool asks_tail = tail == "?";
  if (asks_tail == (head == "?")) {
    return fail(asks_tail ? "both ends are asked for" : "neither end is asked for", "",
                "give '?' for one of HEAD and TAIL", ErrorKind::usage);
  }
  LERP_TRY(number, find_relation(dataset(), relation));
  LERP_TRY(start, find_entity(dataset(), asks_tail ? head : tail));
  return Query{asks_tail ? number : number + dataset().relations.size(), start};
}

}  // namespace lerpp
