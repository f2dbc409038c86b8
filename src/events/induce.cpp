#include <algorithm>
#include <map>

#include <lerp/events/induce.hpp>
#include <lerp/events/train.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/simplify.hpp>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "events/equation_candidates.hpp"
#include "events/event_loss.hpp"

namespace lerpp {
namespace {

constexpr std::size_t per_function = 8;

/// Every event gets the type of another event of its graph.
std::vector<EventGraph> with_types_dealt_out(std::vector<EventGraph> graphs, std::uint64_t seed,
                                             std::uint64_t round) {
  Random random(seed, 1000 + round);
  for (EventGraph& graph : graphs) random.shuffle(graph.events);
  return graphs;
}

std::vector<EventGraph> mutilated(const std::vector<EventGraph>& graphs, std::size_t count,
                                  std::uint64_t seed) {
  std::vector<EventGraph> result;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    result.push_back(mutilate(graphs[i], count, seed + i));
  }
  return result;
}

/// Counts for every type at once where one body is asked of many.
class BodyCounter {
 public:
  BodyCounter(const NodeCorpus& corpus, LabelId event_types)
      : corpus_(corpus), evaluator_(corpus.graph), events_(event_types) {
    for (const LabelId type : corpus.types) {
      if (type < event_types) ++events_[type];
    }
  }

  const std::vector<std::size_t>& events() const { return events_; }
  /// How many events of each type fulfil the body.
  std::vector<std::size_t> holds(const Formula& body) {
    std::vector<std::size_t> result(events_.size());
    evaluator_(body).for_each([&](EntityId entity) {
      if (entity < corpus_.first_node) return;
      const LabelId type = corpus_.types[entity - corpus_.first_node];
      if (type < result.size()) ++result[type];
    });
    return result;
  }

 private:
  const NodeCorpus& corpus_;
  Evaluator evaluator_;
  std::vector<std::size_t> events_;
};

/// What an equation speaks of. Roles say most of what an ontology says anyway, so each kind has
/// places of its own.
enum class Subject : std::uint8_t { roles, order, events, denial };

bool leads_in_time(OperatorId op, const EventShape& shape) {
  return op == corpus_operator(shape, shape.before(), false) ||
         op == corpus_operator(shape, shape.before(), true);
}

Subject subject_of(const Formula& body, const EventShape& shape) {
  Subject subject = Subject::roles;
  if (body.is(Formula::Kind::constant)) {
    return body.entity() < shape.sizes.event_types ? Subject::events : Subject::roles;
  }
  if (body.is(Formula::Kind::negation)) return Subject::denial;
  if (body.is(Formula::Kind::exists) && leads_in_time(body.op(), shape)) subject = Subject::order;
  for (const Formula& part : body.parts()) {
    const Subject other = subject_of(part, shape);
    if (other == Subject::denial) return other;
    if (other != Subject::roles && subject != Subject::order) subject = other;
  }
  return subject;
}

/// "Comes after something" says little, and so does "after what is no Meet": an equation names a
/// type, a role or a relation.
bool names_something(const Formula& body, const EventShape& shape) {
  if (body.is(Formula::Kind::constant)) return true;
  if (body.is(Formula::Kind::negation) && body.inner().is(Formula::Kind::constant)) return false;
  if (body.is(Formula::Kind::exists) && !leads_in_time(body.op(), shape)) return true;
  return std::any_of(body.parts().begin(), body.parts().end(),
                     [&](const Formula& part) { return names_something(part, shape); });
}

/// Whether a way in the body can lead back to the event that it is asked of, which then proves
/// itself: "has a victim who is the victim of some Die", of a Die.
bool can_return(const Formula& body, const EventShape& shape, LabelId type) {
  const auto back = [&](OperatorId op) {
    const OperatorId relations = shape.relations() + 1;
    return op < relations ? op + relations : op - relations;
  };
  const auto returns = [&](const Formula& inner, OperatorId op) {
    return inner.is(Formula::Kind::exists) && inner.op() == back(op) &&
           !(inner.inner().is(Formula::Kind::constant) && inner.inner().entity() != type);
  };
  if (body.is(Formula::Kind::exists)) {
    if (returns(body.inner(), body.op())) return true;
    for (const Formula& part : body.inner().parts()) {
      if (returns(part, body.op())) return true;
    }
  }
  return std::any_of(body.parts().begin(), body.parts().end(),
                     [&](const Formula& part) { return can_return(part, shape, type); });
}

struct Candidate {
  Equation equation;
  double share = 0;
  std::size_t holds = 0;
  bool learned = false;
};

/// Equations that are frequent and beat chance, the most confident first.
std::vector<Candidate> screen(const std::vector<Formula>& bodies, std::size_t learned,
                              const std::vector<EventGraph>& graphs, const EventShape& shape,
                              const InduceOptions& options) {
  const NodeCorpus corpus = node_corpus(graphs, shape);
  const NodeCorpus dealt = node_corpus(with_types_dealt_out(graphs, options.seed, 0), shape);
  BodyCounter real(corpus, shape.sizes.event_types);
  BodyCounter chance(dealt, shape.sizes.event_types);
  std::vector<Candidate> result;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!names_something(bodies[i], shape)) continue;
    const std::vector<std::size_t> holds = real.holds(bodies[i]);
    const std::vector<std::size_t> by_chance = chance.holds(bodies[i]);
    for (LabelId type = 0; type < holds.size(); ++type) {
      if (holds[type] < options.support) continue;
      const auto events = static_cast<double>(real.events()[type]);
      const double share = static_cast<double>(holds[type]) / events;
      if (share - static_cast<double>(by_chance[type]) / events < options.lift) continue;
      if (can_return(bodies[i], shape, type)) continue;
      result.push_back({{type, bodies[i]}, share, holds[type], i < learned});
    }
  }
  std::stable_sort(result.begin(), result.end(), [](const Candidate& left, const Candidate& right) {
    return left.share > right.share || (left.share == right.share && left.holds > right.holds);
  });
  return result;
}

/// The first ones of each kind, few of each type, and none that says less than one already chosen.
std::vector<Candidate> choose(const std::vector<Candidate>& candidates, const EventShape& shape,
                              const InduceOptions& options) {
  constexpr std::size_t kinds = 4;
  const std::size_t most = (options.top + kinds - 1) / kinds;
  std::vector<Candidate> chosen;
  std::map<Subject, std::size_t> of_kind;
  std::map<std::pair<Subject, LabelId>, std::size_t> of_type;
  for (const Candidate& candidate : candidates) {
    if (chosen.size() == options.top) break;
    const Subject subject = subject_of(candidate.equation.body, shape);
    std::size_t& taken = of_type[{subject, candidate.equation.type}];
    if (taken >= options.per_type || of_kind[subject] >= most) continue;
    const bool said = std::any_of(chosen.begin(), chosen.end(), [&](const Candidate& other) {
      return other.equation.type == candidate.equation.type &&
             (plainly_implies(other.equation.body, candidate.equation.body) ||
              plainly_implies(candidate.equation.body, other.equation.body));
    });
    if (said) continue;
    ++taken;
    ++of_kind[subject];
    chosen.push_back(candidate);
  }
  return chosen;
}

/// True graphs say yes to the one head, false ones do not.
LabelledGraphs contrast(const std::vector<EventGraph>& graphs, const InduceOptions& options,
                        std::uint64_t seed) {
  LabelledGraphs result;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    result.graphs.push_back(mutilate(graphs[i], 0, 0));
    result.gold.push_back({0});
    result.graphs.push_back(mutilate(graphs[i], options.remove, seed + i));
    result.gold.emplace_back();
  }
  return result;
}

EventOptions contrast_options(const InduceOptions& options) {
  EventOptions result;
  result.width = options.width;
  result.columns = options.columns;
  result.epochs = options.epochs;
  result.seed = options.seed;
  result.threads = options.threads;
  result.readout = "share";
  result.types = result.last = result.idle = result.scenario = result.repeats = result.own = false;
  result.decay = 0.001;
  return result;
}

/// How often the model prefers a graph to what is left of it.
double told_apart(const EventModel& model, const LabelledGraphs& pairs) {
  const auto scorer = make_event_scorer(model);
  double right = 0;
  double asked = 0;
  for (std::size_t i = 0; i + 1 < pairs.graphs.size(); i += 2) {
    double scores[2];
    scorer->score(pairs.graphs[i], std::span(&scores[0], 1));
    scorer->score(pairs.graphs[i + 1], std::span(&scores[1], 1));
    right += scores[0] > scores[1] ? 1 : scores[0] == scores[1] ? 0.5 : 0;
    ++asked;
  }
  return asked == 0 ? 0 : right / asked;
}

void count_all(std::vector<InducedEquation>& induced, const std::vector<EventGraph>& train,
               const std::vector<EventGraph>& held_out, const EventShape& shape,
               const InduceOptions& options) {
  std::vector<Equation> equations;
  equations.reserve(induced.size());
  for (const InducedEquation& item : induced) equations.push_back(item.equation);
  const auto on_train = count_equations(equations, train, shape);
  const auto on_mutilated =
      count_equations(equations, mutilated(train, options.remove, options.seed), shape);
  const auto on_held_out = count_equations(equations, held_out, shape);
  for (std::size_t i = 0; i < induced.size(); ++i) {
    induced[i].train = on_train[i];
    induced[i].mutilated = on_mutilated[i];
    induced[i].held_out = on_held_out[i];
  }
  for (std::uint32_t round = 1; round <= options.shuffles; ++round) {
    const auto dealt =
        count_equations(equations, with_types_dealt_out(held_out, options.seed, round), shape);
    for (std::size_t i = 0; i < induced.size(); ++i) {
      induced[i].chance += dealt[i].share() / options.shuffles;
      induced[i].graph_chance += dealt[i].graph_share() / options.shuffles;
    }
  }
}

}  // namespace

EventGraph mutilate(const EventGraph& graph, std::size_t count, std::uint64_t seed) {
  count = std::min(count, graph.events.size() / 2);
  std::vector<std::uint32_t> events(graph.events.size());
  for (std::uint32_t i = 0; i < events.size(); ++i) events[i] = i;
  Random(seed, 3).shuffle(events);
  std::vector<bool> kept(graph.events.size(), true);
  for (std::size_t i = 0; i < count; ++i) kept[events[i]] = false;
  EventGraph result = keep_events(graph, kept);
  std::vector<bool> takes_part(result.entities.size());
  for (const EventLink& link : result.arguments) takes_part[link.to] = true;
  std::vector<std::uint32_t> place(result.entities.size());
  std::vector<LabelId> entities;
  for (std::size_t i = 0; i < place.size(); ++i) {
    place[i] = static_cast<std::uint32_t>(entities.size());
    if (takes_part[i]) entities.push_back(result.entities[i]);
  }
  result.entities = std::move(entities);
  for (EventLink& link : result.arguments) link.to = place[link.to];
  std::erase_if(result.relations, [&](const EventLink& link) {
    return !takes_part[link.from] || !takes_part[link.to];
  });
  for (EventLink& link : result.relations) link = {place[link.from], link.label, place[link.to]};
  return result;
}

std::vector<EquationCount> count_equations(const std::vector<Equation>& equations,
                                           const std::vector<EventGraph>& graphs,
                                           const EventShape& shape) {
  const NodeCorpus corpus = node_corpus(graphs, shape);
  Evaluator evaluator(corpus.graph);
  std::vector<std::vector<std::uint32_t>> nodes(shape.sizes.event_types);
  for (std::uint32_t node = 0; node < corpus.types.size(); ++node) {
    if (corpus.types[node] < nodes.size()) nodes[corpus.types[node]].push_back(node);
  }
  std::vector<EquationCount> result;
  for (const Equation& equation : equations) {
    const EntitySet& body = evaluator(equation.body);
    EquationCount count;
    const std::vector<std::uint32_t>& asked = nodes[equation.type];
    // The nodes of a graph stand together.
    for (std::size_t first = 0; first < asked.size();) {
      const std::uint32_t graph = corpus.graph_of[asked[first]];
      std::size_t last = first;
      std::size_t holds = 0;
      for (; last < asked.size() && corpus.graph_of[asked[last]] == graph; ++last) {
        if (body.contains(corpus.first_node + asked[last])) ++holds;
      }
      count.events += last - first;
      count.holds += holds;
      ++count.graphs;
      if (holds == last - first) ++count.all_graphs;
      first = last;
    }
    result.push_back(count);
  }
  return result;
}

Result<Induction> induce(const EventData& data, const InduceOptions& options,
                         const Observer& observer) {
  LERP_CHECK(check_options(options));
  const auto start = Clock::now();
  std::vector<EventGraph> train;
  std::vector<EventGraph> held_out = data[Split::test];
  for (const EventGraph& graph : data[Split::train]) {
    if (graph.events.size() >= 2) train.push_back(graph);
  }
  std::erase_if(held_out, [](const EventGraph& graph) { return graph.events.empty(); });
  if (held_out.empty()) {
    std::vector<EventGraph> rest;
    for (std::size_t i = 0; i < train.size(); ++i) {
      (i % 5 == 4 ? held_out : rest).push_back(std::move(train[i]));
    }
    train = std::move(rest);
  }
  if (train.empty()) {
    return fail("no training graph has two events", data.source, "give graphs with more events");
  }
  Induction result;
  result.data = data.name;
  result.names = data.names;
  result.graphs = train.size();
  result.held_out_graphs = held_out.size();
  const EventOptions learning = contrast_options(options);
  result.shape = event_shape(learning, data.trained, 1);
  const LabelledGraphs dev = contrast(data[Split::valid], options, options.seed + 1'000'000);
  LERP_TRY(trained, train_events(contrast(train, options, options.seed), dev, result.shape,
                                 learning, observer));
  result.told_apart =
      told_apart(trained.model, contrast(held_out, options, options.seed + 2'000'000));

  std::vector<Formula> bodies =
      function_bodies(EventFunctions(result.shape, trained.model.parameters), per_function);
  const std::size_t learned = bodies.size();
  for (Formula& body : frequent_bodies(node_corpus(train, result.shape), result.shape,
                                       options.support, options.candidates)) {
    if (std::find(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(learned), body) ==
        bodies.begin() + static_cast<std::ptrdiff_t>(learned)) {
      bodies.push_back(std::move(body));
    }
  }
  for (Candidate& candidate :
       choose(screen(bodies, learned, train, result.shape, options), result.shape, options)) {
    InducedEquation item;
    item.equation = std::move(candidate.equation);
    item.learned = candidate.learned;
    result.equations.push_back(std::move(item));
  }
  count_all(result.equations, train, held_out, result.shape, options);
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace lerpp
