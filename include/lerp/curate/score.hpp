// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/explain/predict.hpp>

/// Files of facts and of questions.
namespace lerpp {

/// A fact that is to be judged, with its label where somebody has given it one.
struct LabelledFact {
  Fact fact;
  std::optional<bool> label = {};
};
/// Lines of subject, relation, object and perhaps a label (1 or 0, 1 or -1, true or false),
/// separated by tabs. An error names the line.
Result<std::vector<LabelledFact>> read_labelled(const std::filesystem::path& path,
                                                const Dataset& dataset);
/// Lines of subject, relation and object where one end is "?".
Result<std::vector<Query>> read_questions(const std::filesystem::path& path,
                                          const Predictor& predictor);

struct ScoredFacts {
  struct Item {
    LabelledFact given;
    double probability = 0;
    double score = 0;
    std::optional<Split> known = {};
  };
  /// How well labelled facts are told apart.
  struct Accuracy {
    std::uint64_t labelled = 0;
    double threshold = 0;  ///< chosen on validation facts and facts with another end
    double accuracy = 0;
    double area = 0;  ///< under the receiver operating characteristic
  };

  std::string dataset;
  std::vector<Item> facts;
  std::optional<Accuracy> accuracy = {};
  double seconds = 0;
};
Result<ScoredFacts> score_facts(const Predictor& predictor, std::vector<LabelledFact> facts,
                                const Observer& observer = {});

Json to_json(const ScoredFacts& scored, const Dataset& dataset);
std::string to_text(const ScoredFacts& scored, const Dataset& dataset);

/// How likely a true one is put above a false one, ties counted half.
double area_under_curve(std::vector<std::pair<double, bool>> labelled);

}  // namespace lerpp
