// SPDX-License-Identifier: Apache-2.0
#include "train/rank_together.hpp"

#include <cstring>

namespace lerpp {

Result<RankingReport> rank_together(Crew& crew, const Scorer& scorer, const RankingPlan& plan,
                                    const Observer& observer) {
  if (crew.alone()) return rank(scorer, plan, observer);
  LERP_TRY(own, rank_share(scorer, plan, {crew.rank(), crew.size()}, observer));
  std::vector<Crew::Bytes> all;
  LERP_CHECK(crew.gather(std::as_bytes(std::span(own)), all));
  std::vector<Rank> ranks(own.size());
  for (const Crew::Bytes& bytes : all) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      Rank part;
      std::memcpy(&part, bytes.data() + i * sizeof(Rank), sizeof(Rank));
      ranks[i].greater += part.greater;
      ranks[i].equal += part.equal;
    }
  }
  return report_ranks(plan, ranks);
}

}  // namespace lerpp
