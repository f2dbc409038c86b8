// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/json.hpp>
#include <lerp/kg/fingerprint.hpp>
#include <lerp/logic/rule_text.hpp>

#include "explain/learn_likelihood.hpp"
#include "explain/predictor_state.hpp"
#include "kg/digest.hpp"

namespace lerpp {
namespace {

/// What the file says first: other numbers are learned in other ways.
constexpr int version = 2;

void add_list(const RuleList& list, const Dataset& dataset, Digest& digest) {
  const Names names = {dataset.relations, dataset.entities};
  digest.add(&list.frontier, sizeof(list.frontier));
  for (const auto& [rule, more, group] : list.rules) {
    const double weight = rule.weight();
    const std::string text = to_text(rule, names);
    digest.add(&weight, sizeof(weight));
    digest.add(&more, sizeof(more));
    digest.add(&group, sizeof(group));
    digest.add(text.data(), text.size());
  }
}

/// Tells models apart, and what they know.
std::string key_of(const Model& model, const KnownGraph& known) {
  Digest digest;
  const std::span<const float> values = model.parameters.values();
  digest.add(values.data(), values.size_bytes());
  if (model.list) add_list(*model.list, known.dataset(), digest);
  const std::string data = fingerprint(known.dataset());
  digest.add(data.data(), data.size());
  const bool valid = known.knows(Split::valid);
  digest.add(&valid, sizeof(valid));
  return digest.text();
}

}  // namespace

Result<void> Predictor::learn_probabilities(const Observer& observer) {
  LERP_TRY(learned, learn_likelihood(state_->model, state_->known, state_->threads, observer));
  state_->likelihood = std::move(learned);
  return {};
}

bool Predictor::has_probabilities() const {
  return state_->likelihood.has_value();
}

Json Predictor::probabilities() const {
  Json json = {{"version", version}, {"key", key_of(state_->model, state_->known)}};
  if (state_->likelihood) json["likelihood"] = to_json(*state_->likelihood);
  return json;
}

Result<void> Predictor::take_probabilities(const Json& kept) {
  const bool same = kept.is_object() && kept.value("version", Json()) == Json(version) &&
                    kept.value("key", Json()) == Json(key_of(state_->model, state_->known));
  if (!same) {
    return fail("these probabilities were learned for another model or other data", "",
                "learn them anew");
  }
  LERP_TRY(likelihood, Likelihood::from_json(kept.value("likelihood", Json()),
                                             state_->dataset().relations.size()));
  state_->likelihood = std::move(likelihood);
  return {};
}

}  // namespace lerpp
