// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lerp/events/model.hpp>
#include <lerp/logic/formula.hpp>

/// Logical equations that hold in event graphs: `Life.Die(x) ⇒ ∃y (before(y,x) ∧ …)`.
namespace lerpp {

struct InduceOptions {
  std::uint32_t remove = 30;
  std::uint32_t width = 48;
  std::uint32_t columns = 2;
  std::uint32_t epochs = 20;
  double sharpen = 0.001;
  bool random = false;
  std::uint32_t candidates = 2000;
  std::uint32_t support = 20;
  double lift = 0.1;
  std::uint32_t top = 20;
  std::uint32_t per_type = 1;
  std::uint32_t shuffles = 10;
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"remove", "events removed from a graph to make a false one, at most half", 1, 1e9},
          self.remove);
    visit(
        Field{"width", "logical functions that learn to tell true graphs from false ones", 1, 1024},
        self.width);
    visit(Field{"columns", "columns of the functions after the first", 1, 4}, self.columns);
    visit(Field{"epochs", "times through the graphs", 1, 1e6}, self.epochs);
    visit(Field{"sharpen",
                "weight of the entropy of what functions are made of: the more, the better they "
                "can be read",
                0, 100},
          self.sharpen);
    visit(Field{"random", "functions start at random, not near patterns that are frequent"},
          self.random);
    visit(Field{"candidates", "patterns counted in the corpus, the most frequent ones", 0, 1e6},
          self.candidates);
    visit(Field{"support", "events that must fulfil an equation", 1, 1e9}, self.support);
    visit(Field{"lift", "by how much the share must exceed chance in the training graphs", 0, 1},
          self.lift);
    visit(Field{"top", "equations to keep, at most half of them of one kind", 1, 1e6}, self.top);
    visit(Field{"per_type",
                "equations to keep of one event type and kind: roles, order, events, denials", 1,
                1e6},
          self.per_type);
    visit(Field{"shuffles", "times that event types are dealt out anew to find chance", 1, 1e4},
          self.shuffles);
    visit(Field{"seed", "of all that is drawn", 0, 1.8e19}, self.seed);
    visit(Field{"threads", "0 is one for each core; the result does not depend on it", 0, 1024},
          self.threads);
  }
};

/// "Every event of the type fulfils the body." The body's operators are the relations of an
/// EventShape and, after them, "is", whose constants are the types of nodes.
struct Equation {
  LabelId type = 0;
  Formula body;

  bool operator==(const Equation&) const = default;
};

/// An equation, counted exactly.
struct EquationCount {
  std::size_t events = 0;      ///< of the type
  std::size_t holds = 0;       ///< those that fulfil the body
  std::size_t graphs = 0;      ///< that have an event of the type
  std::size_t all_graphs = 0;  ///< those where all of them fulfil the body

  double share() const { return ratio(holds, events); }
  double graph_share() const { return ratio(all_graphs, graphs); }

  bool operator==(const EquationCount&) const = default;

 private:
  static double ratio(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

std::vector<EquationCount> count_equations(const std::vector<Equation>& equations,
                                           const std::vector<EventGraph>& graphs,
                                           const EventShape& shape);

struct InducedEquation {
  Equation equation;
  bool learned = false;     ///< read off a function; else it was counted in the corpus
  double certainty = 0;     ///< of a learned one: the log-odds that the model gives it
  EquationCount train;      ///< confidence is its share, support its `holds`
  EquationCount mutilated;  ///< training graphs with events removed
  EquationCount held_out;
  double chance = 0;        ///< the share in held-out graphs whose event types are dealt out anew
  double graph_chance = 0;  ///< likewise of graph_share()
};

struct Induction {
  std::string data;
  EventShape shape;
  EventNames names;
  std::size_t graphs = 0;  ///< true ones, and as many false ones
  std::size_t held_out_graphs = 0;
  double told_apart = 0;  ///< share of held-out graphs that score higher than they do mutilated
  bool seeded = true;     ///< functions started near frequent patterns
  double seconds = 0;
  /// Learned ones first, what the model is surest of before the rest; then counted ones, by how far
  /// they beat chance.
  std::vector<InducedEquation> equations;

  /// How many were read off a function.
  std::size_t learned() const;
};

/// Learns from the training graphs and counts on the test graphs; where there are none, every
/// fifth graph is held out.
Result<Induction> induce(const EventData& data, const InduceOptions& options,
                         const Observer& observer = {});

/// The graph with `count` random events less, but at least half of them stay; and entities that
/// then take part in nothing go too.
EventGraph mutilate(const EventGraph& graph, std::size_t count, std::uint64_t seed);

/// What equations are written with.
struct EquationNames {
  const EventShape& shape;
  const EventNames& names;
};

/// `∃y (before(y,x) ∧ Conflict.Attack(y))`
std::string to_text(const Formula& body, const EquationNames& names);
/// `Life.Die(x) ⇒ ∃y (before(y,x) ∧ Conflict.Attack(y))`
std::string to_text(const Equation& equation, const EquationNames& names);
/// "Every Die comes after some Attack.", or where it holds of a share of them only, "In 87 % of
/// cases a Die comes after some Attack."
std::string to_english(const Equation& equation, const EquationNames& names, double share);
/// "learned" or "counted": where an equation comes from.
std::string_view source_of(const InducedEquation& equation);
/// A picture of the events and entities that the equation speaks of, and below it where it comes
/// from.
std::string to_svg(const Equation& equation, const EquationNames& names,
                   std::string_view source = {});

Json to_json(const Induction& induction);
std::string to_text(const Induction& induction);
/// One page with every equation, its figures and its picture.
std::string to_html(const Induction& induction);

}  // namespace lerpp
