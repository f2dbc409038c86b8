#include "read/model_watcher.hpp"

#include <algorithm>
#include <cmath>

namespace lerpp {
namespace {

/// Walks drawn for what a rule says about an answer at a hop.
constexpr int walks_drawn = 4;

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
  if (node == kernels::no_slot) return;
  for (std::size_t rule = 0; rule < trace.rules(); ++rule) {
    for (std::uint32_t hop = 0; hop <= trace.length(); ++hop) {
      if (!(trace.reached(rule, hop, node) > 0)) continue;
      const double evidence = trace.share(rule, hop, node);
      for (int walk = 0; walk < walks_drawn && evidence != 0; ++walk) {
        if (draw_walk(trace, rule, hop, node, random, walk_))
          ledger.say(body_of(rule, walk_, ledger), evidence / walks_drawn, Source::soft);
      }
    }
  }
}

std::uint32_t ModelWatcher::body_of(std::size_t rule, const std::vector<SoftHop>& walk,
                                    Ledger& ledger) const {
  const RuleTrace& trace = teacher_.trace();
  Body body;
  std::vector<std::vector<Formula>> constraints(1);
  const auto constrain = [&](std::size_t k, std::uint32_t node) {
    const auto& asked = asked_[rule * (model_.shape().length + std::size_t{1}) + k];
    const EntityId entity = trace.entity(node);
    if (asked && asked->holds(entity, trace.constraint(rule, static_cast<std::uint32_t>(k), node)))
      constraints.back().push_back(asked->formula);
  };
  constrain(0, 0);
  for (std::size_t hop = 0; hop < walk.size(); ++hop) {
    if (walk[hop].op != trace.identity()) {
      body.hops.push_back(walk[hop].op);
      constraints.emplace_back();
    }
    constrain(hop + 1, walk[hop].node);
  }
  if (std::any_of(constraints.begin(), constraints.end(),
                  [](const auto& c) { return !c.empty(); })) {
    for (auto& parts : constraints) {
      std::sort(parts.begin(), parts.end());
      parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
      body.constraints.push_back(Formula::conjunction(std::move(parts)));
    }
  }
  return ledger.number(body);
}

}  // namespace lerpp
