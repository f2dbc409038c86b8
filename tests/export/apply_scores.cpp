// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/distill/apply.hpp>

/// Writes the scores behind the ranks of `lerp apply`, for engines that apply the same rules:
///
///     apply_scores RULES DATA AGGREGATION OUT [EVERY]
///
/// one line for each question and each answer that is not 0: subject, relation, object, which of
/// the two ends was asked for, score. With EVERY, only the questions of one entity in so many.
namespace lerpp::test {
namespace {

Result<void> write_scores(char** words, EntityId every) {
  LERP_TRY(dataset, load(words[2]));
  const KnownGraph known(dataset);
  LERP_TRY(applied, load_applied_rules(words[1], known, words[3]));
  const RelationId relations = known.graph().relations();
  LERP_TRY(file, AtomicFile::create(words[4]));
  for (OperatorId target = 0; target < 2 * relations; ++target) {
    const bool forwards = target < relations;
    const std::string relation(dataset.relations.name(target % relations));
    for (EntityId start = 0; start < dataset.entities.size(); start += every) {
      const Query query = {target, start};
      Scores scores;
      applied.scorer->score({&query, 1}, {&scores, 1});
      for (std::size_t i = 0; i < scores.values.size(); ++i) {
        const float score = scores.values[i];
        const EntityId answer = scores.is_dense() ? static_cast<EntityId>(i) : scores.entities[i];
        if (score == 0) continue;
        file.write(fmt::format("{}\t{}\t{}\t{}\t{:.9g}\n",
                               dataset.entities.name(forwards ? start : answer), relation,
                               dataset.entities.name(forwards ? answer : start),
                               forwards ? "object" : "subject", score));
      }
    }
  }
  return file.commit();
}

}  // namespace
}  // namespace lerpp::test

int main(int count, char** words) {
  if (count != 5 && count != 6) return 2;
  const int every = count == 6 ? std::atoi(words[5]) : 1;
  if (every < 1) return 2;
  const auto done = lerpp::test::write_scores(words, static_cast<lerpp::EntityId>(every));
  if (!done) std::fprintf(stderr, "%s\n", to_string(done.error()).c_str());
  return done ? 0 : 1;
}
