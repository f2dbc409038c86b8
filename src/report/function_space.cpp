// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/report/function_space.hpp>

#include "base/random.hpp"
#include "read/function_values.hpp"
#include "report/principal_plane.hpp"

namespace lerpp {
namespace {

constexpr std::size_t usual_count = 4;

/// Every so-manieth entity, so that there are at most so many.
std::vector<EntityId> spread(EntityId all, std::uint32_t most) {
  const EntityId count = std::min(all, most);
  std::vector<EntityId> entities(count);
  for (EntityId i = 0; i < count; ++i)
    entities[i] = static_cast<EntityId>(std::uint64_t{i} * all / count);
  return entities;
}

/// Halves of the rows: one to fit on, one to try on.
std::array<std::vector<std::size_t>, 2> halves(std::size_t rows, std::uint64_t seed) {
  std::vector<std::size_t> order(rows);
  for (std::size_t i = 0; i < rows; ++i) order[i] = i;
  Random(seed).shuffle(order);
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(rows / 2);
  return {{{order.begin(), middle}, {middle, order.end()}}};
}

/// Whether a plane passes between points, with some on either side.
bool cuts(const std::array<double, 4>& plane, const std::vector<std::array<double, 3>>& points) {
  const auto above = [&](const std::array<double, 3>& point) {
    return plane[0] * point[0] + plane[1] * point[1] + plane[2] * point[2] + plane[3] > 0;
  };
  const auto count = std::count_if(points.begin(), points.end(), above);
  return count > 0 && static_cast<std::size_t>(count) < points.size();
}

class Separator {
 public:
  Separator(const Eigen::MatrixXd& values, const PrincipalSpace& shown,
            const Eigen::MatrixXd& projected, const std::vector<std::array<double, 3>>& points,
            std::uint64_t seed)
      : values_(values),
        shown_(shown),
        projected_(projected),
        points_(points),
        halves_(halves(points.size(), seed)) {}

  void separate(FunctionSpace::Separation& role) const {
    const Plane full = separating_plane(values_, role.holds, halves_[0]);
    const PlaneAccuracy tried = accuracy(full, values_, role.holds, halves_[1]);
    role.accuracy = tried.plain;
    role.balanced = tried.balanced;
    const Plane flat = separating_plane(projected_, role.holds, halves_[0]);
    role.accuracy_in_picture = accuracy(flat, projected_, role.holds, halves_[1]).plain;
    // A point of the picture is mean + x d1 + y d2 + z d3: what the plane cuts of it is a plane
    // too.
    for (std::size_t k = 0; k < 3; ++k)
      role.plane[k] = full.weights.dot(shown_.directions.col(static_cast<Eigen::Index>(k)));
    role.plane[3] = full.weights.dot(shown_.mean) + full.bias;
    role.cuts = cuts(role.plane, points_);
    if (!role.cuts) role.plane = {flat.weights(0), flat.weights(1), flat.weights(2), flat.bias};
  }

 private:
  const Eigen::MatrixXd& values_;
  const PrincipalSpace& shown_;
  const Eigen::MatrixXd& projected_;
  const std::vector<std::array<double, 3>>& points_;
  std::array<std::vector<std::size_t>, 2> halves_;
};

}  // namespace

Result<Role> parse_role(std::string_view text, const Names& names) {
  const std::size_t colon = text.find(": ");
  const bool named = colon != std::string_view::npos;
  LERP_TRY(formula, parse_formula(named ? text.substr(colon + 2) : text, names));
  return Role{named ? std::string(text.substr(0, colon)) : to_text(formula, names), formula};
}

std::vector<Role> usual_roles(const KnownGraph& known) {
  const Dataset& dataset = known.dataset();
  const RelationId relations = dataset.relations.size();
  std::vector<Role> roles;
  // In Family, daughter(a,b) says that a is the daughter of b.
  const std::array<std::tuple<const char*, const char*, bool>, usual_count> family = {
      {{"is a daughter", "daughter", false},
       {"is a son", "son", false},
       {"has a sister", "sister", true},
       {"has a brother", "brother", true}}};
  for (const auto& [name, relation, inverse] : family) {
    const auto id = dataset.relations.find(relation);
    if (id) roles.push_back({name, Formula::exists(*id + (inverse ? relations : 0))});
  }
  if (roles.size() == usual_count) return roles;
  roles.clear();
  std::vector<std::pair<double, OperatorId>> by_balance;
  Evaluator evaluator(known.graph());
  for (OperatorId op = 0; op < 2 * relations; ++op) {
    const auto members = static_cast<double>(evaluator(Formula::exists(op)).count());
    const double share = members / std::max(1.0, static_cast<double>(dataset.entities.size()));
    if (members > 0 && share < 1) by_balance.emplace_back(std::abs(share - 0.5), op);
  }
  std::stable_sort(by_balance.begin(), by_balance.end());
  if (by_balance.size() > usual_count) by_balance.resize(usual_count);
  const Names names{dataset.relations, dataset.entities};
  for (const auto& [balance, op] : by_balance)
    roles.push_back({to_text(Formula::exists(op), names), Formula::exists(op)});
  return roles;
}

Result<FunctionSpace> function_space(const Model& model, const KnownGraph& known,
                                     const std::vector<Role>& roles,
                                     const FunctionSpaceOptions& options) {
  const Dataset& dataset = known.dataset();
  if (model.shape().functions() == 0) {
    return fail("the model has no functions", "", "train one with functions.depth=1 or more");
  }
  if (!serves(model, dataset)) {
    return fail("the model was learned from other data", dataset.name, "give the run's own data");
  }
  FunctionSpace space;
  space.dataset = dataset.name;
  space.functions = model.shape().functions();
  const Graph& graph = known.graph();
  space.entities = spread(graph.entities(), options.entities);
  const Eigen::MatrixXd values = function_values(model, graph, space.entities, options.threads);
  const PrincipalSpace shown = principal_space(values);
  const Eigen::MatrixXd projected = shown.project(values);
  space.variance = shown.variance;
  for (Eigen::Index row = 0; row < projected.rows(); ++row)
    space.points.push_back({projected(row, 0), projected(row, 1), projected(row, 2)});

  const Separator separator(values, shown, projected, space.points, options.seed);
  const Names names{dataset.relations, dataset.entities};
  Evaluator evaluator(graph);
  for (const Role& role : roles) {
    FunctionSpace::Separation separation;
    separation.role = role;
    separation.text = to_text(role.formula, names);
    const EntitySet& members = evaluator(role.formula);
    for (const EntityId entity : space.entities)
      separation.holds.push_back(members.contains(entity));
    const auto holders = std::count(separation.holds.begin(), separation.holds.end(), true);
    separation.share =
        static_cast<double>(holders) / std::max(1.0, static_cast<double>(space.entities.size()));
    separator.separate(separation);
    space.roles.push_back(std::move(separation));
  }
  return space;
}

Json to_json(const FunctionSpace& space, const Dataset& dataset) {
  Json json = {
      {"dataset", space.dataset}, {"functions", space.functions}, {"variance", space.variance}};
  json["roles"] = Json::array();
  for (const FunctionSpace::Separation& role : space.roles) {
    json["roles"].push_back({{"name", role.role.name},
                             {"formula", role.text},
                             {"share", role.share},
                             {"accuracy", role.accuracy},
                             {"balanced_accuracy", role.balanced},
                             {"accuracy_in_picture", role.accuracy_in_picture},
                             {"plane", role.plane},
                             {"plane_cuts_picture", role.cuts}});
  }
  json["points"] = Json::array();
  for (std::size_t i = 0; i < space.points.size(); ++i) {
    json["points"].push_back({{"entity", dataset.entities.name(space.entities[i])},
                              {"x", space.points[i][0]},
                              {"y", space.points[i][1]},
                              {"z", space.points[i][2]}});
  }
  return json;
}

std::string to_text(const FunctionSpace& space) {
  std::string text = fmt::format(
      "{}: {} functions of {} entities; three components hold {:.1f} %, {:.1f} % and {:.1f} % of "
      "the variance\n",
      space.dataset, space.functions, thousands(space.entities.size()), 100 * space.variance[0],
      100 * space.variance[1], 100 * space.variance[2]);
  text += fmt::format("{:<30}{:>8}{:>10}{:>10}{:>12}\n", "role", "holds", "accuracy", "balanced",
                      "in picture");
  for (const FunctionSpace::Separation& role : space.roles) {
    text += fmt::format("{:<30}{:>6.1f} %{:>10.3f}{:>10.3f}{:>12.3f}\n", role.role.name,
                        100 * role.share, role.accuracy, role.balanced, role.accuracy_in_picture);
  }
  return text;
}

}  // namespace lerpp
