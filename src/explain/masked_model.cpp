#include "explain/masked_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lerpp {
namespace {

std::shared_ptr<const Buffer<float>> plain_functions(const Model& model, const Graph& graph,
                                                     Team& team) {
  if (model.shape().depth == 0) return nullptr;
  Functions<float> functions(graph, model.shape(), team);
  functions.prepare(model.parameters);
  std::vector<EntityId> all(graph.entities());
  std::iota(all.begin(), all.end(), EntityId{0});
  functions.forward(all, nullptr, false);
  const float* values = functions.values();
  return std::make_shared<Buffer<float>>(values, values + all.size() * functions.width());
}

}  // namespace

MaskedModel::MaskedModel(const Model& model, const Graph& graph, unsigned threads)
    : model_(model),
      graph_(graph),
      team_(1),
      weights_(model.shape()),
      mask_(graph),
      finder_(graph),
      node_of_(graph.entities(), kernels::no_slot) {
  Team loaders(threads);
  plain_ = plain_functions(model, graph, loaders);
  make_terms(Background(model.shape(), graph, model.paths, loaders));
}

MaskedModel::MaskedModel(const MaskedModel& other, const Graph& more, std::span<const Fact> added,
                         bool recount)
    : model_(other.model_),
      graph_(more),
      team_(1),
      plain_(other.plain_),
      weights_(other.weights_),
      prepared_(other.prepared_),
      embedded_(other.embedded_),
      embedding_scores_(other.embedding_scores_),
      constant_scores_(other.constant_scores_),
      mask_(more),
      finder_(more),
      node_of_(more.entities(), kernels::no_slot) {
  for (const Fact& fact : added) {
    changed_.push_back(fact.subject);
    changed_.push_back(fact.object);
  }
  ModelShape shape = model_.shape();
  shape.constants = shape.constants && recount;
  make_terms(Background(shape, more, model_.paths, team_));
}

void MaskedModel::make_terms(const Background& background) {
  const ModelShape& shape = model_.shape();
  if (shape.depth > 0) {
    functions_.emplace(graph_, shape, team_);
    functions_->prepare(model_.parameters);
  }
  stale_.resize(graph_.entities());
  if (shape.prior) prior_.emplace(graph_, background.classes, 1);
  if (shape.pairs > 0) pairs_.emplace(shape, graph_.entities(), 1);
  if (shape.paths > 0) paths_.emplace(graph_, background.paths, 1);
  if (background.constants) constants_.emplace(background.constants, 1);
  if (shape.embedding > 0 && shape.entities == graph_.entities()) embedding_.emplace(team_);
}

const Scores& MaskedModel::ask(const Query& query, std::span<const Fact> hidden) {
  query_ = query;
  mask_.hide(hidden);
  if (prepared_ != query.target) {
    weights_.prepare(model_.parameters, query.target, model_.shape().length);
    prepared_ = query.target;
  }
  find_ball();
  find_constraints();
  rules_.forward(weights_, ball_, 0, constraints_.data(), slots_.data());
  const std::span<float> all = scores_.dense(graph_.entities());
  std::fill(all.begin(), all.end(), 0.0F);
  add_terms(all);
  const std::span<const float> own = rules_.scores();
  for (std::size_t node = 0; node < own.size(); ++node) all[ball_.nodes[node]] += own[node];
  return scores_;
}

void MaskedModel::find_ball() {
  for (const EntityId entity : ball_.nodes) node_of_[entity] = kernels::no_slot;
  finder_.find(query_.start, {weights_.length(), graph_.entities(), model_.shape().frontier},
               &mask_, ball_);
  for (std::size_t node = 0; node < ball_.nodes.size(); ++node)
    node_of_[ball_.nodes[node]] = static_cast<std::uint32_t>(node);
  slots_.resize(ball_.nodes.size());
  std::iota(slots_.begin(), slots_.end(), 0U);
}

/// A column of an entity depends on its edges and on the column before of its neighbours, so a
/// hidden fact changes the functions within depth - 1 hops of its ends.
void MaskedModel::find_stale() {
  stale_.clear();
  for (const EntityId entity : mask_.entities()) stale_.add(entity);
  for (const EntityId entity : changed_) stale_.add(entity);
  std::size_t first = 0;
  for (std::uint32_t column = 1; column < model_.shape().depth; ++column) {
    const std::size_t last = stale_.size();
    for (; first < last; ++first) {
      for (const Edge& edge : graph_.edges(stale_.rows()[first])) stale_.add(edge.target);
    }
  }
}

void MaskedModel::find_constraints() {
  const std::size_t rows = ball_.nodes.size();
  const std::size_t width = functions_ ? functions_->width() : 0;
  if (functions_) {
    find_stale();
    std::vector<EntityId> again;
    for (const EntityId entity : stale_.rows()) {
      if (pairs_ || node_of_[entity] != kernels::no_slot) again.push_back(entity);
    }
    functions_->forward(again, &mask_, false);
    if (pairs_) {
      all_functions_ = *plain_;
      for (std::size_t row = 0; row < again.size(); ++row) {
        std::copy_n(functions_->values() + row * width, width,
                    all_functions_.data() + again[row] * width);
      }
    }
    function_rows_.resize(rows * width);
    for (std::size_t row = 0; row < rows; ++row) {
      const EntityId entity = ball_.nodes[row];
      const std::uint32_t slot = functions_->slot(entity);
      const float* from = slot == kernels::no_slot ? plain_->data() + entity * width
                                                   : functions_->values() + slot * width;
      std::copy(from, from + width, function_rows_.data() + row * width);
    }
  }
  constraints_.resize(rows * weights_.stride());
  weights_.constraints(rows, function_rows_.data(), width, constraints_.data());
}

void MaskedModel::add_terms(std::span<float> scores) {
  const auto add = [&](auto& term, std::span<float> to) {
    if (!term) return;
    term->begin(model_.parameters, query_.target, {&mask_, all_functions_.data()});
    term->add(0, query_.start, to);
  };
  const auto sum = [&](const std::vector<float>& part) {
    for (std::size_t entity = 0; entity < part.size(); ++entity) scores[entity] += part[entity];
  };
  add(prior_, scores);
  add(pairs_, scores);
  add(paths_, scores);
  if (constants_) constant_scores_.assign(scores.size(), 0);
  add(constants_, constant_scores_);
  sum(constant_scores_);
  // Nothing is hidden from an embedding, so it says the same of a question whatever is.
  if (embedding_ && embedded_ != query_) {
    embedding_scores_.assign(scores.size(), 0);
    add(embedding_, embedding_scores_);
    embedded_ = query_;
  }
  if (embedding_) sum(embedding_scores_);
}

double MaskedModel::hop_weight(std::size_t rule, std::uint32_t k, OperatorId op) const {
  const std::size_t width = weights_.block_width();
  return double{weights_.hop(rule / width, k)[op * width + rule % width]};
}

double MaskedModel::constraint(std::size_t rule, std::uint32_t k, std::uint32_t node) const {
  return double{constraints_[node * weights_.stride() + k * weights_.width() + rule]};
}

double MaskedModel::reached(std::size_t rule, std::uint32_t k, std::uint32_t node) const {
  if (node >= ball_.within[k]) return 0;
  const std::size_t width = weights_.block_width();
  const std::size_t block = rule / width;
  return double{rules_.hop(k)[(block * ball_.within[k] + node) * width + rule % width]};
}

double MaskedModel::share(std::size_t rule, std::uint32_t k, std::uint32_t node) const {
  const double x = reached(rule, k, node);
  if (!model_.shape().evidence)
    return k == weights_.length() ? double{weights_.outer()[rule]} * x : 0;
  const std::size_t width = weights_.block_width();
  const kernels::Readout<float> readout = weights_.readout(rule / width, k);
  return double{readout.weight[rule % width]} * std::log1p(double{readout.scale[rule % width]} * x);
}

std::vector<PriorReason> MaskedModel::prior(EntityId answer) const {
  return prior_ ? prior_->explain(answer) : std::vector<PriorReason>{};
}

std::vector<PairReason> MaskedModel::pairs(EntityId answer) const {
  return pairs_ ? pairs_->explain(query_.start, answer) : std::vector<PairReason>{};
}

std::vector<PathReason> MaskedModel::paths(EntityId answer) {
  return paths_ ? paths_->explain(0, query_.start, answer) : std::vector<PathReason>{};
}

std::vector<ConstantReason> MaskedModel::constants(EntityId answer) {
  return constants_ ? constants_->explain(0, query_.start, answer) : std::vector<ConstantReason>{};
}

double MaskedModel::embedding(EntityId answer) const {
  return embedding_ ? double{embedding_scores_[answer]} : 0;
}

bool counts_quickly(const Graph& graph) {
  constexpr double most = 2e7;
  double pairs = 0;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    const auto degree = static_cast<double>(graph.edges(entity).size());
    pairs += degree * degree;
  }
  return pairs <= most;
}

}  // namespace lerpp
