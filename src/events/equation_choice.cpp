// SPDX-License-Identifier: Apache-2.0
#include "events/equation_choice.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/simplify.hpp>

#include "events/contrast.hpp"
#include "events/corpus.hpp"
#include "events/function_readings.hpp"

namespace lerpp {
namespace {

/// Formulas read off a function.
constexpr std::size_t per_function = 12;

/// Counts for every type at once where one body is asked of many.
class BodyCounter {
 public:
  BodyCounter(const std::vector<EventGraph>& graphs, const EventShape& shape)
      : corpus_(node_corpus(graphs, shape)),
        evaluator_(corpus_.graph),
        events_(shape.sizes.event_types) {
    for (const LabelId type : corpus_.types) {
      if (type < events_.size()) ++events_[type];
    }
  }

  std::size_t events(LabelId type) const { return events_[type]; }
  /// How many events of each type fulfil the body.
  const std::vector<std::size_t>& holds(const Formula& body) {
    const auto [place, fresh] = known_.try_emplace(body, events_.size());
    std::vector<std::size_t>& result = place->second;
    if (!fresh) return result;
    evaluator_(body).for_each([&](EntityId entity) {
      if (entity < corpus_.first_node) return;
      const LabelId type = corpus_.types[entity - corpus_.first_node];
      if (type < result.size()) ++result[type];
    });
    return result;
  }
  double share(const Equation& equation) {
    const std::size_t all = events(equation.type);
    if (all == 0) return 0;
    return static_cast<double>(holds(equation.body)[equation.type]) / static_cast<double>(all);
  }

 private:
  NodeCorpus corpus_;
  Evaluator evaluator_;
  std::vector<std::size_t> events_;
  std::map<Formula, std::vector<std::size_t>> known_;
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

/// What is left to say of an event that is known to have a type.
Formula given_type(const Formula& formula, const EventShape& shape, LabelId type) {
  switch (formula.kind()) {
    case Formula::Kind::constant:
      if (formula.op() != is_operator(shape)) return formula;
      return formula.entity() == type ? Formula::truth() : Formula::falsity();
    case Formula::Kind::negation:
      return Formula::negation(given_type(formula.inner(), shape, type));
    case Formula::Kind::conjunction:
    case Formula::Kind::disjunction: {
      std::vector<Formula> parts;
      for (const Formula& part : formula.parts()) parts.push_back(given_type(part, shape, type));
      return formula.is(Formula::Kind::conjunction) ? Formula::conjunction(std::move(parts))
                                                    : Formula::disjunction(std::move(parts));
    }
    default:
      return formula;
  }
}

/// A candidate with what was counted.
struct Counted {
  EquationCandidate candidate;
  double lift = 0;
  bool denial = false;
};

/// Equations that are frequent, beat chance, and suffer where events are removed.
std::vector<Counted> screen(const std::vector<EquationCandidate>& candidates,
                            const std::vector<EventGraph>& graphs, const EventShape& shape,
                            const InduceOptions& options) {
  BodyCounter real(graphs, shape);
  BodyCounter chance(with_types_dealt_out(graphs, options.seed, 0), shape);
  BodyCounter rest(mutilated(graphs, options.remove, options.seed), shape);
  std::vector<Counted> result;
  for (const EquationCandidate& candidate : candidates) {
    const auto& [type, body] = candidate.equation;
    if (!names_something(body, shape) || real.holds(body)[type] < options.support) continue;
    const double share = real.share(candidate.equation);
    const double lift = share - chance.share(candidate.equation);
    if (lift < options.lift || can_return(body, shape, type)) continue;
    // Two standard errors, so that chance alone does not tell them apart.
    const double error = std::sqrt(share * (1 - share) / static_cast<double>(real.events(type)));
    if (share - rest.share(candidate.equation) <= 2 * error) continue;
    result.push_back({candidate, lift, subject_of(body, shape) == Subject::denial});
  }
  std::stable_sort(result.begin(), result.end(), [](const Counted& left, const Counted& right) {
    const auto order = [](const Counted& item) {
      const EquationCandidate& of = item.candidate;
      return std::tuple(!of.learned, !of.learned && item.denial,
                        of.learned ? -of.certainty : -item.lift);
    };
    return order(left) < order(right);
  });
  return result;
}

}  // namespace

std::vector<EquationCandidate> learned_equations(const EventModel& model) {
  const EventShape& shape = model.shape;
  const auto readings = body_readings(EventFunctions(shape, model.parameters), per_function);
  std::vector<EquationCandidate> result;
  for (LabelId type = 0; type < shape.heads; ++type) {
    std::map<Formula, double> certainty;
    for (std::size_t i = 0; i < readings.size(); ++i) {
      const std::size_t row = shape.function_row() + 2 * i;
      const double weight{model.parameters[shape.weights().start + row * shape.heads + type]};
      for (const BodyReading& reading : readings[i]) {
        // A formula that speaks against true graphs speaks for them where it is denied.
        const Formula said = given_type(reading.formula, shape, type);
        certainty[simplify(weight > 0 ? said : Formula::negation(said))] +=
            std::abs(weight) * reading.share;
      }
    }
    for (const auto& [body, sure] : certainty) result.push_back({{type, body}, true, sure});
  }
  return result;
}

std::vector<Formula> promising_bodies(const std::vector<Formula>& bodies, std::size_t count,
                                      const std::vector<EventGraph>& graphs,
                                      const EventShape& shape, const InduceOptions& options) {
  std::vector<EquationCandidate> candidates;
  for (const Formula& body : bodies) {
    for (LabelId type = 0; type < shape.sizes.event_types; ++type) {
      candidates.push_back({{type, body}, false, 0});
    }
  }
  std::vector<Formula> result;
  std::set<Formula> seen;
  for (const Counted& item : screen(candidates, graphs, shape, options)) {
    if (result.size() == count) break;
    const Formula& body = item.candidate.equation.body;
    if (seen.insert(body).second) result.push_back(body);
  }
  return result;
}

std::vector<EquationCandidate> choose_equations(const std::vector<EquationCandidate>& candidates,
                                                const std::vector<EventGraph>& graphs,
                                                const EventShape& shape,
                                                const InduceOptions& options) {
  const std::size_t most = (options.top + 1) / 2;
  std::vector<EquationCandidate> chosen;
  std::map<Subject, std::size_t> of_kind;
  std::map<std::pair<Subject, LabelId>, std::size_t> of_type;
  for (const Counted& item : screen(candidates, graphs, shape, options)) {
    if (chosen.size() == options.top) break;
    const Equation& equation = item.candidate.equation;
    const Subject subject = subject_of(equation.body, shape);
    std::size_t& taken = of_type[{subject, equation.type}];
    if (taken >= options.per_type || of_kind[subject] >= most) continue;
    const bool said = std::ranges::any_of(chosen, [&](const EquationCandidate& other) {
      return other.equation.type == equation.type &&
             (plainly_implies(other.equation.body, equation.body) ||
              plainly_implies(equation.body, other.equation.body));
    });
    if (said) continue;
    ++taken;
    ++of_kind[subject];
    chosen.push_back(item.candidate);
  }
  return chosen;
}

}  // namespace lerpp
