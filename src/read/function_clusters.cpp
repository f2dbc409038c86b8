// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <set>

#include <lerp/base/json.hpp>
#include <lerp/logic/english.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/logic/simplify.hpp>
#include <lerp/read/function_clusters.hpp>
#include <lerp/read/functions.hpp>

#include "read/function_values.hpp"

namespace lerpp {
namespace {

/// A shorter formula is taken where it gains so much of what the best one does.
constexpr double nearly = 0.9;

using Rows = std::vector<Eigen::Index>;

struct Part {
  Rows rows;
  std::vector<Formula> literals;
};

/// How a part may be divided, and by how much that brings down the sum of squares.
struct Cut {
  std::size_t formula = 0;
  double gain = 0;
};

/// Divides the rows of a table of function values by formulas that hold of them or not.
class Divider {
 public:
  Divider(Eigen::MatrixXd values, std::vector<Formula> formulas,
          std::vector<std::vector<bool>> holds)
      : values_(std::move(values)), formulas_(std::move(formulas)), holds_(std::move(holds)) {
    Rows all(static_cast<std::size_t>(values_.rows()));
    std::iota(all.begin(), all.end(), 0);
    parts_.push_back({std::move(all), {}});
    cuts_.push_back(best_cut(parts_.front()));
    whole_ = squares(parts_.front());
  }

  std::vector<Part>& parts() { return parts_; }
  double squares(const Part& part) const {
    const Eigen::RowVectorXd middle = sum(part.rows) / count(part.rows);
    double total = 0;
    for (const Eigen::Index row : part.rows) total += (values_.row(row) - middle).squaredNorm();
    return total;
  }
  double whole() const { return whole_; }

  /// Divides the part where that helps most; whether it helped by at least this share of the whole.
  bool divide(double least) {
    const auto best = std::ranges::max_element(cuts_, {}, &Cut::gain);
    if (best->gain <= 0 || best->gain < least * whole_) return false;
    const std::size_t at = static_cast<std::size_t>(best - cuts_.begin());
    const std::size_t formula = best->formula;
    Part with{{}, parts_[at].literals};
    Part without{{}, parts_[at].literals};
    for (const Eigen::Index row : parts_[at].rows)
      (holds_[formula][static_cast<std::size_t>(row)] ? with : without).rows.push_back(row);
    with.literals.push_back(formulas_[formula]);
    without.literals.push_back(Formula::negation(formulas_[formula]));
    cuts_[at] = best_cut(with);
    cuts_.push_back(best_cut(without));
    parts_[at] = std::move(with);
    parts_.push_back(std::move(without));
    return true;
  }

 private:
  static double count(const Rows& rows) {
    return std::max<double>(1, static_cast<double>(rows.size()));
  }
  Eigen::RowVectorXd sum(const Rows& rows) const {
    Eigen::RowVectorXd total = Eigen::RowVectorXd::Zero(values_.cols());
    for (const Eigen::Index row : rows) total += values_.row(row);
    return total;
  }

  /// Of the formulas that divide a part about as well as any, the shortest.
  Cut best_cut(const Part& part) const {
    const std::vector<Cut> cuts = all_cuts(part);
    double most = 0;
    for (const Cut& cut : cuts) most = std::max(most, cut.gain);
    Cut best;
    for (const Cut& cut : cuts) {
      if (cut.gain <= 0 || cut.gain < nearly * most) continue;
      const auto size = [&](const Cut& one) { return formulas_[one.formula].size(); };
      if (best.gain <= 0 || size(cut) < size(best) ||
          (size(cut) == size(best) && cut.gain > best.gain)) {
        best = cut;
      }
    }
    return best;
  }

  std::vector<Cut> all_cuts(const Part& part) const {
    const Eigen::RowVectorXd all = sum(part.rows);
    std::vector<Cut> cuts;
    for (std::size_t formula = 0; formula < formulas_.size(); ++formula) {
      Eigen::RowVectorXd with = Eigen::RowVectorXd::Zero(values_.cols());
      double holders = 0;
      for (const Eigen::Index row : part.rows) {
        if (!holds_[formula][static_cast<std::size_t>(row)]) continue;
        with += values_.row(row);
        ++holders;
      }
      const double others = static_cast<double>(part.rows.size()) - holders;
      if (holders == 0 || others == 0) continue;
      const double gain = holders * others / (holders + others) *
                          (with / holders - (all - with) / others).squaredNorm();
      cuts.push_back({formula, gain});
    }
    return cuts;
  }

  Eigen::MatrixXd values_;
  std::vector<Formula> formulas_;
  std::vector<std::vector<bool>> holds_;
  std::vector<Part> parts_;
  std::vector<Cut> cuts_;  ///< of each part
  double whole_ = 0;
};

std::vector<EntityId> spread(EntityId all, std::uint32_t most) {
  const std::uint32_t count = std::min<std::uint32_t>(all, most);
  std::vector<EntityId> entities(count);
  for (std::uint32_t i = 0; i < count; ++i)
    entities[i] = static_cast<EntityId>(std::uint64_t{i} * all / count);
  return entities;
}

/// The formula and what it is put together from, each once.
void collect(const Formula& formula, std::set<Formula>& seen, std::vector<Formula>& formulas) {
  if (formula.is(Formula::Kind::negation)) return collect(formula.inner(), seen, formulas);
  if (seen.insert(formula).second) formulas.push_back(formula);
  if (formula.is(Formula::Kind::conjunction) || formula.is(Formula::Kind::disjunction)) {
    for (const Formula& part : formula.parts()) collect(part, seen, formulas);
  }
}

/// The parts as clusters, the largest first, with what is known of all entities.
FunctionClusters told(Divider& divider, std::vector<EntityId> entities, Evaluator& evaluator,
                      const ClusterOptions& options) {
  FunctionClusters found;
  found.entities = std::move(entities);
  found.cluster_of.resize(found.entities.size());
  std::vector<Part>& parts = divider.parts();
  std::ranges::stable_sort(parts, std::greater<>(), [](const Part& p) { return p.rows.size(); });
  double within = 0;
  for (std::size_t number = 0; number < parts.size(); ++number) {
    const Part& part = parts[number];
    FunctionClusters::Cluster cluster;
    cluster.formula = simplify(Formula::conjunction(part.literals));
    const double squares = divider.squares(part);
    within += squares;
    cluster.spread = squares / std::max<double>(1, static_cast<double>(part.rows.size()));
    cluster.count = evaluator(cluster.formula).count();
    cluster.share = static_cast<double>(cluster.count) /
                    std::max<double>(1, static_cast<double>(evaluator.graph().entities()));
    const std::size_t size = std::min<std::size_t>(options.examples, part.rows.size());
    for (std::size_t i = 0; i < size; ++i) {
      const Eigen::Index row = part.rows[(2 * i + 1) * part.rows.size() / (2 * size)];
      cluster.examples.push_back(found.entities[static_cast<std::size_t>(row)]);
    }
    for (const Eigen::Index row : part.rows)
      found.cluster_of[static_cast<std::size_t>(row)] = static_cast<std::uint32_t>(number);
    found.clusters.push_back(std::move(cluster));
  }
  found.explained = divider.whole() > 0 ? 1 - within / divider.whole() : 0;
  return found;
}

}  // namespace

Result<FunctionClusters> function_clusters(const Model& model, const KnownGraph& known,
                                           const ClusterOptions& options,
                                           const Observer& observer) {
  LERP_CHECK(check_options(options));
  if (model.shape().functions() == 0)
    return fail("the model has no functions", "", "train one with functions.depth=1 or more");
  const Graph& graph = known.graph();
  FunctionsOptions reading;
  reading.examples = 0;
  reading.threads = options.threads;
  LERP_TRY(read, functions(model, known, reading));
  if (observer.stopped()) return fail_stopped("finding clusters");
  std::vector<EntityId> entities = spread(graph.entities(), options.entities);
  Evaluator evaluator(graph);
  std::set<Formula> seen;
  std::vector<Formula> formulas;
  for (const ReadFunction& function : read) collect(function.formula, seen, formulas);
  std::vector<std::vector<bool>> holds;
  for (const Formula& formula : formulas) {
    const EntitySet& set = evaluator(formula);
    std::vector<bool> column;
    column.reserve(entities.size());
    for (const EntityId entity : entities) column.push_back(set.contains(entity));
    holds.push_back(std::move(column));
  }
  Divider divider(function_values(model, graph, entities, options.threads), std::move(formulas),
                  std::move(holds));
  while (divider.parts().size() < options.clusters && divider.divide(options.least)) {
    if (observer.stopped()) return fail_stopped("finding clusters");
  }
  return told(divider, std::move(entities), evaluator, options);
}

Json to_json(const FunctionClusters& found, const Dataset& dataset) {
  const Names names = {dataset.relations, dataset.entities};
  Json json = {{"dataset", dataset.name},
               {"explained", found.explained},
               {"clusters", Json::array()},
               {"points", Json::array()}};
  for (const FunctionClusters::Cluster& cluster : found.clusters) {
    Json examples = Json::array();
    for (const EntityId entity : cluster.examples) {
      examples.push_back(
          {{"name", dataset.entities.name(entity)}, {"label", dataset.entity_label(entity)}});
    }
    json["clusters"].push_back({{"formula", to_text(cluster.formula, names)},
                                {"english", to_english(cluster.formula, names)},
                                {"count", cluster.count},
                                {"share", cluster.share},
                                {"spread", cluster.spread},
                                {"examples", examples}});
  }
  for (std::size_t i = 0; i < found.entities.size(); ++i) {
    json["points"].push_back(
        {{"entity", dataset.entities.name(found.entities[i])}, {"cluster", found.cluster_of[i]}});
  }
  return json;
}

}  // namespace lerpp
