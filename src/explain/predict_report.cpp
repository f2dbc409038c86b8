// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/explain/predict.hpp>

#include "explain/wording.hpp"

namespace lerpp {

Json to_json(const Prediction& prediction) {
  Json json = {{"dataset", prediction.dataset},
               {"relation", prediction.relation},
               {"direction", prediction.tail ? "tail" : "head"},
               {"given", prediction.given},
               {"given_label", prediction.given_label},
               {"entities", prediction.entities},
               {"seconds", prediction.seconds},
               {"answers", Json::array()}};
  for (const Prediction::Answer& answer : prediction.answers) {
    Json item = {{"name", answer.name}, {"label", answer.label}};
    item.update(to_json(answer.standing));
    item["known"] = answer.known ? Json(name_of(*answer.known)) : Json(nullptr);
    item["objection"] = answer.objection;
    json["answers"].push_back(std::move(item));
  }
  return json;
}

std::string to_text(const Prediction& prediction) {
  const std::string_view asked = "?";
  std::string text =
      fmt::format("{}({}, {})   {} entities, answered in {:.1f} ms\n", prediction.relation,
                  prediction.tail ? prediction.given_label : asked,
                  prediction.tail ? asked : prediction.given_label, thousands(prediction.entities),
                  1000 * prediction.seconds);
  text += "    rank    score  probability  known  answer";
  for (const Prediction::Answer& answer : prediction.answers) {
    const std::optional<double>& probability = answer.standing.probability;
    text += fmt::format(
        "\n{:>8}  {:>7}  {:>11}  {:<5}  {}", rank_text(answer.standing.rank),
        score_text(answer.standing.score), probability ? fmt::format("{:.4f}", *probability) : "",
        answer.known ? name_of(*answer.known) : "", named(answer.name, answer.label));
    if (!answer.objection.empty()) text += "   (" + answer.objection + ")";
  }
  if (prediction.answers.empty()) text += "\n  every entity is a known answer";
  return text;
}

}  // namespace lerpp
