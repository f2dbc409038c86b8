// SPDX-License-Identifier: Apache-2.0
#include "model/score_loss.hpp"

#include <algorithm>
#include <cmath>

#include "model/kernels.hpp"
#include "model/real.hpp"

namespace lerpp {

template <class Real>
double ScoreLoss<Real>::evaluate(std::span<Real> scores, const Question& question) {
  using kernels::score_block;
  const std::size_t blocks = (scores.size() + score_block - 1) / score_block;
  sums_.resize(blocks);
  most_.resize(blocks);
  entities_.clear();
  gradient_.clear();
  const double own = static_cast<double>(scores[question.answer]);
  Real largest = 0;
  const double sum = kernels::shares<Real>().exponentials(scores.size(), scores.data(),
                                                          sums_.data(), most_.data(), &largest);
  const double to_gradient = question.weight / sum;
  // The answer's own entry is always kept, and so is no matter for what follows.
  Real& answer = scores[question.answer];
  keep(question.answer, to_gradient * static_cast<double>(answer) - question.weight);
  sums_[question.answer / score_block] -= answer;
  answer = 0;

  // Systematic sampling: small shares are laid end to end, and one is kept wherever a ruler with
  // marks every `least` points. A block without a mark and without a large share is passed over.
  const double least = question.thin * sum;
  double next = question.draw * least;
  double laid = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    const auto block_sum = static_cast<double>(sums_[block]);
    if (static_cast<double>(most_[block]) < least && laid + block_sum <= next) {
      laid += block_sum;
      continue;
    }
    const std::size_t end = std::min(scores.size(), (block + 1) * score_block);
    for (std::size_t entity = block * score_block; entity < end; ++entity) {
      const auto value = static_cast<double>(scores[entity]);
      if (value >= least) {
        if (value > 0) keep(static_cast<EntityId>(entity), value * to_gradient);
        continue;
      }
      laid += value;
      if (laid <= next) continue;
      keep(static_cast<EntityId>(entity), least * to_gradient);
      next += least;
    }
  }
  return question.weight * (std::log(sum) + static_cast<double>(largest) - own);
}

template class ScoreLoss<LERP_REAL>;

}  // namespace lerpp
