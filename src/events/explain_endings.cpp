// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include <lerp/events/explain.hpp>
#include <lerp/events/induce.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/simplify.hpp>

#include "events/corpus.hpp"
#include "events/event_loss.hpp"
#include "events/function_readings.hpp"

namespace lerpp {
namespace {

/// Formulas that a function is split into; what is left of it is told together.
constexpr std::size_t per_function = 12;
constexpr const char* no_short_formula = "functions that no short formula describes";

std::string times(std::size_t count) {
  return count == 1 ? "once" : count == 2 ? "twice" : fmt::format("{} times", count);
}

/// What a model's functions say, found once for all graphs.
struct ReadModel {
  explicit ReadModel(const EventModel& given)
      : model(given),
        functions(given.shape, given.parameters),
        readings(given.shape.width == 0 ? std::vector<std::vector<BodyReading>>()
                                        : body_readings(functions, per_function)) {}

  const EventModel& model;
  EventFunctions functions;
  std::vector<std::vector<BodyReading>> readings;
};

/// The reasons of one graph and ending.
class Reasons {
 public:
  Reasons(const ReadModel& read, const EventGraph& context, LabelId head)
      : read_(read),
        shape_(read.model.shape),
        context_(context),
        head_(head),
        nodes_(node_graph(std::span(&context, 1), shape_)),
        corpus_(node_corpus({context}, shape_)),
        evaluator_(corpus_.graph),
        sums_(nodes_, shape_) {
    const std::uint32_t only[] = {0};
    sums_.forward(read.functions, only, false);
  }

  std::vector<EndingReason> find() {
    add_plain();
    add_repeats();
    for (std::size_t i = 0; i < shape_.width; ++i) {
      add_function(i);
      if (shape_.own) add_own(i);
    }
    return sorted();
  }

 private:
  double weight(std::size_t row) const {
    return double{read_.model.parameters[shape_.weights().start + row * shape_.heads + head_]};
  }

  void add(EndingEvidence evidence, const std::string& text, std::size_t holds, double part) {
    EndingReason& reason = reasons_[{evidence, text}];
    reason.evidence = evidence;
    reason.text = text;
    reason.holds = holds;
    reason.part += part;
  }

  /// Rows of the same label, that it is there and how often, are one reason.
  void add_plain() {
    for (const Evidence& evidence : plain_evidence(context_, shape_)) {
      const double part = evidence.value * weight(evidence.row);
      const EventNames& names = read_.model.names;
      const auto name = [&](const Vocabulary& list, std::size_t first) {
        return std::string(list.name(static_cast<LabelId>(evidence.row - first)));
      };
      const std::size_t row = evidence.row;
      if (row == shape_.bias_row()) {
        add(EndingEvidence::prior, "how often training graphs end with this type", 0, part);
      } else if (row < shape_.count_row()) {
        add_type(name(names.event_types, shape_.held_row()), part);
      } else if (row < shape_.last_row()) {
        add_type(name(names.event_types, shape_.count_row()), part);
      } else if (row < shape_.idle_row()) {
        add(EndingEvidence::last,
            fmt::format("nothing follows {}", name(names.event_types, shape_.last_row())), 0, part);
      } else if (row < shape_.scenario_row()) {
        const std::size_t first =
            row < shape_.idle_count_row() ? shape_.idle_row() : shape_.idle_count_row();
        add(EndingEvidence::idle,
            fmt::format("{} that takes part in nothing", name(names.entity_types, first)), 0, part);
      } else {
        add(EndingEvidence::scenario,
            fmt::format("the scenario is {}", name(names.scenarios, shape_.scenario_row())), 0,
            part);
      }
    }
  }

  std::size_t count_of(const std::string& type) const {
    const auto id = read_.model.names.event_types.find(type);
    return static_cast<std::size_t>(
        std::count(context_.events.begin(), context_.events.end(), id ? *id : Vocabulary::none));
  }

  void add_type(const std::string& type, double part) {
    const std::size_t count = count_of(type);
    add(EndingEvidence::types, fmt::format("{} happens {}", type, times(count)), count, part);
  }

  void add_repeats() {
    const float* const shared = read_.model.parameters.data() + shape_.repeat_weights().start;
    for (const Repeat& repeat : repeats(context_, shape_)) {
      if (repeat.head != head_) continue;
      double part = 0;
      for (std::size_t i = 0; i < repeat.values.size(); ++i) {
        part += repeat.values[i] * double{shared[i]};
      }
      const std::string type(read_.model.names.event_types.name(head_));
      add(EndingEvidence::repeats,
          fmt::format("{} has happened already, {}", type, times(count_of(type))), count_of(type),
          part);
    }
  }

  void add_function(std::size_t i) {
    const double sum = sums_.of_graph(0)[i];
    double part = 0;
    for (const Evidence& evidence :
         function_evidence(shape_, sums_.of_graph(0), nodes_.types.size())) {
      if ((evidence.row - shape_.function_row()) / 2 == i)
        part += evidence.value * weight(evidence.row);
    }
    split(i, sum, part, Formula::truth());
  }

  void add_own(std::size_t i) {
    const auto place = std::find(nodes_.group_types.begin(), nodes_.group_types.end(), head_);
    if (place == nodes_.group_types.end()) return;
    const auto group = static_cast<std::size_t>(place - nodes_.group_types.begin());
    const double sum = sums_.of_groups(0)[group * shape_.width + i];
    const float* const own = read_.model.parameters.data() + shape_.own_weights().start + 3 * i;
    const double events =
        std::accumulate(nodes_.group_sizes.begin(), nodes_.group_sizes.end(), 0.0);
    const auto values = own_evidence(sum, events);
    double part = 0;
    for (std::size_t k = 0; k < values.size(); ++k) part += values[k] * double{own[k]};
    split(i, sum, part, has_type(shape_, head_));
  }

  /// Splits what a function adds among its formulas, each said of the nodes that fulfil `of`.
  void split(std::size_t i, double sum, double part, const Formula& of) {
    struct Piece {
      Formula formula;
      std::size_t holds = 0;
      double sum = 0;
    };
    std::vector<Piece> pieces;
    double found = 0;
    for (const BodyReading& reading : read_.readings[i]) {
      const Formula said = simplify(Formula::conjunction({of, reading.formula}));
      const std::size_t holds = count(said);
      if (holds == 0) continue;
      pieces.push_back({said, holds, reading.share * static_cast<double>(holds)});
      found += pieces.back().sum;
    }
    const double whole = std::max(sum, found);
    if (whole == 0) return;
    for (const Piece& piece : pieces) {
      add(EndingEvidence::function, words(piece.formula), piece.holds, part * piece.sum / whole);
    }
    add(EndingEvidence::function, no_short_formula, 0, part * (whole - found) / whole);
  }

  std::string words(const Formula& formula) const {
    if (formula.is(Formula::Kind::truth)) return "events and entities, of any kind";
    return to_text(formula, EquationNames{shape_, read_.model.names});
  }

  /// Nodes that fulfil a formula: types, which are entities of the corpus too, are none.
  std::size_t count(const Formula& formula) {
    std::size_t result = 0;
    evaluator_(formula).for_each([&](EntityId entity) {
      if (entity >= corpus_.first_node) ++result;
    });
    return result;
  }

  std::vector<EndingReason> sorted() {
    std::vector<EndingReason> result;
    double whole = 0;
    for (auto& [key, reason] : reasons_) {
      if (reason.part == 0) continue;
      whole += std::abs(reason.part);
      result.push_back(std::move(reason));
    }
    for (EndingReason& reason : result) reason.share = std::abs(reason.part) / whole;
    std::stable_sort(result.begin(), result.end(),
                     [](const EndingReason& left, const EndingReason& right) {
                       return left.share > right.share;
                     });
    return result;
  }

  const ReadModel& read_;
  const EventShape& shape_;
  const EventGraph& context_;
  LabelId head_;
  NodeGraph nodes_;
  NodeCorpus corpus_;
  Evaluator evaluator_;
  FunctionSums sums_;
  std::map<std::pair<EndingEvidence, std::string>, EndingReason> reasons_;
};

}  // namespace

std::vector<EndingReason> explain_ending(const EventModel& model, const EventGraph& context,
                                         LabelId type) {
  return Reasons(ReadModel(model), context, type).find();
}

Result<EndingExplanations> explain_endings(const EventModel& model, const EventData& data,
                                           Split split, const Observer& observer) {
  LERP_TRY(ending, ending_named(model.options.ending));
  LERP_TRY(cases, ending_cases(data, split, ending));
  const ReadModel read(model);
  const auto scorer = make_event_scorer(model);
  EndingExplanations result{data.name, std::string(name_of(split)), {}};
  std::vector<double> scores(data.names.event_types.size());
  for (const EndingCase& item : cases.cases) {
    if (observer.stopped()) return fail_stopped("explaining");
    scorer->score(item.context, scores);
    const auto best = std::max_element(scores.begin(), scores.end());
    const auto type = static_cast<LabelId>(best - scores.begin());
    ExplainedEnding explained;
    explained.graph = item.context.id;
    explained.type = data.names.event_types.name(type);
    for (const LabelId gold : item.gold) {
      explained.gold.emplace_back(data.names.event_types.name(gold));
    }
    explained.right = std::ranges::binary_search(item.gold, type);
    explained.score = *best;
    explained.reasons = Reasons(read, item.context, type).find();
    result.endings.push_back(std::move(explained));
  }
  return result;
}

}  // namespace lerpp
