// SPDX-License-Identifier: Apache-2.0
#include "paper/map.hpp"

namespace lerpp {

PaperPart::Table map_of_paper() {
  PaperPart::Table table;
  table.caption = "Each piece of the paper, where it is computed and how it is seen";
  table.heads = {"paper", "computed in", "verb or option"};
  table.rows = {
      {"chain rules r1(x,z1) ∧ … ∧ rK(z,y) ⇒ r(x,y), equation 1", "src/model/ball_rules.cpp",
       "`rules.length` (K), `rules.count` (N)"},
      {"operators A_r and their inverses; the identity for shorter rules", "src/kg/graph.cpp",
       "always on"},
      {"Definition 1: logical functions by true, chaining, not, copy, and, or",
       "src/model/functions.cpp, src/logic/formula.cpp", "`lerp functions RUN`"},
      {"LERP: a vector of m functions, column by column, T columns", "src/model/functions.cpp",
       "`functions.width` (m), `functions.depth` (T)"},
      {"clamp(x) = 1 - exp(-x); softmaxes alpha, beta, p", "src/model/function_weights.cpp",
       "always on"},
      {"rules with functions as conditions on every variable (rho)", "src/model/rule_weights.cpp",
       "`rules.constrained`; `lerp rules RUN`"},
      {"score: the weighted sum of all rules", "src/model/ball_rules.cpp", "`rules.readout=sum`"},
      {"loss: -log of the answer's share of the score; Adam",
       "src/model/score_loss.cpp, src/train/adam.cpp", "`train.rate`"},
      {"a batch's own facts are hidden while it is learned", "src/train/batches.cpp", "always on"},
      {"DRUM: the same without functions", "the same", "`functions.depth=0`"},
      {"Neural LP: DRUM with one rule", "the same", "`functions.depth=0`, `rules.count=1`"},
      {"Theorem 1: the cost is bounded by the size of the graph", "src/bench/scale.cpp",
       "`lerp paper --only cost`, `lerp bench scale`"},
      {"Table 1, Table 2", "src/paper/completion.cpp",
       "`lerp paper --only table1,table2`, `lerp train --preset paper`"},
      {"Table 3: rules", "src/read/", "`lerp paper --only table3`, `lerp rules RUN`"},
      {"Table 4: functions", "src/read/", "`lerp paper --only table4`, `lerp functions RUN`"},
      {"Figure 3: entities in the space of the functions", "src/report/function_space.cpp",
       "`lerp paper --only figure3`, `lerp picture space RUN`"},
      {"Figure 4: depth, width, length", "src/paper/sweeps.cpp",
       "`lerp paper --only figure4`, `lerp sweep DATA --over depth=0,1,2`"},
      {"TransE with functions: embed'(e) = embed(e) + W L(e)", "src/embed/transe_table.cpp",
       "`lerp embed DATA --variant lerp`"},
      {"the ratio of lengths (eta) and the entropy (gamma)", "src/embed/transe_loss.cpp",
       "`--eta`, `--gamma`; `--variant entropy`"},
      {"Figure 5: TransE, with functions, with crisp functions", "src/paper/embedding.cpp",
       "`lerp paper --only figure5`, `lerp embed DATA --variant all --seeds 5`"},
      {"Table 5: relations read in function space, W⁺ rel(r)", "src/report/relation_table.cpp",
       "`lerp paper --only figure5`, `lerp embed DATA --functions`"},
      {"running time and parameters", "src/paper/cost.cpp", "`lerp paper --only cost`"},
      {"appendix, event graphs: how stories end", "src/events/",
       "`lerp paper --only events`, `lerp events train DATA --preset paper`"},
      {"appendix, event graphs: equations that hold", "src/events/induce.cpp",
       "`lerp paper --only events`, `lerp events induce DATA`"},
  };
  return table;
}

PaperPart::Table left_out_of_paper() {
  PaperPart::Table table;
  table.caption = "What is not there, and why";
  table.heads = {"paper", "why"};
  table.rows = {
      {"rule weights made by a recurrent network, as DRUM and Neural LP make them",
       "each rule has weights of its own here, for LERP, DRUM and Neural LP alike: the comparison "
       "is of the functions alone"},
      {"the Event Graph Model, a row of the tables on events",
       "it is another group's program; its published figures stand in the table of the appendix"},
      {"scores that people gave to rules", "they cannot be computed"},
      {"WN18RR's published MRR of .622",
       "it is not reached, neither with realistic ties nor with optimistic ones: see Table 1"},
      {"the paper's seconds",
       "they are of another machine; Tables 1 and 2 have seconds of the "
       "published program on an H200 instead, measured apart"},
      {"4,800 rules a target on Kinship, 800 functions on UMLS",
       "the preset has 200 rules and 80 functions; more of them learn small graphs by heart"},
  };
  return table;
}

}  // namespace lerpp
