// SPDX-License-Identifier: Apache-2.0
#include "model/scorer.hpp"

#include <algorithm>
#include <mutex>
#include <optional>

#include "model/embedding_scorer.hpp"
#include "model/pass.hpp"

namespace lerpp {
namespace {

/// What one thread needs for a call; kept for the next.
struct Workspace {
  explicit Workspace(const Background& background) : pass(background), asker(pass) {}

  Pass<float> pass;
  Asker<float> asker;
  std::optional<OperatorId> target;  ///< that the pass has begun
  std::vector<EntityId> starts;
};

class ModelScorer final : public Scorer, public PartScorer {
 public:
  ModelScorer(const Parameters<float>& parameters, std::shared_ptr<const Background> background,
              Team& team, const Observer& observer, bool each_term = false)
      : parameters_(parameters),
        background_(std::move(background)),
        each_term_(each_term),
        functions_(all_functions(background_->graph(), parameters, team, observer)) {
    find_lengths();
  }

  std::size_t kinds() const override {
    std::size_t terms = 0;
    for (const TermKind& kind : term_kinds()) terms += parameters_.shape().*kind.size > 0 ? 1 : 0;
    return 1 + (each_term_ ? terms : std::min<std::size_t>(terms, 1));
  }

  void score_parts(std::span<const Query> queries, std::span<float> parts) const override {
    if (queries.empty()) return;
    std::unique_ptr<Workspace> space = run(queries);
    const Pass<float>& pass = space->pass;
    const std::size_t entities = pass.graph().entities();
    std::fill(parts.begin(), parts.end(), 0.0F);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      pass.follow(space->asker, i);
      std::span<float> part = parts.subspan(i * kinds() * entities, entities);
      const std::span<const float> values = space->asker.rules.scores();
      for (std::size_t node = 0; node < values.size(); ++node)
        part[pass.ball(i).nodes[node]] = values[node];
      bool first = true;
      for (std::size_t kind = 0; kind < pass.terms().size(); ++kind) {
        if (!pass.terms()[kind]) continue;
        if (first || each_term_) part = {part.data() + entities, entities};
        pass.terms()[kind]->add(*space->asker.terms[kind], queries[i].start, part);
        first = false;
      }
    }
    give_back(std::move(space));
  }

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    if (queries.empty()) return;
    std::unique_ptr<Workspace> space = run(queries);
    const Pass<float>& pass = space->pass;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      pass.follow(space->asker, i);
      if (parameters_.shape().evidence) {
        pass.score(space->asker, i, scores[i].dense(pass.graph().entities()));
        continue;
      }
      const std::span<const float> values = space->asker.rules.scores();
      scores[i].clear(0);
      if (pass.is_whole(i)) {
        std::copy(values.begin(), values.end(), scores[i].dense(pass.graph().entities()).begin());
      } else {
        scores[i].entities = pass.ball(i).nodes;
        scores[i].values.assign(values.begin(), values.end());
      }
    }
    give_back(std::move(space));
  }

 private:
  /// Everything up to the rules.
  std::unique_ptr<Workspace> run(std::span<const Query> queries) const {
    const OperatorId target = queries.front().target;
    std::unique_ptr<Workspace> space = borrow(target);
    space->starts.clear();
    for (const Query& query : queries) space->starts.push_back(query.start);
    // To begin costs a look at all entities: queries about one target come in rows.
    if (space->target == target) {
      space->pass.ask(space->starts);
    } else {
      space->pass.begin(parameters_, target, space->starts, {},
                        {lengths_[target], parameters_.shape().frontier});
      space->target = target;
    }
    space->pass.run(space->asker, {.plain = &functions_});
    return space;
  }

  /// Hops that say nothing at all need not be walked: a model may have grown less than it could.
  void find_lengths() {
    const ModelShape& shape = parameters_.shape();
    lengths_.assign(shape.operators(), shape.length);
    if (!shape.evidence) return;
    const std::size_t hops = shape.length + std::size_t{1};
    for (OperatorId target = 0; target < shape.operators(); ++target) {
      const std::span<const float> weight = parameters_.of(Part::weight, target);
      std::uint32_t last = std::min(1U, shape.length);
      for (std::size_t at = 0; at < weight.size(); ++at) {
        if (weight[at] != 0) last = std::max(last, static_cast<std::uint32_t>(at % hops));
      }
      lengths_[target] = last;
    }
  }

  /// One that has begun the target, if there is any.
  std::unique_ptr<Workspace> borrow(OperatorId target) const {
    {
      const std::lock_guard lock(mutex_);
      if (!spaces_.empty()) {
        const auto found = std::ranges::find_if(
            spaces_, [&](const auto& space) { return space->target == target; });
        std::swap(found == spaces_.end() ? spaces_.back() : *found, spaces_.back());
        std::unique_ptr<Workspace> space = std::move(spaces_.back());
        spaces_.pop_back();
        return space;
      }
    }
    return std::make_unique<Workspace>(*background_);
  }

  void give_back(std::unique_ptr<Workspace> space) const {
    const std::lock_guard lock(mutex_);
    spaces_.push_back(std::move(space));
  }

  const Parameters<float>& parameters_;
  std::shared_ptr<const Background> background_;
  bool each_term_;
  std::vector<std::uint32_t> lengths_;  ///< of each target: hops in use
  Buffer<float> functions_;             ///< of all entities
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> spaces_;
};

}  // namespace

std::unique_ptr<Scorer> make_scorer(const Parameters<float>& parameters,
                                    std::shared_ptr<const Background> background, Team& team,
                                    const Observer& observer) {
  const ModelShape& shape = parameters.shape();
  const EntityId entities = background->graph().entities();
  auto rules = std::make_unique<ModelScorer>(parameters, std::move(background), team, observer);
  if (shape.embedding == 0 || shape.entities != entities) return rules;
  return std::make_unique<EmbeddingScorer>(std::move(rules), parameters);
}

std::unique_ptr<PartScorer> make_part_scorer(const Parameters<float>& parameters,
                                             std::shared_ptr<const Background> background,
                                             Team& team, bool each_term, const Observer& observer) {
  return std::make_unique<ModelScorer>(parameters, std::move(background), team, observer,
                                       each_term);
}

std::unique_ptr<Scorer> make_scorer(const Parameters<float>& parameters,
                                    std::shared_ptr<const PathTable> paths, const Graph& known,
                                    unsigned threads, const Observer& observer) {
  Team team(threads);
  auto background = std::make_shared<const Background>(parameters.shape(), known, std::move(paths),
                                                       team, observer);
  return make_scorer(parameters, std::move(background), team, observer);
}

std::unique_ptr<Scorer> make_scorer(const Model& model, const KnownGraph& known, unsigned threads,
                                    const Observer& observer) {
  Team team(threads);
  return make_scorer(
      model.parameters,
      std::make_shared<const Background>(model.shape(), known, model.paths, model.list), team,
      observer);
}

}  // namespace lerpp
