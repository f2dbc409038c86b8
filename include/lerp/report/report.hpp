// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/explain/explain.hpp>
#include <lerp/read/functions.hpp>
#include <lerp/read/rules.hpp>
#include <lerp/report/function_space.hpp>
#include <lerp/report/network.hpp>
#include <lerp/train/run.hpp>

/// All that a run has learned, on one page.
namespace lerpp {

struct ReportOptions {
  std::uint32_t rules = 6;
  std::uint32_t relations = 30;
  std::uint32_t functions = 20;
  std::uint32_t diagrams = 12;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"rules", "rules shown of each relation", 1, 1000}, self.rules);
    visit(Field{"relations", "relations whose rules are shown, those asked about most", 1, 1e5},
          self.relations);
    visit(Field{"functions", "functions shown", 0, 1e4}, self.functions);
    visit(Field{"diagrams", "relations whose best rule is drawn", 0, 1e4}, self.diagrams);
    visit(Field{"threads", "0 is one for each core", 0, 1024}, self.threads);
  }
};

struct Report {
  /// A relation with its rules, the strongest first.
  struct Relation {
    RelationId id = 0;
    std::vector<ReadRule> rules;
  };

  std::string name;  ///< of the run
  RunConfig config;
  std::shared_ptr<const Dataset> dataset;
  ModelShape shape;
  std::uint64_t parameters = 0;
  std::vector<EpochReport> trace;
  std::optional<Evaluation> ranks;  ///< on the test facts, or else on the validation facts
  std::vector<Relation> relations;
  std::size_t relations_left_out = 0;
  bool sum = false;  ///< weights of rules are shares of a score, not log-odds
  std::vector<ReadFunction> functions;
  std::optional<Explanation> proof;  ///< of a fact that is ranked first
  std::optional<FunctionSpace> space;
  std::optional<Network> network;  ///< of the relation asked about most
};

/// Ranks with the model of a run folder, and collects what the page shows. The predictor is that of
/// the model, or of the list that was made from it, whose rules and proofs are shown then.
Result<Report> make_report(const std::filesystem::path& folder, const RunConfig& config,
                           const Model& model, const Predictor& predictor,
                           const ReportOptions& options = {}, const Observer& observer = {});
/// One file that needs no other and no network.
std::string to_html(const Report& report, const ReportOptions& options = {});
Json to_json(const Report& report);

}  // namespace lerpp
