// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <Eigen/Dense>

namespace lerpp {

/// The three directions in which the rows of a matrix differ most.
struct PrincipalSpace {
  static constexpr Eigen::Index dimensions = 3;

  Eigen::VectorXd mean;
  Eigen::MatrixXd directions;                    ///< a column each, of length 1
  std::array<double, dimensions> variance = {};  ///< shares of it

  Eigen::MatrixXd project(const Eigen::MatrixXd& rows) const {
    return (rows.rowwise() - mean.transpose()) * directions;
  }
};
PrincipalSpace principal_space(const Eigen::MatrixXd& rows);

/// weights * row + bias > 0 says yes.
struct Plane {
  Eigen::VectorXd weights;
  double bias = 0;

  bool says_yes(const Eigen::VectorXd& row) const { return weights.dot(row) + bias > 0; }
};
/// Logistic regression with a small ridge, by Newton's method, on the chosen rows.
Plane separating_plane(const Eigen::MatrixXd& rows, const std::vector<bool>& yes,
                       const std::vector<std::size_t>& chosen);

struct PlaneAccuracy {
  double plain = 0;
  double balanced = 0;  ///< mean over those that are and those that are not
};
PlaneAccuracy accuracy(const Plane& plane, const Eigen::MatrixXd& rows,
                       const std::vector<bool>& yes, const std::vector<std::size_t>& chosen);

}  // namespace lerpp
