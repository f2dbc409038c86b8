// SPDX-License-Identifier: Apache-2.0
#include "explain/masked_model.hpp"

#include <algorithm>

namespace lerpp {
namespace {

Background background_of(const Model& model, const Graph& graph, unsigned threads) {
  Team team(threads);
  return {model.shape(), graph, model.paths, team, {}, model.list};
}

Background background_with(const Background& other, const Graph& more, bool recount) {
  Team alone(1);
  return {other, more, recount, alone};
}

}  // namespace

MaskedModel::MaskedModel(const Model& model, Background background)
    : model_(model),
      background_(std::move(background)),
      function_weights_(model.shape()),
      pass_(background_),
      asker_(pass_),
      trace_(pass_, asker_),
      alone_(1) {
  if (model.shape().depth > 0) function_weights_.take(model.parameters);
  const ModelShape& shape = model.shape();
  if (shape.embedding > 0 && shape.entities == graph().entities()) embedding_.emplace(alone_);
}

MaskedModel::MaskedModel(const Model& model, Background background, unsigned threads)
    : MaskedModel(model, std::move(background)) {
  Team loaders(threads);
  plain_ = std::make_shared<Buffer<float>>(all_functions(graph(), model.parameters, loaders));
}

MaskedModel::MaskedModel(const Model& model, const Graph& graph, unsigned threads)
    : MaskedModel(model, background_of(model, graph, threads), threads) {}

MaskedModel::MaskedModel(const Model& model, const KnownGraph& known, unsigned threads)
    : MaskedModel(model, Background(model.shape(), known, model.paths, model.list), threads) {}

MaskedModel::MaskedModel(const MaskedModel& other) : MaskedModel(other.model_, other.background_) {
  plain_ = other.plain_;
  changed_ = other.changed_;
  frozen_scores_ = other.frozen_scores_;
}

MaskedModel::MaskedModel(MaskedModel& other, const Graph& more, std::span<const Fact> added,
                         bool recount)
    : MaskedModel(other.model_, background_with(other.background_, more, recount)) {
  plain_ = other.plain_;
  embedded_ = other.embedded_;
  embedding_scores_ = other.embedding_scores_;
  for (const Fact& fact : added) {
    changed_.push_back(fact.subject);
    changed_.push_back(fact.object);
  }
  for (std::size_t kind = 0; kind < pass_.terms().size(); ++kind) {
    if (other.term(kind) == nullptr || term(kind) != nullptr) continue;
    frozen_scores_.resize(more.entities());
    other.term(kind)->add(*other.asker_.terms[kind], other.query_.start, frozen_scores_);
  }
}

const Scores& MaskedModel::ask(const Query& query, std::span<const Fact> hidden) {
  query_ = query;
  const ModelShape& shape = model_.shape();
  pass_.begin(model_.parameters, query.target, {&query_.start, 1}, hidden,
              {shape.length, shape.frontier, Path::balls});
  pass_.run(asker_, {&function_weights_, plain_.get(), changed_});
  pass_.follow(asker_, 0);
  trace_.open(0);
  const std::span<float> all = scores_.dense(graph().entities());
  pass_.score(asker_, 0, all);
  for (std::size_t entity = 0; entity < frozen_scores_.size(); ++entity)
    all[entity] += frozen_scores_[entity];
  add_embedding(all);
  return scores_;
}

void MaskedModel::add_embedding(std::span<float> scores) {
  if (!embedding_) return;
  // Nothing is hidden from an embedding, so it says the same of a question whatever is.
  if (embedded_ != query_) {
    embedding_scores_.assign(scores.size(), 0);
    embedding_->begin(model_.parameters, query_.target);
    embedding_->add(0, query_.start, embedding_scores_);
    embedded_ = query_;
  }
  for (std::size_t entity = 0; entity < scores.size(); ++entity)
    scores[entity] += embedding_scores_[entity];
}

std::vector<TermReason> MaskedModel::explain(std::size_t kind, EntityId answer) {
  return term(kind)->explain(*asker_.terms[kind], query_.start, answer);
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
