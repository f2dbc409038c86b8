#include "read/teacher.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lerpp {
namespace {

/// Questions whose facts are hidden together, as in training.
constexpr std::size_t batch = 16;
constexpr float least_share = 1e-20F;

}  // namespace

Teacher::Teacher(const Model& model, const Graph& graph, const Background& background)
    : model_(model),
      graph_(graph),
      team_(1),
      weights_(model.shape()),
      finder_(graph),
      terms_(make_terms<float>(model.shape(), graph, background, 1)),
      mask_(graph),
      balls_(batch),
      order_(graph.entities()) {
  if (model.shape().depth > 0) {
    functions_.emplace(graph, model.shape(), team_);
    functions_->prepare(model.parameters);
  }
  needed_.resize(graph.entities());
}

std::vector<Opinion> Teacher::ask(OperatorId target, std::span<const Question> questions,
                                  std::size_t most) {
  std::vector<Opinion> opinions;
  weights_.prepare(model_.parameters, target, model_.shape().length);
  for (std::size_t first = 0; first < questions.size(); first += batch) {
    const std::size_t size = std::min(batch, questions.size() - first);
    ask_batch(target, questions.subspan(first, size), most, opinions);
  }
  return opinions;
}

void Teacher::ask_batch(OperatorId target, std::span<const Question> questions, std::size_t most,
                        std::vector<Opinion>& out) {
  mask_.hide(hidden_facts(graph_, target, questions));
  needed_.clear();
  if (model_.shape().pairs > 0) needed_.add_all();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    finder_.find(questions[i].start,
                 {weights_.length(), graph_.entities(), model_.shape().frontier}, &mask_,
                 balls_[i]);
    for (const EntityId entity : balls_[i].nodes) needed_.add(entity);
  }
  if (functions_) functions_->forward(needed_.rows(), &mask_, false);
  constraints_.resize(needed_.size() * weights_.stride());
  weights_.constraints(needed_.size(), functions_ ? functions_->values() : nullptr,
                       functions_ ? functions_->width() : 0, constraints_.data());
  const View<float> view = {&mask_, functions_ ? functions_->values() : nullptr};
  for (const auto& term : terms_) term->begin(model_.parameters, target, view);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Ball& ball = balls_[i];
    slots_.clear();
    for (const EntityId entity : ball.nodes) slots_.push_back(needed_.slot(entity));
    rules_.forward(weights_, ball, 0, constraints_.data(), slots_.data());
    scores_.assign(graph_.entities(), 0);
    for (const auto& term : terms_) term->add(0, questions[i].start, scores_);
    const std::span<const float> own = rules_.scores();
    for (std::size_t node = 0; node < own.size(); ++node) scores_[ball.nodes[node]] += own[node];
    out.push_back(opinion(target, questions[i], most));
  }
}

Opinion Teacher::opinion(OperatorId target, const Question& question, std::size_t most) {
  // A sum of rules is a share already, up to its norm.
  if (!model_.shape().evidence) {
    for (float& score : scores_) score = std::log(std::max(score, least_share));
  }
  for (const Edge& known : graph_.edges(question.start, target)) {
    if (!question.fact || known.target != question.answer)
      scores_[known.target] = -std::numeric_limits<float>::infinity();
  }
  const float top = *std::max_element(scores_.begin(), scores_.end());
  double sum = 0;
  for (float& score : scores_) sum += double{score = std::exp(score - top)};
  std::iota(order_.begin(), order_.end(), EntityId{0});
  const auto end = order_.begin() + static_cast<std::ptrdiff_t>(std::min(most, order_.size()));
  std::nth_element(order_.begin(), end - 1, order_.end(),
                   [&](EntityId a, EntityId b) { return scores_[a] > scores_[b]; });
  Opinion opinion;
  for (auto entity = order_.begin(); entity != end; ++entity) {
    if (!(scores_[*entity] > 0)) continue;
    opinion.entities.push_back(*entity);
    opinion.shares.push_back(static_cast<float>(double{scores_[*entity]} / sum));
  }
  return opinion;
}

}  // namespace lerpp
