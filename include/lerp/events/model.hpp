// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lerp/base/options.hpp>
#include <lerp/events/ending.hpp>
#include <lerp/model/parameters.hpp>

/// Logical functions on event graphs, and what they say of a graph as a whole.
namespace lerpp {

struct EventOptions {
  std::string ending = "reached";
  std::string loss = "heads";
  std::string readout = "some";
  std::uint32_t width = 16;
  std::uint32_t columns = 2;
  bool types = true;
  bool last = false;
  bool idle = true;
  bool scenario = true;
  bool repeats = true;
  bool own = false;
  std::uint32_t peel = 1;
  double rate = 0.03;
  double decay = 0.03;
  double average = 0.98;
  double start = 2;
  double sharpen = 0;
  std::uint32_t epochs = 40;
  std::uint32_t patience = 10;
  std::uint32_t batch = 32;
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"ending",
                "which events end a graph, see lerp events baseline --help",
                {"reached", "unfollowed"}},
          self.ending);
    visit(Field{"loss",
                "a yes-or-no head for each type, or one softmax over the types",
                {"heads", "softmax"}},
          self.loss);
    visit(Field{"readout",
                "of a function: whether and how often it holds in the graph; of which share of its "
                "nodes; or of which share of the events of each type, which then has its own say",
                {"some", "share", "each"}},
          self.readout);
    visit(Field{"width", "logical functions; 0 is none", 0, 1024}, self.width);
    visit(Field{"columns", "columns after the first", 1, 8}, self.columns);
    visit(Field{"types", "evidence: which event types are there, and how often"}, self.types);
    visit(Field{"last", "evidence: types of the events that nothing follows"}, self.last);
    visit(Field{"idle", "evidence: types of the entities that take part in nothing"}, self.idle);
    visit(Field{"scenario", "evidence: the kind of story, where the data tells it"}, self.scenario);
    visit(Field{"repeats", "evidence: that a type is there already, weighed alike for all types"},
          self.repeats);
    visit(Field{"own",
                "functions are asked of the events of a head's own type as well, weighed alike for "
                "all types"},
          self.own);
    visit(
        Field{"peel", "times that a training graph without its ending events is learned from again",
              0, 100},
        self.peel);
    visit(Field{"rate", "learning rate of Adam", 1e-9, 10}, self.rate);
    visit(Field{"decay", "weight of the squared weights of the evidence", 0, 1e3}, self.decay);
    visit(Field{"average", "share of the past in the running average of the parameters", 0, 0.9999},
          self.average);
    visit(Field{"start", "how far apart the raw parameters of the functions start", 0, 100},
          self.start);
    visit(Field{"sharpen",
                "weight of the entropy of what functions are made of: the more, the better they "
                "can be read",
                0, 100},
          self.sharpen);
    visit(Field{"epochs", "times through the graphs", 1, 1e6}, self.epochs);
    visit(Field{"patience", "epochs without a better loss on dev before it stops; 0 is never", 0,
                1e6},
          self.patience);
    visit(Field{"batch", "graphs of a step", 1, 1e6}, self.batch);
    visit(Field{"seed", "of all that is drawn", 0, 1e18}, self.seed);
    visit(Field{"threads", "0 is one for each core; the model does not depend on it", 0, 1024},
          self.threads);
  }
};

/// "default" is functions and all other evidence; "paper" is functions and nothing else.
Result<EventOptions> event_preset(std::string_view name);

/// What a caller asks for. The later parts win over the earlier ones.
struct EventOptionRequest {
  std::string preset = "default";
  std::vector<std::string> settings = {};  ///< "name=value"
  std::optional<std::string> ending = {};
  std::optional<std::uint64_t> seed = {};
  std::optional<std::uint32_t> threads = {};
};

/// The options that come of it, in range.
Result<EventOptions> resolve(const EventOptionRequest& request);

/// What a function says of a graph.
enum class EventReadout : std::uint8_t {
  some,   ///< whether and how often it holds
  share,  ///< of which share of the nodes it holds
  each,   ///< to the head of a type, of which share of the events of that type; others are silent
};

/// A table of parameters: `rows` of `columns`.
struct EventBlock {
  std::size_t start = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;

  std::size_t size() const { return rows * columns; }
  std::size_t end() const { return start + size(); }
};

/// Where everything lies. Nodes are events and entities; their types are unary predicates. Roles,
/// relations and "before" are binary ones, each in both directions.
struct EventShape {
  EventSizes sizes;
  LabelId heads = 0;
  std::uint32_t width = 0;
  std::uint32_t columns = 0;
  bool types = true;
  bool last = false;
  bool idle = true;
  bool scenario = true;
  bool repeats = true;
  bool own = false;
  EventReadout readout = EventReadout::some;

  LabelId node_types() const { return sizes.event_types + sizes.entity_types; }
  LabelId relations() const { return sizes.roles + sizes.relations + 1; }
  LabelId before() const { return relations() - 1; }

  /// The functions are those of every model, and so is the layout of their parameters, which come
  /// first.
  ModelShape functions() const;
  std::size_t function_parameters() const;
  /// A row for each piece of evidence, a column for each head; that of the functions stands last.
  EventBlock weights() const { return {function_parameters(), evidence_rows(), heads}; }
  /// Weights that all heads share: of the head's own type being there, of the logarithm of how
  /// often, and of its share of the events.
  EventBlock repeat_weights() const { return {weights().end(), 3, 1}; }
  /// Likewise of a function that holds of events of the head's own type: of some, of the logarithm
  /// of how many, of which share of all events.
  EventBlock own_weights() const {
    return {repeat_weights().end(), own ? std::size_t{width} : 0, 3};
  }
  std::size_t parameters() const { return own_weights().end(); }

  // Rows of the weights.
  std::size_t bias_row() const { return 0; }
  std::size_t held_row() const { return 1; }
  std::size_t count_row() const { return held_row() + sizes.event_types; }
  std::size_t last_row() const { return count_row() + sizes.event_types; }
  std::size_t idle_row() const { return last_row() + sizes.event_types; }
  std::size_t idle_count_row() const { return idle_row() + sizes.entity_types; }
  std::size_t scenario_row() const { return idle_count_row() + sizes.entity_types; }
  std::size_t function_row() const { return scenario_row() + sizes.scenarios; }
  std::size_t evidence_rows() const { return function_row() + 2 * std::size_t{width}; }

  bool operator==(const EventShape&) const = default;
};

struct EventModel {
  EventShape shape;
  EventNames names;
  EventOptions options;
  std::string data;  ///< what it was learned from
  std::vector<float> parameters;
};

EventShape event_shape(const EventOptions& options, const EventSizes& sizes, LabelId heads);

/// Scores ending types; the model must outlive the scorer.
std::unique_ptr<EndingScorer> make_event_scorer(const EventModel& model);

Result<void> save_event_model(const EventModel& model, const std::filesystem::path& path);
Result<EventModel> load_event_model(const std::filesystem::path& path);

/// The weights that say most: "+1.90  some Conflict.Attack ⇒ it ends with Life.Die".
std::string strongest_evidence(const EventModel& model, std::size_t count);

}  // namespace lerpp
