// SPDX-License-Identifier: Apache-2.0
#include "read/model_watcher.hpp"

#include <algorithm>
#include <cmath>

namespace lerpp {
namespace {

/// Walks drawn for what the soft rules say about an answer, about, and for one of them at a hop.
constexpr double walks_of_answer = 64;
constexpr double most_walks = 8;

}  // namespace

ModelWatcher::ModelWatcher(const Model& model, const Background& background,
                           const ConstraintReader& reader)
    : model_(model), reader_(reader), teacher_(model, background) {}

void ModelWatcher::watch(OperatorId target, std::span<const Question> questions, Random& random,
                         Ledger& ledger) {
  begin_target(target);
  for (std::size_t first = 0; first < questions.size(); first += Teacher::batch) {
    const auto some = questions.subspan(first, std::min(Teacher::batch, questions.size() - first));
    teacher_.open(target, some);
    for (std::size_t i = 0; i < some.size(); ++i)
      watch_answers(some[i], teacher_.answer(i, liked_answers), random, ledger);
  }
}

void ModelWatcher::begin_target(OperatorId target) {
  asked_ = reader_.read(target);
  bodies_.assign(term_kinds().size(), {});
}

void ModelWatcher::watch_answers(const Question& question, const Opinion& opinion, Random& random,
                                 Ledger& ledger) {
  std::vector<std::pair<double, EntityId>> liked;
  for (std::size_t i = 0; i < opinion.entities.size(); ++i)
    liked.emplace_back(double{opinion.shares[i]}, opinion.entities[i]);
  const std::vector<Watched> answers = watched(question.answer, std::move(liked));
  const double scale = scale_of(answers);
  for (const auto& [answer, role] : answers) {
    ledger.open();
    say_terms(answer, ledger);
    say_soft(answer, random, ledger);
    ledger.close(role, scale);
  }
  ledger.end_question();
}

double ModelWatcher::scale_of(const std::vector<Watched>& answers) const {
  const RuleTrace& trace = teacher_.trace();
  if (model_.shape().evidence) return 1;
  // A sum of rules is a share already, up to its norm.
  double most = 0;
  for (const Watched& answer : answers) {
    const std::uint32_t node = trace.node(answer.entity);
    if (node == kernels::no_slot) continue;
    double score = 0;
    for (std::size_t rule = 0; rule < trace.rules(); ++rule)
      score += trace.share(rule, trace.length(), node);
    most = std::max(most, score);
  }
  return most > 0 ? most : 1;
}

void ModelWatcher::say_terms(EntityId answer, Ledger& ledger) {
  for (std::size_t kind = 0; kind < bodies_.size(); ++kind) {
    const Term<float>* const term = teacher_.term(kind);
    if (term == nullptr) continue;
    for (const TermReason& reason : teacher_.explain(kind, answer)) {
      if (bodies_[kind].size() <= reason.number) bodies_[kind].resize(reason.number + 1);
      std::optional<std::uint32_t>& body = bodies_[kind][reason.number];
      if (!body) body = ledger.number(lerpp::body_of(term->statement(reason.number)));
      ledger.say(*body, reason.contribution, source_of_term(kind));
    }
  }
}

void ModelWatcher::say_soft(EntityId answer, Random& random, Ledger& ledger) {
  const RuleTrace& trace = teacher_.trace();
  const std::uint32_t node = trace.node(answer);
  worth_.clear();
  if (node == kernels::no_slot) return;
  std::vector<SoftPart> speaks_for;
  std::vector<SoftPart> speaks_against;
  double loudness = 0;
  for (std::size_t rule = 0; rule < trace.rules(); ++rule) {
    for (std::uint32_t hop = 0; hop <= trace.length(); ++hop) {
      const double evidence = trace.share(rule, hop, node);
      if (evidence != 0)
        (evidence > 0 ? speaks_for : speaks_against).push_back({rule, hop, evidence});
      loudness += std::abs(evidence);
    }
  }
  say_parts(speaks_for, node, loudness / walks_of_answer, random, ledger);
  say_parts(speaks_against, node, loudness / walks_of_answer, random, ledger);
}

/// Parts that say little are told by one of them, for all that came since: the sum is exact.
void ModelWatcher::say_parts(const std::vector<SoftPart>& parts, std::uint32_t node, double step,
                             Random& random, Ledger& ledger) {
  double pending = 0;
  double met = random.real() * step;
  for (const SoftPart& part : parts) {
    pending += part.evidence;
    met += std::abs(part.evidence);
    if (met < step && &part != &parts.back()) continue;
    const int walks = std::max(1, static_cast<int>(std::min(met / step, most_walks)));
    for (int walk = 0; walk < walks; ++walk) {
      const double evidence = pending / (walks - walk);
      if (say_walk(part, node, evidence, random, ledger)) pending -= evidence;
    }
    met = std::fmod(met, step);
  }
}

bool ModelWatcher::say_walk(const SoftPart& part, std::uint32_t node, double evidence,
                            Random& random, Ledger& ledger) {
  const RuleTrace& trace = teacher_.trace();
  if (!draw_walk(trace, part.rule, part.hop, node, random, walk_)) return false;
  std::vector<OperatorId> operators;
  std::vector<std::uint32_t> nodes = {0};
  std::size_t moves = 0;
  for (const SoftHop& step : walk_) {
    operators.push_back(step.op);
    nodes.push_back(step.node);
    moves += step.op != trace.identity() ? 1 : 0;
  }
  const FoldedWalk walk = folded(operators, nodes);
  const std::uint32_t body = body_of(part.rule, walk, ledger);
  ledger.say(body, evidence, Source::soft);
  // A detour is no grounding of its own. Others are drawn as they are worth: each stands for as
  // many as share its evidence.
  if (model_.shape().evidence || moves != walk.hops.size()) return true;
  std::vector<std::uint32_t> key = walk.places;
  key.insert(key.end(), walk.hops.begin(), walk.hops.end());
  const auto [worth, fresh] = worth_.try_emplace(std::move(key), 0);
  if (fresh) worth->second = grounding_weight(trace, walk.hops, walk.places);
  if (worth->second > 0) ledger.ground(body, evidence / worth->second);
  return true;
}

std::uint32_t ModelWatcher::body_of(std::size_t rule, const FoldedWalk& walk,
                                    Ledger& ledger) const {
  const RuleTrace& trace = teacher_.trace();
  Body body;
  body.hops = walk.hops;
  for (std::size_t at = 0; at < walk.places.size(); ++at) {
    std::vector<Formula> parts;
    for (const std::size_t k : walk.variables[at]) {
      const auto& asked = asked_[rule * (model_.shape().length + std::size_t{1}) + k];
      const double value = trace.constraint(rule, static_cast<std::uint32_t>(k), walk.places[at]);
      if (asked && asked->holds(trace.entity(walk.places[at]), value))
        parts.push_back(asked->formula);
    }
    if (parts.empty()) continue;
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    body.constraints.resize(walk.places.size());
    body.constraints[at] = Formula::conjunction(std::move(parts));
  }
  return ledger.number(body);
}

}  // namespace lerpp
