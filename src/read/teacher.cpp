// SPDX-License-Identifier: Apache-2.0
#include "read/teacher.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace lerpp {
namespace {

constexpr float least_share = 1e-20F;

}  // namespace

Teacher::Teacher(const Model& model, const Background& background, std::uint32_t frontier)
    : model_(model),
      function_weights_(model.shape()),
      pass_(background),
      asker_(pass_),
      trace_(pass_, asker_),
      frontier_(frontier),
      scores_(background.graph().entities()),
      order_(background.graph().entities()) {
  function_weights_.take(model.parameters);
}

std::vector<Opinion> Teacher::ask(OperatorId target, std::span<const Question> questions,
                                  std::size_t most, const Observer& observer) {
  std::vector<Opinion> opinions;
  for (std::size_t first = 0; first < questions.size() && !observer.stopped(); first += batch) {
    const std::size_t size = std::min(batch, questions.size() - first);
    open(target, questions.subspan(first, size));
    for (std::size_t number = 0; number < size; ++number) opinions.push_back(answer(number, most));
  }
  opinions.resize(questions.size());
  return opinions;
}

void Teacher::open(OperatorId target, std::span<const Question> questions) {
  assert(questions.size() <= batch);
  target_ = target;
  questions_.assign(questions.begin(), questions.end());
  starts_.clear();
  for (const Question& question : questions) starts_.push_back(question.start);
  pass_.begin(model_.parameters, target, starts_, hidden_facts(pass_.graph(), target, questions),
              {model_.shape().length, frontier_, Path::balls});
  pass_.run(asker_, {&function_weights_});
}

Opinion Teacher::answer(std::size_t number, std::size_t most) {
  answered_ = number;
  pass_.follow(asker_, number);
  trace_.open(number);
  pass_.score(asker_, number, scores_);
  return opinion(questions_[number], most);
}

std::vector<TermReason> Teacher::explain(std::size_t kind, EntityId answer) {
  return term(kind)->explain(*asker_.terms[kind], starts_[answered_], answer);
}

Opinion Teacher::opinion(const Question& question, std::size_t most) {
  // A sum of rules is a share already, up to its norm.
  if (!model_.shape().evidence) {
    for (float& score : scores_) score = std::log(std::max(score, least_share));
  }
  for (const Edge& known : pass_.graph().edges(question.start, target_)) {
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
