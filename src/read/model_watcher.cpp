#include "read/model_watcher.hpp"

#include <algorithm>
#include <cmath>

#include "model/log_table.hpp"

namespace lerpp {
namespace {

/// Questions whose facts are hidden together, as in training.
constexpr std::size_t batch = 16;
/// Walks drawn for what a rule says about an answer at a hop.
constexpr int walks_drawn = 4;

double two_part(std::span<const float> weights, std::size_t place, double count) {
  return double{weights[2 * place]} + double{weights[2 * place + 1]} * std::log1p(count);
}

}  // namespace

ModelWatcher::ModelWatcher(const Model& model, const Graph& graph, const Background& background,
                           const ConstraintReader& reader)
    : model_(model),
      graph_(graph),
      reader_(reader),
      teacher_(model, graph, background),
      team_(1),
      weights_(model.shape()),
      finder_(graph),
      mask_(graph),
      balls_(batch) {
  const ModelShape& shape = model.shape();
  if (shape.depth > 0) {
    functions_.emplace(graph, shape, team_);
    functions_->prepare(model.parameters);
  }
  needed_.resize(graph.entities());
  if (shape.paths > 0) {
    rows_.emplace(graph);
    path_walk_.emplace(*rows_);
  }
  if (shape.pairs > 0) pairs_.emplace(shape, graph.entities(), 1);
  if (shape.constants) constants_.emplace(background.constants, 1);
}

void ModelWatcher::watch(OperatorId target, std::span<const Question> questions, Random& random,
                         Ledger& ledger) {
  begin_target(target, ledger);
  const std::vector<Opinion> opinions = teacher_.ask(target, questions, liked_answers);
  for (std::size_t first = 0; first < questions.size(); first += batch) {
    const auto some = questions.subspan(first, std::min(batch, questions.size() - first));
    begin_batch(some);
    for (std::size_t i = 0; i < some.size(); ++i)
      ask(some[i], balls_[i], opinions[first + i], random, ledger);
  }
}

void ModelWatcher::begin_target(OperatorId target, Ledger& ledger) {
  const ModelShape& shape = model_.shape();
  target_ = target;
  weights_.prepare(model_.parameters, target, shape.length);
  walks_.emplace(model_, graph_, target, shape.frontier);
  asked_ = reader_.read(target);
  path_bodies_.clear();
  prior_bodies_.clear();
  constant_bodies_.clear();
  if (model_.paths != nullptr) {
    trie_.emplace(model_.paths->of(target));
    for (const RelationPath& path : model_.paths->of(target)) {
      const auto hops = path.operators();
      path_bodies_.push_back(ledger.number({{hops.begin(), hops.end()}, {}, false}));
    }
  }
  for (OperatorId op = 0; op < graph_.operators(); ++op) {
    if (shape.prior)
      prior_bodies_.push_back(ledger.number({{}, {Formula::truth(), Formula::exists(op)}, true}));
    // What others with the same r(x, c) answer, whatever c is.
    if (shape.constants)
      constant_bodies_.push_back(ledger.number({{op, graph_.inverse(op), target}, {}, false}));
  }
}

void ModelWatcher::begin_batch(std::span<const Question> questions) {
  mask_.hide(hidden_facts(graph_, target_, questions));
  needed_.clear();
  if (pairs_) needed_.add_all();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    finder_.find(questions[i].start,
                 {model_.shape().length, graph_.entities(), model_.shape().frontier}, &mask_,
                 balls_[i]);
    for (const EntityId entity : balls_[i].nodes) needed_.add(entity);
  }
  node_constraints_ = {};
  if (functions_) {
    functions_->forward(needed_.rows(), &mask_, false);
    constraints_.resize(needed_.size() * weights_.stride());
    weights_.constraints(needed_.size(), functions_->values(), functions_->width(),
                         constraints_.data());
    node_constraints_ = {constraints_.data(), nullptr, weights_.stride(), weights_.width()};
  }
  if (pairs_) pairs_->begin(model_.parameters, target_, {&mask_, functions_->values()});
  if (constants_) constants_->begin(model_.parameters, target_, {&mask_});
}

void ModelWatcher::ask(const Question& question, const Ball& ball, const Opinion& opinion,
                       Random& random, Ledger& ledger) {
  slots_.clear();
  for (const EntityId entity : ball.nodes) slots_.push_back(needed_.slot(entity));
  node_constraints_.slots = slots_.data();
  walks_->follow(ball, node_constraints_);
  if (path_walk_) path_walk_->walk(*trie_, question.start, &mask_);
  std::vector<std::pair<double, EntityId>> liked;
  for (std::size_t i = 0; i < opinion.entities.size(); ++i)
    liked.emplace_back(double{opinion.shares[i]}, opinion.entities[i]);
  const std::vector<Watched> answers = watched(question.answer, std::move(liked));
  const double scale = scale_of(answers);
  for (const auto& [answer, role] : answers) {
    ledger.open();
    say_prior(answer, ledger);
    say_pairs(question.start, answer, ledger);
    say_paths(answer, ledger);
    say_constants(question.start, answer, ledger);
    say_soft(answer, random, ledger);
    ledger.close(role, scale);
  }
  ledger.end_question();
}

double ModelWatcher::scale_of(const std::vector<Watched>& answers) const {
  const ModelShape& shape = model_.shape();
  if (shape.evidence) return 1;
  // A sum of rules is a share already, up to its norm.
  double most = 0;
  for (const Watched& answer : answers) {
    const std::uint32_t node = walks_->node_of(answer.entity);
    if (node == SoftWalks::none) continue;
    double score = 0;
    for (std::size_t rule = 0; rule < shape.rules; ++rule)
      score += walks_->evidence(rule, shape.length, node);
    most = std::max(most, score);
  }
  return most > 0 ? most : 1;
}

void ModelWatcher::say_prior(EntityId answer, Ledger& ledger) const {
  if (prior_bodies_.empty()) return;
  const std::span<const float> weights = model_.parameters.of(Part::prior, target_);
  const std::span<const Edge> edges = graph_.edges(answer);
  const std::size_t first = graph_.start(answer);
  std::uint64_t times = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    times += mask_.touches(answer) && mask_.hides(first + i) ? 0 : 1;
    const OperatorId op = edges[i].op;
    if (i + 1 < edges.size() && edges[i + 1].op == op) continue;
    if (times > 0) {
      ledger.say(prior_bodies_[op], two_part(weights, op, static_cast<double>(times)),
                 RuleSource::prior);
    }
    times = 0;
  }
}

void ModelWatcher::say_pairs(EntityId start, EntityId answer, Ledger& ledger) const {
  if (!pairs_) return;
  const std::size_t pairs = model_.shape().pairs;
  const auto ends = std::span(asked_).last(2 * pairs);
  const auto formula = [&](std::size_t end, EntityId entity, double value) {
    const auto& asked = ends[end];
    return asked && asked->holds(entity, value) ? asked->formula : Formula::truth();
  };
  for (const auto& [rule, x, y, contribution] : pairs_->explain(start, answer)) {
    const Body body = {{}, {formula(rule, start, x), formula(pairs + rule, answer, y)}, true};
    ledger.say(ledger.number(body), contribution, RuleSource::pair);
  }
}

void ModelWatcher::say_paths(EntityId answer, Ledger& ledger) const {
  if (path_bodies_.empty()) return;
  const std::span<const float> weights = model_.parameters.of(Part::path, target_);
  for (const PathWalk::Finding& found : path_walk_->findings()) {
    const std::span<const EntityId> entities = path_walk_->entities(found);
    const auto place = std::find(entities.begin(), entities.end(), answer);
    if (place == entities.end()) continue;
    const std::uint32_t flow =
        found.flow > 0
            ? found.flow
            : path_walk_->flows(found)[static_cast<std::size_t>(place - entities.begin())];
    ledger.say(path_bodies_[found.path], two_part(weights, found.path, flow), RuleSource::path);
  }
}

void ModelWatcher::say_constants(EntityId start, EntityId answer, Ledger& ledger) {
  if (!constants_) return;
  for (const ConstantReason& reason : constants_->explain(0, start, answer))
    ledger.say(constant_bodies_[reason.op], reason.contribution, RuleSource::constant);
}

void ModelWatcher::say_soft(EntityId answer, Random& random, Ledger& ledger) {
  const ModelShape& shape = model_.shape();
  const std::uint32_t node = walks_->node_of(answer);
  if (node == SoftWalks::none) return;
  for (std::size_t rule = 0; rule < shape.rules; ++rule) {
    for (std::size_t hop = 0; hop <= shape.length; ++hop) {
      if (!walks_->reaches(rule, hop, node)) continue;
      const double evidence = walks_->evidence(rule, hop, node);
      for (int walk = 0; walk < walks_drawn && evidence != 0; ++walk) {
        if (walks_->draw(rule, hop, node, mask_, random, walk_))
          ledger.say(body_of(rule, walk_, ledger), evidence / walks_drawn, RuleSource::soft);
      }
    }
  }
}

std::uint32_t ModelWatcher::body_of(std::size_t rule, const std::vector<SoftWalks::Hop>& walk,
                                    Ledger& ledger) const {
  Body body;
  std::vector<std::vector<Formula>> constraints(1);
  const auto constrain = [&](std::size_t k, std::uint32_t node) {
    const auto& asked = asked_[rule * (model_.shape().length + std::size_t{1}) + k];
    const EntityId entity = walks_->entity(node);
    if (asked && asked->holds(entity, node_constraints_.at(rule, k, node)))
      constraints.back().push_back(asked->formula);
  };
  constrain(0, 0);
  for (std::size_t hop = 0; hop < walk.size(); ++hop) {
    if (walk[hop].op != walks_->identity()) {
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
