// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/report/function_space.hpp>

#include "base/random.hpp"
#include "report/principal_plane.hpp"
#include "support/picture_labels.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

/// Points that differ much along one direction, less along a second, hardly along others.
Eigen::MatrixXd stretched(Eigen::Index rows, Random& random) {
  Eigen::MatrixXd points(rows, 5);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double a = 10 * (random.real() - 0.5), b = 3 * (random.real() - 0.5);
    points.row(i) << a, a + b, 7, b, 0.01 * random.real();
  }
  return points;
}

std::vector<std::size_t> all_of(Eigen::Index rows) {
  std::vector<std::size_t> chosen(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i;
  return chosen;
}

TEST(PrincipalSpace, HoldsNearlyAllOfWhatIsFlat) {
  Random random(1);
  const Eigen::MatrixXd points = stretched(200, random);
  const PrincipalSpace plane = principal_space(points);
  EXPECT_GT(plane.variance[0], plane.variance[1]);
  EXPECT_GT(plane.variance[1], plane.variance[2]);
  EXPECT_NEAR(plane.variance[0] + plane.variance[1], 1, 1e-4);
  EXPECT_NEAR(plane.directions.col(0).norm(), 1, 1e-9);
  EXPECT_NEAR(plane.directions.col(0).dot(plane.directions.col(1)), 0, 1e-9);
  // Distances survive, since nothing lies outside of the plane.
  const Eigen::MatrixXd flat = plane.project(points);
  EXPECT_NEAR((flat.row(3) - flat.row(90)).norm(), (points.row(3) - points.row(90)).norm(), 0.02);
}

TEST(PrincipalSpace, StandsOneColumnAndNoDifference) {
  const PrincipalSpace plane = principal_space(Eigen::MatrixXd::Constant(4, 1, 0.5));
  EXPECT_EQ(plane.variance[0], 0);
  EXPECT_EQ(plane.project(Eigen::MatrixXd::Constant(4, 1, 0.5)).cols(), 3);
}

RC_GTEST_PROP(SeparatingPlane, FindsAPlaneWhereThereIsOne, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  Eigen::VectorXd normal(4);
  for (Eigen::Index i = 0; i < 4; ++i) normal(i) = random.real() - 0.5;
  normal.normalize();
  Eigen::MatrixXd rows(120, 4);
  std::vector<bool> yes;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (Eigen::Index k = 0; k < 4; ++k) rows(i, k) = random.real();
    double side = (rows.row(i).transpose() - Eigen::VectorXd::Constant(4, 0.5)).dot(normal);
    // Some room between the two sides.
    const double room = side > 0 ? 0.1 : -0.1;
    rows.row(i) += room * normal.transpose();
    yes.push_back(side > 0);
  }
  const Plane plane = separating_plane(rows, yes, all_of(rows.rows()));
  RC_ASSERT(accuracy(plane, rows, yes, all_of(rows.rows())).plain == 1.0);
}

TEST(SeparatingPlane, TakesTheMajorityWhereNothingTells) {
  const Eigen::MatrixXd rows = Eigen::MatrixXd::Constant(10, 3, 0.25);
  std::vector<bool> yes(10, false);
  yes[4] = yes[5] = true;
  const Plane plane = separating_plane(rows, yes, all_of(10));
  const PlaneAccuracy found = accuracy(plane, rows, yes, all_of(10));
  EXPECT_DOUBLE_EQ(found.plain, 0.8);
  EXPECT_DOUBLE_EQ(found.balanced, 0.5);
}

TEST(FunctionSpace, TellsTheRolesOfAFamilyApart) {
  const Dataset dataset = test::family(200);
  const Trained trained = test::must_train(dataset, test::small_options(3));
  const KnownGraph known(dataset);
  const std::vector<Role> roles = usual_roles(known);
  ASSERT_EQ(roles.size(), 4U);
  EXPECT_EQ(roles[0].name, "is a daughter");
  const auto space = function_space(trained.model, known, roles);
  ASSERT_TRUE(space) << to_string(space.error());
  EXPECT_EQ(space->points.size(), dataset.entities.size());
  EXPECT_EQ(space->functions, 6U);
  for (const FunctionSpace::Separation& role : space->roles) {
    const EntitySet members = evaluate(role.role.formula, known.graph());
    for (std::size_t i = 0; i < space->entities.size(); ++i)
      EXPECT_EQ(role.holds[i], members.contains(space->entities[i]));
    // Never worse than a plane that knows nothing, but for the luck of the halves.
    EXPECT_GT(role.accuracy, std::max(role.share, 1 - role.share) - 0.1) << role.role.name;
  }
  const std::string svg = to_svg(*space);
  EXPECT_NE(svg.find("is a daughter"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  // What turns in the page are the shapes of the picture, in their order.
  const std::string turning = to_turning_picture(*space);
  EXPECT_EQ(turning.find(svg), turning.find("<svg"));
  const std::size_t begin = turning.rfind("})({") + 3;
  const Json shapes = Json::parse(turning.substr(begin, turning.rfind(")</script>") - begin));
  for (const auto& [list, element] :
       {std::pair{"lines", "<line "}, {"circles", "<circle "}, {"polygons", "<polygon "}}) {
    std::size_t painted = 0;
    for (std::size_t at = 0; (at = svg.find(element, at)) != std::string::npos; ++at) ++painted;
    EXPECT_EQ(shapes[list].size(), painted) << list;
  }
  EXPECT_EQ(test::collision(svg), "");
  EXPECT_EQ(to_json(*space, dataset)["points"].size(), dataset.entities.size());
  EXPECT_NE(to_text(*space).find("has a brother"), std::string::npos);
}

TEST(FunctionSpace, LooksAtFewOfMany) {
  const Dataset dataset = test::family(200);
  const Trained trained = test::must_train(dataset, test::small_options(1));
  FunctionSpaceOptions options;
  options.entities = 50;
  const auto space = function_space(trained.model, KnownGraph(dataset), {}, options);
  ASSERT_TRUE(space);
  EXPECT_EQ(space->points.size(), 50U);
  EXPECT_TRUE(std::is_sorted(space->entities.begin(), space->entities.end()));
}

TEST(FunctionSpace, NeedsFunctions) {
  const Dataset dataset = test::family(100);
  TrainOptions options = test::small_options(1);
  options.functions.depth = 0;
  const Trained trained = test::must_train(dataset, options);
  const auto space = function_space(trained.model, KnownGraph(dataset), {});
  ASSERT_FALSE(space);
  EXPECT_EQ(to_string(space.error()),
            "the model has no functions: train one with functions.depth=1 or more");
}

}  // namespace
}  // namespace lerpp
