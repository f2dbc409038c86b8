// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/options.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/model/model.hpp>

/// Answers to single questions, as a person asks them.
namespace lerpp {

/// How an answer stands among all entities but the other known answers, of any split.
struct Standing {
  double score = 0;
  Rank rank;
  /// The softmax of the scores; where rules are summed, the share of the sum. It takes for granted
  /// that there is one more answer.
  double softmax = 0;
  /// That the fact is true, whichever end was asked for; none where the predictor has not learned
  /// how likely its answers are.
  std::optional<double> probability = {};
};
Json to_json(const Standing& standing);

struct PredictOptions {
  std::uint32_t top = 10;
  std::string known = "show";

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"top", "answers that are shown, at most", 1, 1e9}, self.top);
    visit(Field{"known", "answers that the data knows already", {"show", "hide"}}, self.known);
  }
};

/// The best answers to one question.
struct Prediction {
  struct Answer {
    std::string name;
    std::string label;  ///< its human text, where there is one
    Standing standing;
    std::optional<Split> known;  ///< where the data says so already
    std::string objection = {};  ///< what speaks against it apart from the rules, in words
  };

  std::string dataset;
  std::string relation;
  std::string given;        ///< the end that is known, by name
  std::string given_label;  ///< and for people
  bool tail = true;         ///< whether the object is asked for
  std::size_t entities = 0;
  std::vector<Answer> answers;  ///< the most likely first
  double seconds = 0;
};
Json to_json(const Prediction& prediction);
std::string to_text(const Prediction& prediction);

/// A model that is made ready once, and then answers each question in an instant. Several threads
/// may ask at the same time.
class Predictor {
 public:
  /// A model and a dataset with the same relations in the same order. An embedding of other
  /// entities does not count. The threads make it ready.
  Predictor(std::shared_ptr<const Model> model, KnownGraph known, unsigned threads = 0);
  Predictor(Model model, KnownGraph known, unsigned threads = 0);
  Predictor(Predictor&& other) noexcept;
  Predictor& operator=(Predictor&& other) noexcept;
  ~Predictor();

  const Model& model() const;
  const Dataset& dataset() const;
  const KnownGraph& known() const;
  /// The first split that has a fact.
  std::optional<Split> split_of(const Fact& fact) const;

  /// The question `relation(head, tail)` where one end is "?".
  Result<Query> question(std::string_view head, std::string_view relation,
                         std::string_view tail) const;
  Result<Fact> fact(std::string_view head, std::string_view relation, std::string_view tail) const;

  Prediction predict(const Query& query, const PredictOptions& options = {}) const;
  /// Many questions, in their order; equal ones are asked once.
  Result<std::vector<Prediction>> predict_all(std::span<const Query> queries,
                                              const PredictOptions& options = {},
                                              const Observer& observer = {}) const;

  /// Learns from held-out facts how likely answers are: until then they have no probabilities.
  /// Nobody may ask meanwhile.
  Result<void> learn_probabilities(const Observer& observer = {});
  bool has_probabilities() const;
  /// What was learned, to be kept; it serves this model and what it knows, and no other.
  Json probabilities() const;
  /// Takes what was kept; refused where it is of another model or other data.
  Result<void> take_probabilities(const Json& kept);

  /// For the library's own use.
  struct State;
  State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace lerpp
