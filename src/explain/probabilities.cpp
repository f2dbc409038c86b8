// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/json.hpp>
#include <lerp/kg/fingerprint.hpp>

#include "explain/learn_likelihood.hpp"
#include "explain/predictor_state.hpp"
#include "kg/digest.hpp"

namespace lerpp {
namespace {

/// What the file says first: other numbers are learned in other ways.
constexpr int version = 2;

/// Tells models apart, and what they know.
std::string key_of(const Model& model, const KnownGraph& known) {
  Digest digest;
  const std::span<const float> values = model.parameters.values();
  digest.add(values.data(), values.size_bytes());
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
