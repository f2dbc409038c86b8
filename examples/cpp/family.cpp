// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <fmt/format.h>

#include <lerp/lerp.hpp>

namespace {

/// Learns a small family graph, then prints how well it ranks, the strongest rules, and a proof.
lerpp::Result<void> learn(const std::string& folder) {
  lerpp::FamilyOptions family;
  family.people = 120;
  LERP_CHECK(lerpp::write_generated(lerpp::generate_family(family), folder + "/families"));
  LERP_TRY(dataset, lerpp::load(folder + "/families"));

  lerpp::OptionRequest request;
  request.settings = {"train.epochs=2"};
  LERP_TRY(options, lerpp::resolve(dataset, request));
  LERP_CHECK(lerpp::start_run(dataset, folder + "/families", options, folder + "/run"));

  LERP_TRY(run, lerpp::Run::open(folder + "/run"));
  LERP_TRY(ranks, run.evaluate());
  fmt::print("test MRR {:.3f}\n", ranks.full.both.realistic.mrr);

  lerpp::RulesOptions strongest;
  strongest.top = 3;
  LERP_TRY(rules, run.rules(strongest));
  const lerpp::Names names = {dataset.relations, dataset.entities};
  for (const lerpp::ReadRule& read : rules.rules) fmt::print("{}\n", to_text(read.rule, names));

  LERP_TRY(proof, run.explain(dataset[lerpp::Split::test].front()));
  fmt::print("{}\n", to_text(proof, dataset));
  return {};
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: family FOLDER\n", stderr);
    return 2;
  }
  const lerpp::Result<void> done = learn(words[1]);
  if (!done) std::fprintf(stderr, "%s\n", to_string(done.error()).c_str());
  return done ? 0 : 1;
}
